"""The typesetter: Typst, from a wheel. Same sources and same fonts, same bytes."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import typst


def to_pdf(document: str, sources: Mapping[str, str]) -> bytes:
    """A document in Typst's language, which reads `sources`, files by name, from beside itself."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, content in {"document.typ": document, **sources}.items():
            (root / name).write_text(content, encoding="utf-8")
        return typst.compile(root / "document.typ", root=root, font_paths=_fonts(), format="pdf", timestamp=0)


@cache
def _fonts() -> typst.Fonts:
    """Its own, and those of the machine: looked for once in a process."""
    return typst.Fonts()
