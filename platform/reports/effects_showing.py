"""Effects of mixed models as a table, a chart and sentences: what the sections of models and of confounds share."""

from collections import Counter
from typing import Any

from analysis.modelling.confounds import CONFOUNDS, label_of
from analysis.modelling.registry import MODELS
from reports.drawing import INK, NARROW, TIP, Figure, Spec, both_widths, title_of, wrapped
from reports.palette import colour, display_label, method_label
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.wording import within

Report = dict[str, Any]
Row = dict[str, Any]
# Levels of a term on the chart: those of a term with more are read in the table.
MOST_DRAWN = 12
# Of a label on a phone, on one line.
LETTERS = 20
NAMES = {"k": "Words shown"}
# Of workers or texts: with fewer, how much they differ can hardly be estimated.
FEW = 6


def name_of(effect: Row) -> str:
    """Such as "Word length" or "Capitals: all upper"."""
    term, level = effect["term"], effect["level"]
    if level is None:
        return label_of(term)
    if term == "method":
        return method_label(level)
    return f"{NAMES.get(term, label_of(term))}: {_level_of(term, level)}"


def _level_of(term: str, level: str) -> str:
    if term == "k":
        return level.lstrip("k0")
    return display_label(level) if term == "display" else level.replace("_", " ")


def against(effect: Row) -> str:
    """What an effect is measured against: the other level, or by how much the number rises."""
    if effect["level"] is None:
        unit = CONFOUNDS[effect["term"]].unit if effect["term"] in CONFOUNDS else ""
        return f"per {effect['per']:.3g} {unit}".rstrip()
    reference = effect["reference"]
    return f"against {method_label(reference) if effect['term'] == 'method' else _level_of(effect['term'], reference)}"


def effect_table(name: str, title: str, found: Row | None) -> Table:
    effects = found["effects"] if found else []
    scale = "Log odds" if found and found["model"] != "linear" else "Effect"
    columns = [
        Column("name", "Effect of", "text"), Column("against", "Against", "text"), Column("estimate", scale, "score"),
        Column("standard_error", "Standard error", "score"), Column("ci", "95 %", "scores"),
        Column("odds_ratio", "Odds ratio", "hundredth"), Column("p", "p", "p"),
        Column("p_adjusted", "p (Holm)", "p"),
    ]  # fmt: skip
    kept = [column for column in columns if any(column.name in row for row in effects) or column.name in _OWN]
    rows = [row | {"name": name_of(row), "against": against(row)} for row in effects]
    return Table(name, title, kept, rows)


_OWN = ("name", "against")


def spread_table(name: str, title: str, found: Row | None) -> Table:
    """How much workers and texts differ, as standard deviations on the scale of the effects."""
    columns = [
        Column("what", "Differences between", "text"), Column("n", "How many", "count"),
        Column("sd", "Standard deviation", "score"),
    ]  # fmt: skip
    if not found or found["status"] != "ok":
        return Table(name, title, columns, [])
    rows = [
        {"what": "workers", "n": found["n_workers"], "sd": found["sd"]["worker"]},
        {"what": "texts", "n": found["n_texts"], "sd": found["sd"]["text"]},
        {"what": "maps of one text", "n": found.get("n_maps"), "sd": found["sd"].get("map")},
        {"what": "answers of one worker on one text", "n": found["n"], "sd": found["sd"].get("residual")},
    ]
    return Table(
        name, title, columns, [row for row in rows if row["what"] in ("workers", "texts") or row["sd"] is not None]
    )


def effect_figure(name: str, title: str, table: str, found: Row | None) -> list[Figure]:
    """A forest of the effects, but for terms of very many levels."""
    drawn = _drawn(found) if found else []
    return [both_widths(name, title, lambda width: _forest(title, found or {}, drawn, width), table)] if drawn else []


def _drawn(found: Row) -> list[Row]:
    levels = Counter(row["term"] for row in found["effects"])
    return [row for row in found["effects"] if levels[row["term"]] <= MOST_DRAWN]


def _forest(title: str, found: Row, drawn: list[Row], width: int) -> Spec:
    narrow = width == NARROW
    labels = 130 if narrow else 240
    axis: Spec = {"domain": False, "ticks": False, "labelPadding": 8, "labelLimit": labels,
                  "labelExpr": "split(datum.label, '\\n')", "labelLineHeight": 13}  # fmt: skip
    y: Spec = {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": axis}
    scale = "log odds" if found["model"] != "linear" else "points"
    x: Spec = {"field": "x", "type": "quantitative", "title": scale, "axis": {"tickCount": 5}}
    tint: Spec = {"color": {"field": "colour", "type": "nominal", "scale": None}}
    counts = f"{found['n']:,} judgments, {found['n_workers']:,} workers, {found['n_texts']:,} texts"
    return {
        "title": title_of(
            title,
            f"{MODELS[found['model']].label}; {counts}; bars are 95 % Wald intervals",
            "Numbers: per standard deviation. Dashes: no effect",
            *_left_out(found, drawn),
            narrow=narrow,
        ),
        # Most labels are shorter than they may be.
        "width": width - min(labels, 190) - 24,
        "height": {"step": 32 if narrow else 24},
        "data": {"values": [_point(row, LETTERS if narrow else None) for row in drawn]},
        "layer": [
            {
                "mark": {"type": "rule", "strokeDash": [4, 3], "strokeOpacity": 0.5, "color": INK},
                "data": {"values": [{"x": 0}]},
                "encoding": {"x": x},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}, **tint},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"y": y, "x": x, **tint, **TIP},
            },
        ],
    }


def _left_out(found: Row, drawn: list[Row]) -> list[str]:
    """What the table has beside what is drawn."""
    terms = {row["term"] for row in drawn}
    missing = dict.fromkeys(label_of(row["term"]) for row in found["effects"] if row["term"] not in terms)
    return [f"In the table alone: {', '.join(missing)}"] if missing else []


def _point(row: Row, letters: int | None) -> Spec:
    """`letters` fit on one line of a label."""
    low, high = row["ci"]
    said = f"{row['estimate']:+.2f}{within('hundredths', row['ci'])}, p = {show('p', row['p'])}"
    tip = f"{name_of(row)}, {against(row)}: {said}"
    shade = colour(row["level"]) if row["term"] == "method" else INK
    name = name_of(row)
    label = "\n".join(wrapped(name, letters)) if letters else name
    return {"label": label, "colour": shade, "x": row["estimate"], "low": low, "high": high, "tip": tip}


def undefined(what: str, found: Row) -> str:
    return f"{what} is undefined: {reason(found['status'])}."


def explain_model(name: str, found: Row) -> str:
    """The method in plain words, with its limits and the call of R that fits the same."""
    model = MODELS[found["model"]]
    maps = ", and of maps (what judgments of one text under one method share)" if found.get("n_maps") else ""
    among = "methods" if name == "models" else "terms of the model"
    odds = (
        ""
        if found["model"] == "linear"
        else "Effects are differences of log odds for a given worker and a given text. "
    )
    return (
        f"{model.label} with random intercepts of workers and texts{maps}, fitted by {model.estimation}. {odds}"
        "Intervals and p are Wald's, by the normal distribution, and somewhat short with fewer than about twenty "
        f"workers or texts; p (Holm) is adjusted over the {among}. Numbers enter per standard deviation. The same "
        f"model by {model.in_r}, in R, with d read from check/{name}.csv: {found['formula']}."
    )


def few_groups(found: Row) -> str:
    """What few workers or texts mean for a model, or nothing."""
    few = [f"{found[f'n_{name}']} {name}" for name in ("workers", "texts") if found[f"n_{name}"] < FEW]
    return f"The model has only {' and '.join(few)}: how much they differ is hardly known." if few else ""
