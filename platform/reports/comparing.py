"""Two campaigns side by side: each method's score in both, and the difference with its interval. Pure."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from analysis.columns import column_means, weighted_means
from analysis.study import WITHOUT_SCORES, Study
from reports.drawing import LABELS, NARROW, POINTS, TIP, Figure, Spec, both_widths, title_of
from reports.measures import MEASURES, Measure
from reports.measuring import Settings, score_people
from reports.palette import colour, method_label
from reports.sections.section import Row, number, pair, units
from reports.tabulating import Column, Table, show
from reports.wording import within

NOTES = 74
# Below so many texts in common nothing is resampled.
FEWEST = 2


@dataclass(frozen=True)
class Contrast:
    """rows: of methods in both. `paired`: over how many common texts differences are; None where each has its own.

    status: ok, other_measure, nothing_scored or no_common_method; without ok there are no rows.
    """

    rows: list[Row]
    paired: int | None
    status: str
    measure: Measure


def compare(one: Study, other: Study, settings: Settings) -> Contrast:
    """Scores are means over texts of the text's mean, so that texts can be paired; of guesses ks count alike.

    Where both judged texts of one dataset, only those in common count and a difference is of the same text; otherwise
    either campaign's texts are drawn on their own. Intervals resample texts.
    """
    measure = MEASURES[one.protocol]
    status = _status(one, other)
    if status != "ok":
        return Contrast([], None, status, measure)
    sides = [score_people(study) for study in (one, other)]
    methods = sorted(set(sides[0].methods) & set(sides[1].methods))
    common = sorted(set(sides[0].texts) & set(sides[1].texts)) if _same_dataset(one, other) else []
    paired = len(common) if len(common) >= FEWEST else None
    values = [
        side.by_text[np.ix_(_at(side.texts, common if paired else side.texts), _at(side.methods, methods))]
        for side in sides
    ]
    return Contrast(_rows(methods, values, settings, paired=paired is not None), paired, "ok", measure)


def _status(one: Study, other: Study) -> str:
    if MEASURES[one.protocol].name != MEASURES[other.protocol].name:
        return "other_measure"
    if not one.methods or not other.methods or one.protocol in WITHOUT_SCORES:
        return "nothing_scored"
    return "ok" if set(one.methods) & set(other.methods) else "no_common_method"


def _same_dataset(one: Study, other: Study) -> bool:
    """Texts of two datasets may bear one id."""
    return bool(one.meta.get("dataset")) and one.meta.get("dataset") == other.meta.get("dataset")


def _at(names: list[str], wanted: list[str]) -> list[int]:
    places = {name: place for place, name in enumerate(names)}
    return [places[name] for name in wanted]


def _rows(methods: list[str], values: list[FloatArray], settings: Settings, *, paired: bool) -> list[Row]:
    options = {"replicates": settings.replicates, "seed": settings.seed}
    means = [column_means(each, **options) for each in values]
    if paired:
        gap, interval = column_means(values[1] - values[0], **options)
    else:
        gap = means[1][0] - means[0][0]
        drawn = [_drawn(each, settings.replicates, settings.seed + step) for step, each in enumerate(values)]
        interval = percentile_interval(drawn[1] - drawn[0])
    return [
        {
            "method": method,
            "one": number(means[0][0][column]), "one_ci": pair(means[0][1][:, column]),
            "other": number(means[1][0][column]), "other_ci": pair(means[1][1][:, column]),
            "difference": number(gap[column]), "ci": pair(interval[:, column]),
            "n_one": int(np.isfinite(values[0][:, column]).sum()),
            "n_other": int(np.isfinite(values[1][:, column]).sum()),
        }
        for column, method in enumerate(methods)
    ]  # fmt: skip


def _drawn(values: FloatArray, replicates: int, seed: int) -> FloatArray:
    return bootstrap(lambda weights: weighted_means(values, weights), len(values), replicates=replicates, seed=seed)


def contrast_table(contrast: Contrast, names: tuple[str, str]) -> Table:
    unit, interval = units(contrast.measure)
    gap = "points" if contrast.measure.is_share else "score"
    columns = [
        Column("method", "Method", "method"),
        Column("one", names[0], unit), Column("one_ci", "95 %", interval), Column("n_one", "Texts", "count"),
        Column("other", names[1], unit), Column("other_ci", "95 %", interval), Column("n_other", "Texts", "count"),
        Column("difference", "Difference", gap), Column("ci", "95 %", interval),
    ]  # fmt: skip
    return Table("contrast", "Scores of the methods in both", columns, contrast.rows)


def contrast_figure(contrast: Contrast, names: tuple[str, str]) -> list[Figure]:
    rows = [_mark(row, contrast.measure) for row in contrast.rows if row["ci"] is not None]
    title = f"{names[1]} less {names[0]}: difference of each method"
    return (
        [both_widths("contrast", title, lambda width: _forest(rows, title, contrast.measure, width), "contrast")]
        if rows
        else []
    )


def _mark(row: Row, measure: Measure) -> Spec:
    unit, interval = ("points", "shares") if measure.is_share else ("score", "scores")
    note = show(unit, row["difference"])
    name = method_label(row["method"])
    return {"label": name, "colour": colour(row["method"]), "value": row["difference"], "low": row["ci"][0],
            "high": row["ci"][1], "note": note, "tip": f"{name}: {note}{within(interval, row['ci'])}"}  # fmt: skip


def _forest(rows: list[Spec], title: str, measure: Measure, width: int) -> Spec:
    """Point and interval of each difference; the line is at none."""
    labels = {"labelExpr": POINTS} if measure.is_share else {"format": "+.2~f"}
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None,
               "axis": {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": LABELS}}  # fmt: skip
    x: Spec = {"field": "value", "type": "quantitative", "scale": {"zero": True},
               "title": "points" if measure.is_share else "points of the scale",
               "axis": {"tickCount": 5} | labels}  # fmt: skip
    tint: Spec = {"field": "colour", "type": "nominal", "scale": None}
    inner = width - LABELS - NOTES
    return {
        "title": title_of(title, "Bars are 95 % bootstrap intervals over texts", narrow=width == NARROW),
        "width": inner,
        "height": {"step": 32},
        "data": {"values": rows},
        "layer": [
            {"data": {"values": [{"value": 0}]}, "mark": {"type": "rule", "strokeDash": [4, 3]}, "encoding": {"x": x}},
            {"mark": {"type": "rule", "strokeWidth": 2},
             "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, "color": tint}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
             "encoding": {"y": y, "x": x, "color": tint, **TIP}},
            {"mark": {"type": "text", "align": "left", "dx": 8},
             "encoding": {"y": y, "x": {"value": inner}, "text": {"field": "note"}}},
        ],
    }  # fmt: skip
