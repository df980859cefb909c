"""The released verdicts of Lu et al. 2024 (arXiv 2405.10767): a majority verdict per (text, method, k).

Tab separated, never quoted (texts hold lone quotation marks). Blocks of one "All" row, which opens a text, and one
row per method and k. Columns Text, Label, Saliency, Words, Correct.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pandas as pd

from analysis.presets.reading import InputError, read_text
from analysis.study import CELL_COLUMNS, TOPK_GUESS, Study

COLUMNS = ["Text", "Label", "Saliency", "Words", "Correct"]
WHOLE_TEXT = "All"
OUR_NAMES = {
    "All_Attention": "attention_all",
    "Last_Attention": "attention_last",
    "Vanilla_Gradient": "gradient",
    "InputXGrad": "input_x_gradient",
    "Integrated_Gradient": "integrated_gradients",
    "DeepLIFT": "deeplift",
    "LIME": "lime",
    "Random": "random",
}

Cell = tuple[str, str, int, int]


def read_lu2024(path: Path) -> Study:
    """The file as a study of verdicts. Raises InputError with line and column where the file is not as described."""
    content = read_text(path)
    cells = pd.DataFrame(_cells(path, content.split("\n")), columns=CELL_COLUMNS[:4])
    if cells.empty:
        raise InputError(path, f"holds no verdicts, only {WHOLE_TEXT} rows or nothing.")
    cells["n"] = pd.array([pd.NA] * len(cells), dtype="Int64")
    names = {ours: theirs for theirs, ours in OUR_NAMES.items() if ours in set(cells["method"])}
    file_hash = sha256(content.encode()).hexdigest()
    meta = {"source": path.name, "preset": "lu2024", "hashes": {"file": file_hash}}
    return Study(TOPK_GUESS, cells, source_names=names, meta=meta)


def _cells(path: Path, lines: list[str]) -> Iterator[Cell]:
    """Cells in file order. A text is named by its place in the file, as two texts may begin alike."""
    if lines[0].rstrip("\r").split("\t") != COLUMNS:
        raise InputError(path, f"expected the tab separated columns {', '.join(COLUMNS)}.", line=1)
    seen: set[tuple[str, int]] = set()
    texts = 0
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) != len(COLUMNS):
            raise InputError(path, f"expected {len(COLUMNS)} fields, found {len(fields)}.", line=number)
        if fields[3] == WHOLE_TEXT:
            texts, seen = texts + 1, set()
            continue
        method, k, recognised = _verdict(path, number, fields)
        if texts == 0:
            raise InputError(path, f"a verdict before the first {WHOLE_TEXT} row.", line=number, column="Words")
        if (method, k) in seen:
            raise InputError(path, f"a second verdict for {fields[2]} at {k} words.", line=number, column="Words")
        seen.add((method, k))
        yield f"{texts:05d}", method, k, recognised


def _verdict(path: Path, number: int, fields: list[str]) -> tuple[str, int, int]:
    _, _, saliency, words, correct = fields
    if saliency not in OUR_NAMES:
        known = ", ".join(OUR_NAMES)
        raise InputError(path, f"unknown method {saliency!r}; expected {known}.", line=number, column="Saliency")
    if not words.isdecimal() or int(words) == 0:
        raise InputError(path, f"expected a number of words, found {words!r}.", line=number, column="Words")
    if correct not in ("0", "1"):
        raise InputError(path, f"expected 0 or 1, found {correct!r}.", line=number, column="Correct")
    return OUR_NAMES[saliency], int(words), int(correct)
