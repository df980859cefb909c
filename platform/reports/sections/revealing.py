"""What people needed where words are revealed one by one: the share of right answers, and the words for them."""

from analysis.study import REVEAL
from reports.measuring import Scores, mean_by_method
from reports.sections.section import Matter, Report, Row, Section, ranked
from reports.tabulating import show
from reports.wording import within


def describe_revealing(matter: Matter, scores: Scores) -> dict[str, Row]:
    """Means over texts. Empty for other protocols; words are undefined in files that do not say how many were seen."""
    study = matter.study
    if study.protocol != REVEAL or study.judgments is None:
        return {}
    rows = study.judgments.assign(
        right=(study.judgments["score"] > 0).astype(float),
        words=study.judgments["words_needed"].astype("Float64").astype(float),
    )
    right = mean_by_method(rows, "right", scores, matter.settings)
    words = mean_by_method(rows[(rows["right"] > 0) & rows["words"].notna()], "words", scores, matter.settings)
    return {
        method: {"share_right": right[column], "words_needed": words[column]}
        for column, method in enumerate(scores.methods)
    }


def say(report: Report) -> list[str]:
    """Of the best method."""
    best = next(iter(ranked(report)), {})
    if "words_needed" not in best:
        return []
    right, words = best["share_right"], best["words_needed"]
    said = f"Under it people were right on {show('share', right['value'])} of texts"
    if words["value"] is None:
        return [f"{said}."]
    return [f"{said}, and needed {words['value']:.1f} words for it{within('hundredths', words['ci'])}."]


SECTION = Section("revealing", "Words needed", per_method=describe_revealing, findings=say)
