from campaigns.lints import care, exits, texts, wording, work
from campaigns.lints.lint import Finding, Inspected, Lint, Severity

# What may refuse a launch is cheap: it is looked at again then.
STOPPING: tuple[Lint, ...] = (care.consent, exits.exits)
LINTS: tuple[Lint, ...] = (
    *STOPPING,
    care.contact,
    wording.languages,
    texts.sample,
    texts.lengths,
    texts.label_words,
    texts.repeated,
    texts.imported_maps,
    work.load,
    work.practice,
    work.met_before,
    work.time_for_an_item,
    work.blocks,
    work.pay,
    care.known_answers,
    care.contrast,
)

__all__ = ["LINTS", "STOPPING", "Finding", "Inspected", "Lint", "Severity"]
