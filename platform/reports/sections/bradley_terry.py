"""Strengths of methods from comparisons of two, by Bradley and Terry's model with ties and sides."""

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import percentile_interval
from analysis.ranking.bradley_terry import Strengths, fit, status_of, win_chances
from analysis.ranking.comparing import wald_test
from analysis.ranking.contesting import OUTCOMES, Answers, answers_of
from analysis.scoring.drawing import Spread, draw_with_spread, observe, resampled
from analysis.study import PAIRWISE
from reports.drawing import INK, LABELS, NARROW, SHARE_AXIS, TIP, Figure, Spec, both_widths, title_of
from reports.palette import colour, method_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution, over_what, pair
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.wording import within

# In a resample a method may win all; this keeps its strength finite, and hardly moves any other.
RIDGE = 0.01


def describe_strengths(matter: Matter) -> Row | None:
    """None but for pairs. `methods` is empty where `status` is not "ok".

    `log_strength` sums to 0 over methods; `win_chance` is the mean chance to win against another, ties and sides aside;
    `ties` is nu, and `side` the odds in favour of the left, 1 for no preference.
    """
    given = matter.study.answers
    if matter.study.protocol != PAIRWISE or given is None or matter.scores is None:
        return None
    # A file from elsewhere may score pairs by how much one is better; such answers are of another model.
    given = given[given["score"].isin(list(OUTCOMES))]
    if given.empty:
        return None
    answers = answers_of(given)
    once = np.ones((1, len(answers.texts))), np.ones((1, len(answers.workers)))
    counts = answers.counts(*once)
    status = status_of(answers.contests, counts[0])
    facts: Row = {"model": "davidson", "over": resampled(answers), "n": int(counts.sum())}
    if status != "ok":
        return facts | {"methods": [], "status": status}
    return facts | _described(matter, answers, fit(answers.contests, counts))


def _described(matter: Matter, answers: Answers, found: Strengths) -> Row:
    drawn, spread = _drawn(matter, answers, found)
    chances, drawn_chances = win_chances(found.strengths)[0], win_chances(drawn.strengths)
    ends, ends_of_chances = percentile_interval(drawn.strengths), percentile_interval(drawn_chances)
    rows = [
        {
            "method": method,
            "log_strength": float(found.strengths[0, at]),
            "ci": pair(ends[:, at]),
            "win_chance": float(chances[at]),
            "win_chance_ci": pair(ends_of_chances[:, at]),
        }
        for at, method in enumerate(answers.methods)
    ]
    section: Row = {"methods": sorted(rows, key=lambda row: (-row["log_strength"], row["method"])), "status": "ok"}
    if np.isfinite(found.ties[0]):
        section["ties"] = _odds(found.ties[0], drawn.ties)
    if np.isfinite(found.side[0]):
        p = wald_test(float(found.side[0]), float(spread.variance[-1]), float(spread.df[-1]))
        section["side"] = _odds(found.side[0], drawn.side) | {"p": p}
    return section


def _drawn(matter: Matter, answers: Answers, found: Strengths) -> tuple[Strengths, Spread]:
    """Over resamples, placed about what was found."""

    def everything(drawn: Answers, texts: FloatArray, workers: FloatArray) -> FloatArray:
        fitted = fit(drawn.contests, drawn.counts(texts, workers), ridge=RIDGE)
        return np.column_stack([fitted.strengths, fitted.ties, fitted.side])

    options = {"replicates": matter.settings.replicates, "seed": matter.settings.seed}
    drawn, spread = draw_with_spread(answers, everything, **options)
    whole = np.column_stack([found.strengths, found.ties, found.side])
    drawn = drawn + np.nan_to_num(whole - observe(answers, everything))
    return Strengths(drawn[:, :-2], drawn[:, -2], drawn[:, -1]), spread


def _odds(value: float, drawn: FloatArray) -> Row:
    return {"value": float(np.exp(value)), "ci": pair(np.exp(percentile_interval(drawn)))}


def make_tables(report: Report) -> list[Table]:
    columns = [
        Column("method", "Method", "method"), Column("log_strength", "Log strength", "score"),
        Column("ci", "95 %", "scores"), Column("win_chance", "Chance to win", "share"),
        Column("win_chance_ci", "95 %", "shares"),
    ]  # fmt: skip
    return [Table("bradley_terry", "Strengths by Bradley and Terry", columns, _methods(report))]


def _methods(report: Report) -> list[Row]:
    rows: list[Row] = report.get("bradley_terry", {}).get("methods", [])
    return rows


def draw_figures(report: Report) -> list[Figure]:
    if len(_methods(report)) < 3:
        return []
    title = "Chance of each method to win against another"
    return [both_widths("bradley_terry", title, lambda width: _forest(report, width), "bradley_terry")]


def _forest(report: Report, width: int) -> Spec:
    found = report["bradley_terry"]
    inner = width - LABELS - 16
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    x: Spec = {"field": "x", "type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": SHARE_AXIS}
    tint: Spec = {"color": {"field": "colour", "type": "nominal", "scale": None}}
    even: Spec = {"mark": {"type": "rule", "color": INK, "strokeDash": [4, 3], "strokeOpacity": 0.6},
                  "data": {"values": [{"x": 0.5}]}, "encoding": {"x": x}}  # fmt: skip
    return {
        "title": title_of(
            "Chance to win against another method, by Bradley and Terry",
            f"{found['n']:,} comparisons; ties and sides allowed for; bars are 95 % intervals over {over_what(report)}",
            "Dashes: as often as not",
            narrow=width == NARROW,
        ),
        "width": inner,
        "height": {"step": 32},
        "data": {"values": [_point(row) for row in found["methods"]]},
        "layer": [
            even,
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, **tint}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
             "encoding": {"y": y, "x": x, **tint, **TIP}},
        ],
    }  # fmt: skip


def _point(row: Row) -> Spec:
    low, high = row["win_chance_ci"] or (row["win_chance"], row["win_chance"])
    interval = within("shares", row["win_chance_ci"], " %")
    tip = f"{method_label(row['method'])}: {show('share', row['win_chance'])}{interval}"
    return {"label": method_label(row["method"]), "colour": colour(row["method"]), "x": row["win_chance"],
            "low": low, "high": high, "tip": tip}  # fmt: skip


def explain(report: Report) -> list[str]:
    found = report.get("bradley_terry")
    if not found or found["status"] != "ok":
        return []
    notes = [_NOTE]
    if "side" in found:
        side = found["side"]
        odds = f"{side['value']:.2f}{within('hundredths', side['ci'])}, p = {show('p', side['p'])}"
        notes.append(f"Odds in favour of the left side, all else equal: {odds}.")
    return notes


def warn(_matter: Matter, report: Report) -> list[Caution]:
    found = report.get("bradley_terry")
    if not found or found["status"] == "ok":
        return []
    message = f"Strengths by Bradley and Terry are undefined: {reason(found['status'])}."
    return [caution("strengths_undefined", message)]


_NOTE = (
    "Bradley and Terry's model gives every method a strength, so that the odds of one winning against another are the "
    "ratio of their strengths, whichever pairs were compared how often; ties are Davidson's (1970), and the side is "
    "Davidson and Beaver's (1977). The chance to win is the mean over the other methods, ties and sides aside."
)

SECTION = Section(
    "bradley_terry",
    "Strengths",
    describe=describe_strengths,
    tables=make_tables,
    figures=draw_figures,
    notes=explain,
    warnings=warn,
)
