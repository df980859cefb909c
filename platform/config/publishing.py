"""The pages of heat maps as HTML files that need nothing from anywhere: made from what `explain` has written."""

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from catalogue.imported import imported_method, is_imported
from catalogue.methods import METHODS
from config.environment import ROOT
from materials.comparing import Comparison, compare
from materials.drawing import draw
from materials.picturing import DISPLAYS, HeatMap, Panel, Picture, about, chances, label_of, settings_of
from materials.typesetting import typeset
from workers.storing import read_about, read_explanations

# More texts than a browser likes on one page.
MOST_IN_ONE_FILE = 50
SUFFIXES = (".html", ".htm")
STYLES = ("peekaword.css", "researcher.css")
FIGURES = {"image/svg+xml": draw, "application/x-tex": typeset}


@dataclass(frozen=True)
class Entry:
    """One text with all that its page shows."""

    number: int
    picture: Picture
    panels: Sequence[Panel]
    figures: Sequence[str]
    comparison: Comparison

    @property
    def file(self) -> str:
        return f"text-{self.number:04d}.html"


def is_one_file(where: Path) -> bool:
    return where.suffix.lower() in SUFFIXES


def place_problem(where: Path, n_texts: int) -> str:
    """Why the pages cannot be written there; empty where all is well."""
    if is_one_file(where):
        if where.is_dir():
            return f"{where} is a folder: name a file, or a folder without .html at its end."
        if n_texts > MOST_IN_ONE_FILE:
            return f"{n_texts:,} texts are too many for one page ({MOST_IN_ONE_FILE} at most): name a folder."
    elif where.exists() and not where.is_dir():
        return f"{where} is a file: name a folder, or a file that ends in .html."
    return ""


def publish(explanations: Path, where: Path, title: str) -> Path:
    """Write the page or pages, and give the one to open."""
    about = {"title": title, **read_about(explanations)}
    entries = _entries(explanations, json.loads(about.get("label_names", "{}")))
    if is_one_file(where):
        where.parent.mkdir(parents=True, exist_ok=True)
        _write(where, about, entries=list(entries))
        return where
    where.mkdir(parents=True, exist_ok=True)
    listed: list[Entry] = []
    for before, entry, after in _with_neighbours(entries):
        _write(where / entry.file, about, entries=[entry], before=before, after=after, index="index.html")
        # What the index says needs no maps, which would fill the memory.
        bare = replace(entry.picture, maps=())
        listed.append(Entry(entry.number, bare, panels=(), figures=(), comparison=Comparison([], [])))
    _write(where / "index.html", about, listed=listed)
    return where / "index.html"


def _write(path: Path, about: dict[str, str], **context: Any) -> None:
    shown: dict[str, Any] = {
        "about": about,
        "entries": [],
        "listed": [],
        "style": "".join((ROOT / "static" / "css" / name).read_text(encoding="utf-8") for name in STYLES),
        "script": (ROOT / "static" / "js" / "maps.js").read_text(encoding="utf-8"),
        "displays": DISPLAYS,
        "display": next(iter(DISPLAYS)),
    }
    if entries := context.get("entries"):
        # What the legend has to explain is what any of the maps shows.
        shown["picture"] = replace(entries[0].picture, maps=[one for entry in entries for one in entry.picture.maps])
    html = render_to_string("materials/heat_maps.html", shown | context)
    path.write_text(html, encoding="utf-8", newline="\n")


def _with_neighbours(entries: Iterator[Entry]) -> Iterator[tuple[Entry | None, Entry, Entry | None]]:
    before, entry = None, next(entries, None)
    while entry is not None:
        after = next(entries, None)
        yield before, entry, after
        before, entry = entry, after


def _entries(explanations: Path, labels: dict[str, str]) -> Iterator[Entry]:
    """Rows of one text stand together."""
    names = [labels.get(str(index), f"output {index}") for index in range(len(labels))]
    grouped = groupby(read_explanations(explanations), lambda row: row["text_id"])
    for number, (_, rows) in enumerate(grouped, start=1):
        picture = _picture(number, list(rows), names)
        panels = [Panel(one, *_figures(picture, [one])) for one in picture.maps]
        yield Entry(number, picture, panels, _figures(picture, picture.maps), compare(picture.maps))


def _figures(picture: Picture, maps: Sequence[HeatMap]) -> list[str]:
    return [
        f"data:{kind};charset=utf-8;base64,{base64.b64encode(make(picture, maps).encode()).decode()}"
        for kind, make in FIGURES.items()
    ]


def _picture(number: int, rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Picture:
    first = rows[0]
    predicted = label_of(names, first["predicted"])
    values = first.get("probabilities") or []
    known = chances(names, values, predicted, "") if len(values) == len(names) else []
    maps = [_heat_map(f"{number}-{at}", row, names) for at, row in enumerate(rows, start=1)]
    return Picture(first["text_id"], first["text"], first.get("language") or "", "", predicted, known, maps)


def _heat_map(key: str, row: dict[str, Any], names: Sequence[str]) -> HeatMap:
    method = METHODS.get(row["method"]) or imported_method(row["method"])
    params = json.loads(row["params"])
    return HeatMap(
        key=key,
        label=method.label,
        settings=settings_of(method, params),
        signed=method.signed_with(params),
        target=label_of(names, row["target"]),
        content=row["text"],
        starts=[start for start, _ in row["offsets"]],
        ends=[end for _, end in row["offsets"]],
        scores=row["scores"],
        special=list(zip(row["special_pieces"] or (), row["special_scores"] or (), strict=True)),
        completeness_error=row["completeness_error"],
        seconds=row["seconds"],
        about=about(method),
        imported=is_imported(method.name),
    )
