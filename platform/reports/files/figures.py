"""Every figure as SVG, PDF and PNG, in black on white."""

from collections.abc import Iterator

import vl_convert

from reports.files.kind import File, FileKind, Parcel, text_file
from reports.files.typesetting import to_pdf

INK, PAPER = "#1c1f24", "#ffffff"
# Pixels of the picture for one of the drawing: sharp in print at the width of a page.
SCALE = 2
ON_ITS_OWN = '#set document(date: none)\n#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")'


def make(parcel: Parcel) -> Iterator[File]:
    for figure in parcel.figures:
        svg = black_on_white(figure.svg)
        yield text_file(f"figures/{figure.name}.svg", svg)
        if figure.narrow:
            continue
        yield File(f"figures/{figure.name}.pdf", to_pdf(ON_ITS_OWN, {"figure.svg": svg}))
        yield File(f"figures/{figure.name}.png", vl_convert.svg_to_png(on_paper(svg), scale=SCALE))


def black_on_white(svg: str) -> str:
    """A figure on its own has no page whose ink it could take."""
    inked = svg.replace("currentColor", INK)
    return inked.replace("<svg ", f'<svg style="color:{INK};background:{PAPER}" ', 1)


def on_paper(svg: str) -> str:
    """Pictures know no background style, so the paper is drawn."""
    at = svg.index(">", svg.index("<svg ")) + 1
    return f'{svg[:at]}<rect width="100%" height="100%" fill="{PAPER}"/>{svg[at:]}'


FIGURES = FileKind(
    "figures",
    "Figures",
    ("figures/*.svg", "figures/*.pdf", "figures/*.png"),
    "Every figure as SVG and PDF, which scale, and as PNG; black on white. Names ending in _narrow suit a phone.",
    make,
)
