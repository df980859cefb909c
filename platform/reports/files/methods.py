"""A paragraph of methods for a paper, from the report's own numbers: as text, and as LaTeX."""

from collections.abc import Iterator
from typing import Any

from catalogue.languages import LANGUAGES
from materials.counting import counted
from materials.typesetting import latex_escape
from protocols import PROTOCOLS
from reports.files.kind import File, FileKind, Parcel, text_file
from reports.measures import MEASURES
from reports.palette import coefficient_label, method_label, metric_in_sentence
from reports.statuses import reason
from reports.tabulating import show

Report = dict[str, Any]
ALLOCATIONS = {
    "least_filled": "Every worker met all conditions, those judged least so far first",
    "latin_square": "Every worker followed one list of a Latin square of conditions and texts",
    "between": "Every worker stayed with one condition",
}
# What intervals hold over: what was resampled.
RESAMPLED = {
    "texts": "texts",
    "workers": "workers",
    "texts_and_workers": "texts and workers, each drawn anew",
}
COEFFICIENTS = {"kendall_tau_b": "Kendall's tau-b", "spearman": "Spearman's rho", "pearson": "Pearson's r"}
TESTS = {
    "sign_flip": "a permutation test that flips the signs of whole texts",
    "wilcoxon": "Wilcoxon's signed-rank test over texts",
    "texts_and_workers": "Student's t over texts and workers",
    "mcnemar": "McNemar's exact test",
    "mcnemar_by_text": "McNemar's test by text",
    "mcnemar_exact_pooled": "McNemar's exact test over pairs of text and k",
    "sign_flip_by_text": "a permutation test that flips the signs of whole texts",
}


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.of_people:
        paragraphs = write_methods(parcel.report)
        yield text_file("methods.txt", paragraphs + "\n")
        yield text_file("methods.tex", "\n\n".join(map(latex_escape, paragraphs.split("\n\n"))) + "\n")


def write_methods(report: Report) -> str:
    """What was asked, of whom, and how it was counted: a paragraph each, as far as the report knows."""
    told = (_asked(report), _people(report), _counted(report))
    return "\n\n".join(" ".join(sentences) for sentences in map(list, told) if sentences)


def _asked(report: Report) -> Iterator[str]:
    protocol, design = PROTOCOLS.get(report["meta"]["protocol"]), report.get("design")
    if protocol:
        yield f"Workers were asked by the protocol “{protocol.label}”: {_lowered(protocol.summary)}"
    arms = [row["method"] for row in report["methods"]] if design is None else design["arms"]
    if arms and (protocol is None or protocol.maps):
        yield f"The {counted(len(arms), 'arm')}: {_listed(map(_arm(report), arms))}."
    if design is None:
        yield from _unknown_design(report)
        return
    if design["ks"]:
        yield f"Texts were shown with {_listed(map(str, design['ks']))} words."
    yield from _materials(design)
    size = design["size"]
    yield (
        f"{size['texts']:,} texts under {counted(size['conditions'], 'condition')} made {size['stimuli']:,} stimuli; "
        f"{design['judgments_per_stimulus']} judgments of each were planned, {size['judgments']:,} in all."
    )
    yield f"The question was: “{design['question']}”"


def _unknown_design(report: Report) -> Iterator[str]:
    meta = report["meta"]
    if meta.get("dataset"):
        yield f"The texts are of the dataset {meta['dataset']}, the classifier is {meta.get('classifier') or '?'}."
    rows = [row["n_stimuli"] for row in report["methods"] if row.get("n_stimuli")]
    if rows:
        yield f"{sum(rows):,} stimuli were judged."


def _materials(design: Report) -> Iterator[str]:
    source, revision, weights, labels = design["classifier"]
    version = f", revision {revision}" if revision else ""
    hashed = f", weights SHA-256 {weights[:12]}…" if weights else ""
    yield f"The classifier is {source}{version}{hashed}, with the labels {_listed(labels)}."
    only = ", only of those that it classified rightly" if design["only_correct"] else ""
    yield (
        f"{counted(design['texts_per_label'], 'text')} per label were drawn at random (seed {design['sample_seed']}) "
        f"from the dataset {design['dataset']}{only}."
    )


def _arm(report: Report) -> Any:
    params = report["meta"].get("method_params", {})

    def said(arm: str) -> str:
        settings = ", ".join(f"{name} = {value}" for name, value in params.get(arm, {}).items())
        return method_label(arm) + (f" ({settings})" if settings else "")

    return said


def _people(report: Report) -> Iterator[str]:
    design, flow = report.get("design"), report.get("participants")
    workers = len(report.get("workers", []))
    if design:
        yield f"Workers came by {_lowered(design['recruited_by'])}."
        if float(design["pay_per_worker"]):
            yield f"Each was paid {design['pay_per_worker']} {design['currency']}."
        yield f"{ALLOCATIONS[design['allocation']]}; nobody met a text twice, or judged more than " + (
            f"{design['most_per_worker']} items."
        )
        yield from _checked(design)
    if flow:
        yield (
            f"{flow['arrived']:,} people arrived, {flow['consented']:,} agreed to take part and {flow['completed']:,} "
            f"completed the work; {flow['screened_out']:,} were screened out, {flow['excluded']:,} excluded by hand."
        )
    if report["meta"]["n_judgments"] is not None:
        yield f"The analysis is of {report['meta']['n_judgments']:,} judgments by {counted(workers, 'worker')}."
    yield from _left_out(report)


def _checked(design: Report) -> Iterator[str]:
    parts = [
        counted(design["practice_items"], "practice text") if design["practice_items"] else "",
        f"{counted(len(design['comprehension']), 'question')} about the instructions"
        if design["comprehension"]
        else "",
        counted(len(design["checks"]), "attention check") if design["checks"] else "",
        f"{counted(design['gold_items'], 'item')} with a known answer" if design["gold_items"] else "",
    ]
    if met := [part for part in parts if part]:
        yield f"Each met {_listed(met)}."
    languages = [design["language"], *design["translations"]]
    names = [LANGUAGES[code].english if code in LANGUAGES else code for code in languages]
    yield f"The pages were in {_listed(names)}."


def _left_out(report: Report) -> Iterator[str]:
    rules, found = report.get("design", {}).get("rules", {}), report.get("exclusions")
    if rules:
        yield f"By rules fixed before launch, workers were to be left out who {'; or who '.join(rules.values())}."
    if found:
        yield (
            f"They left out {found['n_excluded']:,} of {counted(found['n_workers'], 'worker')}, with "
            f"{counted(found['n_judgments_excluded'], 'judgment')}."
        )
    elif rules:
        yield "They left nobody out."


def _counted(report: Report) -> Iterator[str]:
    meta = report["meta"]
    yield MEASURES[meta["protocol"]].note
    yield (
        f"Intervals are {100 * meta['confidence']:g} % intervals of {meta['replicates']:,} bootstrap replicates "
        f"(seed {meta['seed']}){_resampled(report)}."
    )
    yield from _tested(report)
    yield from map(_agreed, report.get("agreement", []))
    yield from _correlated(report)
    yield from _registered(report)
    versions = meta["versions"]
    yield (
        "Computed by Peekaword "
        + ", ".join(f"{version}" if name == "peekaword" else f"{name} {version}" for name, version in versions.items())
        + f"; SHA-256 of the data {meta['hashes']['data'][:12]}…."
    )


def _tested(report: Report) -> Iterator[str]:
    for key, reference in (("vs_random", "Random"), ("vs_no_explanation", "no explanation")):
        found = [row[key] for row in report["methods"] if key in row]
        tests = dict.fromkeys(row["test"] for row in found if row.get("test"))
        if found and tests:
            named = _listed(TESTS.get(test, show("text", test)) for test in tests)
            yield f"Differences from {reference} were tested by {named}, p values adjusted by Holm over the methods."
            if any("p_clustered" in row for row in found):
                by_text = f"{TESTS['sign_flip_by_text']}, adjusted likewise"
                yield f"What is said to differ from {reference} does so by {by_text}."
    if differences := report.get("differences"):
        tests = dict.fromkeys(test for row in differences for test in row.get("tests", {}))
        named = _listed(TESTS.get(test, show("text", test)) for test in tests)
        pairs = "The two methods" if len(differences) == 1 else f"All {len(differences)} pairs of methods"
        yield f"{pairs} were compared by {named}, adjusted by Holm and by Benjamini and Hochberg over the pairs."
    yield from _modelled(report)


def _resampled(report: Report) -> str:
    over = dict.fromkeys(row["over"] for row in report.get("differences", []) if row.get("over") in RESAMPLED)
    return f" over {_listed(RESAMPLED[name] for name in over)}" if over else ""


def _correlated(report: Report) -> Iterator[str]:
    rows = report.get("correlations", [])
    if metrics := dict.fromkeys(row["metric"] for row in rows):
        by = _listed(dict.fromkeys(COEFFICIENTS.get(row["coefficient"], row["coefficient"]) for row in rows))
        yield f"People's scores were correlated with {_listed(map(metric_in_sentence, metrics))}, by {by}."


def _modelled(report: Report) -> Iterator[str]:
    found = report.get("models", {})
    if found.get("status") == "ok":
        yield (
            f"A {found['model']} mixed model with random intercepts of {found['n_workers']:,} workers, "
            f"{found['n_texts']:,} texts and {found['n_maps']:,} maps was fitted by {found['estimation']}: "
            f"{found['formula']}."
        )


def _agreed(row: Report) -> str:
    name = coefficient_label(row["coefficient"])
    if row["status"] != "ok":
        return f"{name} is undefined: {reason(row['status'])}."
    interval = "" if row["ci"] is None else f" (95 % interval {show('scores', row['ci'])})"
    return f"{name} ({row['level']}) over {row['n_units']:,} units is {row['value']:.3f}{interval}."


def _registered(report: Report) -> Iterator[str]:
    if found := report.get("preregistration"):
        n = len(found["deviations"])
        yield (
            f"The study was pre-registered on {found['registered_at'][:10]} (SHA-256 {found['hash']}), with "
            f"{'no deviation' if not n else counted(n, 'deviation')} found."
        )


def _listed(parts: Any) -> str:
    found = [str(part) for part in parts]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def _lowered(text: str) -> str:
    """Within a sentence; names and acronyms keep their capitals."""
    first = text.split()[0]
    return text if first[1:].isupper() or first == "Prolific" else text[0].lower() + text[1:]


METHODS = FileKind(
    "methods",
    "Methods paragraph",
    ("methods.txt", "methods.tex"),
    "What was asked, of whom, and how it was counted, in sentences for a paper, with the design's own numbers.",
    make,
)
