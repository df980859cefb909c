"""What workers read in a language that they did not choose."""

from campaigns.lints.lint import Finding, Inspected, Severity
from campaigns.translating import languages_of, untranslated
from materials.counting import counted


def languages(seen: Inspected) -> Finding | None:
    offered = languages_of(seen.campaign)
    if len(offered) < 2:
        return None
    names = ", ".join(language.english for language in offered)
    if missing := untranslated(seen.campaign):
        told = "; ".join(f"{language}: {_some(wordings)}" for language, wordings in missing.items())
        return Finding(
            "Languages",
            Severity.WARNING,
            f"Workers may read in {names}, but not all of the wording is translated. {told}.",
            "Fill it in under Languages, or take the language away: a consent has to be understood.",
        )
    return Finding("Languages", Severity.GOOD, f"All of the wording is there in {names}.")


def _some(wordings: list[str]) -> str:
    """The first few; the wizard shows them all."""
    rest = f" and {counted(len(wordings) - 3, 'more text')}" if len(wordings) > 3 else ""
    return ", ".join(f"“{wording}”" for wording in wordings[:3]) + rest
