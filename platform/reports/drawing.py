"""What all figures share: their look, their titles, and SVG that follows the page's light or dark ground."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import vl_convert

Report = dict[str, Any]
Spec = dict[str, Any]

# Width of a card on a wide page, and of what stays for a figure on a phone of 360 px.
WIDE = 1056
NARROW = 296
LABELS = 130  # at most, beside a figure with one row a method
INK = "currentColor"
PER_CENT = "format(datum.value * 100, '.0f') + ' %'"
POINTS = "format(datum.value * 100, '+.1~f')"
SHARE_AXIS: Spec = {"labelExpr": PER_CENT, "tickCount": 5}
# What a mark says when pointed at, or reached by keyboard: the field `tip` of its row.
TIP: Spec = {name: {"field": "tip", "type": "nominal"} for name in ("tooltip", "description")}
CONFIG: Spec = {
    "background": None,
    "font": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK,
        "gridOpacity": 0.12, "domainOpacity": 0.45, "tickOpacity": 0.45,
        "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 8,
    },
    "title": {
        "color": INK, "subtitleColor": INK, "fontSize": 15, "subtitleFontSize": 13, "anchor": "start",
        "subtitlePadding": 4, "offset": 14,
    },
    "text": {"color": INK, "fontSize": 12},
}  # fmt: skip


def title_of(text: str, *subtitle: str, narrow: bool) -> Spec:
    """Wrapped for a phone, whose font may be a wide one."""
    head = wrapped(text, 30) if narrow else [text]
    return {"text": head, "subtitle": [part for line in subtitle for part in (wrapped(line, 38) if narrow else [line])]}


def wrapped(line: str, width: int) -> list[str]:
    lines = [""]
    for word in line.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def whole(spec: Spec) -> Spec:
    """As any drawer of Vega-Lite takes it."""
    return {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "config": CONFIG, **spec}


def to_svg(name: str, spec: Spec) -> str:
    """The drawing, with identifiers of its own: several share a page, and a second drawing has the same bytes."""
    svg = str(vl_convert.vegalite_to_svg(whole(spec)))
    found = re.findall(r'\bid="([^"]+)"', svg)
    for number, identifier in enumerate(dict.fromkeys(found)):
        svg = re.sub(rf'(id="|url\(#){re.escape(identifier)}(?=["\)])', rf"\g<1>{name}-{number}", svg)
    return svg


@dataclass(frozen=True)
class Figure:
    """A chart for the page's width and for a phone's. `table` names the table with its numbers."""

    name: str
    title: str
    wide: Spec
    narrow: Spec
    table: str = ""


def both_widths(name: str, title: str, draw: Callable[[int], Spec], table: str = "") -> Figure:
    """A figure from what draws it at a width: WIDE or NARROW."""
    return Figure(name, title, draw(WIDE), draw(NARROW), table)


def draw_all(figures: list[Figure]) -> dict[str, str]:
    """SVG by figure name; names ending in `_narrow` suit a phone."""
    specs: dict[str, Spec] = {}
    for figure in figures:
        specs |= {figure.name: figure.wide, f"{figure.name}_narrow": figure.narrow}
    return {name: to_svg(name, spec) for name, spec in specs.items()}
