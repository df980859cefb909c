"""What the report says in sentences: its finding, and how its numbers were made."""

from typing import Any

from analysis.quality.rules import RULES
from analysis.study import TOPK_GUESS
from protocols import PROTOCOLS
from reports.measures import MEASURES, Measure
from reports.palette import method_label, metric_in_sentence
from reports.statuses import reason
from reports.tabulating import show

Report = dict[str, Any]
# Warnings that come with data of which more is wanted.
UNFINISHED = {"uneven_votes", "unjudged_cells"}


def open_report(report: Report) -> str:
    """What the report is of."""
    protocol = PROTOCOLS[report["meta"]["protocol"]].label.lower()
    n_methods, n_judgments = len(report["methods"]), report["meta"]["n_judgments"]
    size = f"{n_methods} method" + ("" if n_methods == 1 else "s")
    if n_judgments:
        size += f", {n_judgments:,} judgment" + ("" if n_judgments == 1 else "s")
    return f"Human evaluation of saliency explanations ({protocol}): {size}."


def summarise(report: Report) -> list[str]:
    """The finding in a few sentences, each with measure, interval and n."""
    measure = MEASURES[report["meta"]["protocol"]]
    if not measure.ranked:
        return _between(report["methods"], measure)
    methods = [row for row in report["methods"] if row["rank"] is not None]
    if "marking" in report:
        return [_marked(report["marking"]), *_agreed(report)]
    if not methods:
        return ["There is nothing to rank yet."]
    unfinished = UNFINISHED & {warning["code"] for warning in report.get("warnings", [])}
    sentences = [("So far " if unfinished else "") + _best(methods[0], measure)]
    sentences += [_revealed(methods[0])] if "words_needed" in methods[0] else []
    for key, reference in (("vs_random", "Random"), ("vs_no_explanation", "no explanation")):
        if compared := [row for row in methods if key in row]:
            sentences.append(_against(compared, key, reference))
    sentences += _agreed(report)
    sentences += [_correlation(row) for row in report.get("correlations", []) if row["over"] == "methods"]
    return sentences


def explain_methods(report: Report) -> list[str]:
    """How each number was made, for the sections that the report has."""
    guessed = report["meta"]["protocol"] == TOPK_GUESS
    replicates = f"{report['meta']['replicates']:,}"
    notes = [MEASURES[report["meta"]["protocol"]].note] + ([_WEIGHTING_NOTE] if guessed else [])
    notes.append(
        f"Intervals are 95 %: by bootstrap over texts ({replicates} resamples, seed {report['meta']['seed']})"
        + ("; of accuracy at one k, Wilson's." if guessed else ".")
    )
    if any("vs_random" in row or "vs_no_explanation" in row for row in report["methods"]):
        notes.append(_MCNEMAR_NOTE + " " + _SIGN_NOTE if guessed else _SIGN_NOTE)
    if report.get("flips"):
        notes.append(_FLIP_NOTE)
    if report.get("agreement"):
        on_words = any(row.get("units") == "words" for row in report["agreement"])
        notes.append(_WORDS_NOTE if on_words else _AGREEMENT_NOTE)
    if "sides" in report:
        notes.append(_sided(report["sides"]))
    if "by_display" in report:
        notes.append(_DISPLAY_NOTE)
    if report.get("correlations"):
        notes.append(_CORRELATION_NOTE)
    if "friedman" in report:
        notes.append(_friedman(report["friedman"]))
    if "exclusions" in report:
        notes.append(_excluded(report["exclusions"]))
    return notes


_WEIGHTING_NOTE = (
    "Weighted accuracy is the sum over k of weight times accuracy, weights summing to 1 and greater where the task is "
    "harder; the mean that sets them is over all methods, Random included (Lu et al. 2024). Methods are ranked by "
    "w ~ 1 - mean."
)
_MCNEMAR_NOTE = (
    "Differences from an arm are tested by McNemar's exact test over all pairs of text and k, which takes pairs of one "
    "text as independent."
)
_SIGN_NOTE = (
    "The test by text flips the signs of whole texts, so that a text is one observation. p values are adjusted by Holm."
)
_FLIP_NOTE = (
    "A flip is a text recognised with fewer words and not with the next greater number. Where votes are known, the "
    "number expected from noise assumes that more words never hurt and draws the votes anew."
)
_AGREEMENT_NOTE = (
    "Agreement is over stimuli with at least two judgments; its interval resamples stimuli. Alpha is 1 for perfect and "
    "0 for chance agreement, and undefined where all answers are the same."
)
_WORDS_NOTE = (
    "Agreement is over words, each marked or not, of texts with at least two workers; its interval resamples texts. "
    "Alpha is 1 for perfect and 0 for chance agreement. Per cent agreement is high wherever few words are marked, so "
    "read alpha."
)
_DISPLAY_NOTE = (
    "Under each display, scores are means over the texts judged in it. A difference between displays says how a map is "
    "read, not how good it is."
)
_CORRELATION_NOTE = (
    "Kendall's tau-b; intervals resample texts with all their explanations. The p value over explanations takes them "
    "as independent, so read the interval first. For sufficiency a lower value is better, so agreement with people "
    "shows as a negative tau."
)


def _excluded(found: Report) -> str:
    rules = ", ".join(f"{_rule(name)} {n:,}" for name, n in found["by_rule"].items())
    return (
        f"{found['n_excluded']:,} of {found['n_workers']:,} workers, with {found['n_judgments_excluded']:,} judgments, "
        f"are left out by the rules that were written before launch ({rules}). Their judgments are in the export; a "
        "table has the scores without and with them."
    )


def _rule(name: str) -> str:
    """A file from elsewhere may name rules of its own."""
    return RULES[name].label.lower() if name in RULES else name


def _best(row: Report, measure: Measure) -> str:
    name = method_label(row["method"])
    if "by_k" not in row:
        score = row[measure.name]
        value = show("weighted", score["value"]) if measure.is_share else f"{score['value']:.2f}"
        interval = _within(*(("shares", score["ci"], " %") if measure.is_share else ("hundredths", score["ci"])))
        return f"{name} has the highest {measure.in_sentence}, {value}{interval}, over {score['n']} texts."
    score = row["weighted_accuracy"]["one_minus_mean"]
    interval = _within("shares", row["weighted_accuracy_ci"]["one_minus_mean"], " %")
    n = max(cell["n"] for cell in row["by_k"].values())
    return f"{name} has the highest weighted accuracy, {show('weighted', score)}{interval}, over {n} texts."


def _between(methods: list[Report], measure: Measure) -> list[str]:
    """Where a higher score is no better: what the scores range over."""
    known = sorted(
        (row[measure.name]["value"], row["method"]) for row in methods if row[measure.name]["value"] is not None
    )
    if not known:
        return ["There is nothing to compare yet."]
    ends = [f"{value:.2f} ({method_label(method)})" for value, method in (known[0], known[-1])]
    return (
        [f"{measure.label} is between {' and '.join(ends)}."] if len(known) > 1 else [f"{measure.label} is {ends[0]}."]
    )


def _against(compared: list[Report], key: str, reference: str) -> str:
    def adjusted(row: Report) -> float:
        return float(row[key].get("p_clustered_adjusted", row[key]["p_adjusted"]))

    better = [method_label(r["method"]) for r in compared if r[key]["difference"] > 0 and adjusted(r) < 0.05]
    names = [method_label(row["method"]) for row in compared]
    return f"{_how_many_score(better, names)} higher than {reference} (test by text, Holm-adjusted p < 0.05)."


def _how_many_score(better: list[str], names: list[str]) -> str:
    """The sentence up to its verb, as people say it."""
    if len(names) == 1:
        return f"{names[0]} scores" if better else f"{names[0]} does not score"
    if len(better) in (0, len(names)):
        return f"All {len(names)} methods score" if better else f"None of the {len(names)} methods scores"
    verb = "scores" if len(better) == 1 else "score"
    return f"{len(better)} of the {len(names)} methods ({', '.join(better)}) {verb}"


def _revealed(row: Report) -> str:
    right, words = row["share_right"], row["words_needed"]
    said = f"Under it people were right on {show('share', right['value'])} of texts"
    if words["value"] is None:
        return f"{said}."
    return f"{said}, and needed {words['value']:.1f} words for it{_within('hundredths', words['ci'])}."


def _sided(sides: Report) -> str:
    share, interval = show("share", sides["left"]), _within("shares", sides["ci"], " %")
    return (
        f"Sides are drawn anew for each judgment. Without ties, what stood on the left was preferred in {share}"
        f"{interval} of {sides['n']:,} judgments; half would be no habit at all."
    )


def _marked(marking: Report) -> str:
    texts = f"{marking['n_texts']:,} text" + ("" if marking["n_texts"] == 1 else "s")
    words = f"{marking['mean_words']:.1f} words, {show('share', marking['mean_share'])} of those there are"
    return f"In {texts} workers marked {words}; {show('share', marking['nothing'])} of answers marked nothing."


def _agreed(report: Report) -> list[str]:
    return [_agreement(row) for row in report.get("agreement", []) if row["coefficient"] == "krippendorff_alpha"]


def _agreement(row: Report) -> str:
    if row["status"] != "ok":
        return f"Krippendorff's alpha ({row['level']}) is undefined: {reason(row['status'])}."
    interval = _within("scores", row["ci"])
    over = f"{row['n_units']:,} {row.get('units', 'stimuli')}"
    return f"Krippendorff's alpha ({row['level']}) is {row['value']:.3f}{interval} over {over}."


def _correlation(row: Report) -> str:
    name = metric_in_sentence(row["metric"])
    if row["status"] != "ok":
        return f"Kendall's tau-b with {name} over methods is undefined: {reason(row['status'])}."
    interval = _within("hundredths", row["ci"])
    return f"Kendall's tau-b between people and {name} is {row['value']:.2f}{interval} over {row['n']} methods."


def _friedman(test: Report) -> str:
    if test["status"] != "ok":
        return f"Friedman's test of all methods is undefined: {reason(test['status'])}."
    return (
        f"Friedman's test of all methods over {test['n']} texts: chi squared {test['chi2']:.2f}, "
        f"{test['df']} degrees of freedom, p = {show('p', test['p'])}."
    )


def _within(kind: str, ci: list[float] | None, unit: str = "") -> str:
    return "" if ci is None else f" (95\N{NO-BREAK SPACE}% interval {show(kind, ci)}{unit})"
