"""Score and rank of each method: the report's first table, its forest plot and its finding."""

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import percentile_interval
from analysis.ranking.ordering import rank_interval, ranks
from analysis.study import RANDOM, STIMULUS, TOPK_GUESS, Study
from reports.drawing import LABELS, NARROW, SHARE_AXIS, TIP, Figure, Spec, both_widths, title_of
from reports.measures import Measure
from reports.measuring import Scores
from reports.palette import colour, method_label
from reports.sections.section import Matter, Report, Row, Section, measured, number, over_what, pair, ranked, units
from reports.stacking import MOST_POINTS
from reports.tabulating import Column, Table, show
from reports.wording import counted, within

NOTES = 58
# Warnings that come with data of which more is wanted.
UNFINISHED = {"uneven_votes", "unjudged_cells"}


def score_methods(matter: Matter, scores: Scores) -> dict[str, Row]:
    """What each method was judged on, its mean score where it has no verdicts, and its rank."""
    observed, drawn = matter.resampled
    order = ranks(observed) if matter.measure.ranked else np.full(len(observed), np.nan)
    intervals = rank_interval(ranks(drawn))
    rows = {}
    for column, method in enumerate(scores.methods):
        row = _counts(matter.study, method)
        row["rank"] = None if np.isnan(order[column]) else int(order[column])
        row["rank_ci"] = None if row["rank"] is None else pair(intervals[:, column], whole=True)
        rows[method] = row | ({} if scores.grid else _mean(matter, scores, column))
    return rows


def _counts(study: Study, method: str) -> Row:
    if study.judgments is None:
        cells = int((study.cells["method"] == method).sum())
        return {"n_stimuli": cells, "n_judgments": None, "n_judgments_status": "only_majority_verdicts"}
    own = study.judgments[study.judgments["method"] == method]
    return {"n_stimuli": len(own.drop_duplicates(STIMULUS)), "n_judgments": len(own)}


def _mean(matter: Matter, scores: Scores, column: int) -> Row:
    """The mean over texts of the text's mean, interval over texts and workers."""
    observed, drawn = matter.resampled
    interval: FloatArray = percentile_interval(drawn[:, column])
    n_texts = int(np.isfinite(scores.by_text[:, column]).sum())
    return {matter.measure.name: {"value": number(observed[column]), "ci": pair(interval), "n": n_texts}}


def make_tables(report: Report) -> list[Table]:
    measure = measured(report)
    columns = [Column("method", "Method", "method"), Column("rank", "Rank", "count")]
    columns.append(Column("rank_ci", "95 %", "counts"))
    if any("by_k" in row for row in report["methods"]):
        columns += _of_verdicts()
    else:
        unit, interval = units(measure)
        columns += [Column(measure.name, measure.label, unit), Column(f"{measure.name}_ci", "95 %", interval)]
        columns += _of_revealing() if any("words_needed" in row for row in report["methods"]) else []
    columns += [Column("n_stimuli", "Stimuli", "count"), Column("n_judgments", "Judgments", "count")]
    rows = [_flat(row, measure.name) for row in report["methods"]]
    return [Table("methods", "Methods, best first", columns, rows)]


def _of_verdicts() -> list[Column]:
    return [
        Column("one_minus_mean", "Weighted, w ~ 1 - mean", "weighted"),
        Column("one_minus_mean_ci", "95 %", "shares"),
        Column("inverse_mean", "Weighted, w ~ 1/mean", "weighted"),
        Column("mean_accuracy", "Mean (uniform)", "share"),
        Column("mean_accuracy_ci", "95 %", "shares"),
        Column("flip_rate", "Texts with a flip", "share"),
    ]


def _of_revealing() -> list[Column]:
    return [
        Column("share_right", "Right", "share"), Column("share_right_ci", "95 %", "shares"),
        Column("words_needed", "Words needed, where right", "tenths"), Column("words_needed_ci", "95 %", "hundredths"),
    ]  # fmt: skip


def _flat(row: Row, measure: str) -> Row:
    flat = dict(row)
    if "by_k" not in row:
        means = [name for name in (measure, "share_right", "words_needed") if name in row]
        flat |= {f"{name}_ci": row[name]["ci"] for name in means}
        return flat | {name: row[name]["value"] for name in means}
    flat |= row["weighted_accuracy"]
    return flat | {"one_minus_mean_ci": row["weighted_accuracy_ci"]["one_minus_mean"]}


def draw_figures(report: Report) -> list[Figure]:
    measure = measured(report)
    if not report["methods"] or (measure.ranked and not ranked(report)):
        return []
    title = "Score of each method, with intervals"
    return [both_widths("scores", title, lambda width: _forest(report, measure, width), "methods")]


def _forest(report: Report, measure: Measure, width: int) -> Spec:
    """Point and interval of each method's score, best on top; Random's score runs down as the reference."""
    methods, over = report["methods"], over_what(report)
    rows = [row for row in (_score_row(row, measure) for row in methods) if row["score"] is not None]
    high = max(5.0, *(row["high"] for row in rows))
    # Points begin at 1, a slider at 0.
    low = min(1.0 if high <= MOST_POINTS else 0.0, *(row["low"] for row in rows))
    domain = [0, 1] if measure.is_share else [low, high]
    axis: Spec = SHARE_AXIS if measure.is_share else {"tickCount": 5}
    inner = width - LABELS - NOTES
    texts = counted(max(row["n"] for row in rows), "text")
    detail = f"Harder ks weigh more (w ~ 1 - mean); {texts}" if "by_k" in methods[0] else f"Mean over {texts}"
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    x: Spec = {"field": "score", "type": "quantitative", "title": None, "scale": {"domain": domain}, "axis": axis}
    return {
        "title": title_of(
            f"{measure.label} of each method",
            f"{detail}; bars are 95 % bootstrap intervals over {over}",
            narrow=width == NARROW,
        ),
        "width": inner,
        "height": {"step": 32},
        "data": {"values": rows},
        "layer": [*_reference(rows, x), *_marks(x, y, inner)],
    }


def _reference(rows: list[Spec], x: Spec) -> list[Spec]:
    """Without a Random arm there is no layer: a mark of nothing is a riddle to screen readers."""
    random = [row for row in rows if row["method"] == RANDOM]
    layer: Spec = {
        "data": {"values": random},
        "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5},
        "encoding": {"x": x, "color": {"field": "colour", "type": "nominal", "scale": None}},
    }
    return [layer] if random else []


def _marks(x: Spec, y: Spec, inner: float) -> list[Spec]:
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
            "encoding": {"y": y, "x": x, "color": tint, **TIP},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 8},
            "encoding": {"y": y, "x": {"value": inner}, "text": {"field": "note"}},
        },
    ]


def _score_row(row: Row, measure: Measure) -> Spec:
    if "by_k" not in row:
        score, ci, n = (row[measure.name][part] for part in ("value", "ci", "n"))
        note = "" if score is None else show("share", score) if measure.is_share else f"{score:.2f}"
    else:
        score, ci = row["weighted_accuracy"]["one_minus_mean"], row["weighted_accuracy_ci"]["one_minus_mean"]
        n, note = max(cell["n"] for cell in row["by_k"].values()), show("share", score)
    low, high = ci or (score, score)
    kind = ("share", "shares", " %") if measure.is_share else ("score", "scores", "")
    return {
        "tip": f"{method_label(row['method'])}: {show(kind[0], score)}{within(kind[1], ci, kind[2])}, {n:,} texts",
        "method": row["method"],
        "label": method_label(row["method"]),
        "colour": colour(row["method"]),
        "score": score,
        "low": low,
        "high": high,
        "n": n,
        "note": note,
    }


def say(report: Report) -> list[str]:
    """Which method is best; where a higher score is no better, what the scores range over."""
    measure = measured(report)
    if _without_methods(report):
        return []
    if not measure.ranked:
        return _between(report["methods"], measure)
    if "marking" in report:
        return []
    methods = ranked(report)
    if not methods:
        return ["There is nothing to rank yet."]
    unfinished = UNFINISHED & {warning["code"] for warning in report.get("warnings", [])}
    return [("So far " if unfinished else "") + _best(methods[0], measure)]


def _without_methods(report: Report) -> bool:
    """Whether there are judgments, and none is of a method: labels, say."""
    return not report["methods"] and bool(report["meta"]["n_judgments"]) and "marking" not in report


def _best(row: Row, measure: Measure) -> str:
    name = method_label(row["method"])
    if "by_k" not in row:
        score = row[measure.name]
        value = show("weighted", score["value"]) if measure.is_share else f"{score['value']:.2f}"
        interval = within(*(("shares", score["ci"], " %") if measure.is_share else ("hundredths", score["ci"])))
        return f"{name} has the highest {measure.in_sentence}, {value}{interval}, over {counted(score['n'], 'text')}."
    score = row["weighted_accuracy"]["one_minus_mean"]
    interval = within("shares", row["weighted_accuracy_ci"]["one_minus_mean"], " %")
    n = max(cell["n"] for cell in row["by_k"].values())
    return f"{name} has the highest weighted accuracy, {show('weighted', score)}{interval}, over {counted(n, 'text')}."


def _between(methods: list[Row], measure: Measure) -> list[str]:
    known = sorted(
        (row[measure.name]["value"], row["method"]) for row in methods if row[measure.name]["value"] is not None
    )
    if not known:
        return ["There is nothing to compare yet."]
    ends = [f"{value:.2f} ({method_label(method)})" for value, method in (known[0], known[-1])]
    return (
        [f"{measure.label} is between {' and '.join(ends)}."] if len(known) > 1 else [f"{measure.label} is {ends[0]}."]
    )


def explain(report: Report) -> list[str]:
    if _without_methods(report) and not report.get("baselines"):
        return []
    guessed = report["meta"]["protocol"] == TOPK_GUESS
    replicates = f"{report['meta']['replicates']:,}"
    intervals = f"Intervals are 95 %: by bootstrap over {over_what(report)} ({replicates} resamples, seed "
    intervals += (
        f"{report['meta']['seed']}); of accuracy at one k, Wilson's." if guessed else f"{report['meta']['seed']})."
    )
    if over_what(report) != "texts":
        intervals += " " + _CROSSED_NOTE
    note = [] if _without_methods(report) else [measured(report).note]
    return [*note, *([_WEIGHTING_NOTE] if guessed else []), intervals]


_CROSSED_NOTE = (
    "Texts and workers are drawn anew, each with replacement, and a judgment counts as often as both are drawn (Owen "
    "2007); the spread is then brought to that of the variance of texts and workers together, which such drawing alone "
    "overstates (Cameron, Gelbach & Miller 2011)."
)
_WEIGHTING_NOTE = (
    "Weighted accuracy is the sum over k of weight times accuracy, weights summing to 1 and greater where the task is "
    "harder; the mean that sets them is over all methods, Random included (Lu et al. 2024). Methods are ranked by "
    "w ~ 1 - mean."
)

SECTION = Section(
    "methods",
    "Scores",
    per_method=score_methods,
    tables=make_tables,
    figures=draw_figures,
    findings=say,
    notes=explain,
)
