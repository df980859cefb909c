"""The released verdicts of Lu et al. 2024 (arXiv 2405.10767): a majority verdict per (text, method, k).

Blocks of one "All" row, which opens a text, and one row per method and k. Columns Text, Label, Saliency, Words,
Correct. As released, tab separated and never quoted (texts hold lone quotation marks); a copy that a spreadsheet or a
program has written anew, with commas or quoted cells, is read as well. Any labels, methods and numbers of words.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pandas as pd

from analysis.presets.reading import InputError, read_text
from analysis.presets.tables import MISSING, told_lines
from analysis.study import CELL_COLUMNS, TEXT_COLUMNS, TOPK_GUESS, Study
from catalogue.methods import METHODS

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
VERDICTS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
SEPARATORS = ("\t", ",", ";")

Cell = tuple[str, str, int, int]
Fields = dict[str, str]


def read_lu2024(path: Path) -> Study:
    """The file as a study of verdicts. Raises InputError with line and column where the file is not as described."""
    content = read_text(path)
    blocks = _Blocks(path)
    cells = pd.DataFrame(blocks.cells(_rows(path, content)), columns=CELL_COLUMNS[:4])
    if cells.empty:
        raise InputError(path, f"holds no verdicts, only {WHOLE_TEXT} rows or nothing.")
    cells["n"] = pd.array([pd.NA] * len(cells), dtype="Int64")
    meta = {"source": path.name, "preset": "lu2024", "hashes": {"file": sha256(content.encode()).hexdigest()}}
    texts = pd.DataFrame(blocks.texts, columns=TEXT_COLUMNS)
    told = (*_tell_unknown(blocks.names), *blocks.told)
    return Study(TOPK_GUESS, cells, source_names=blocks.names, meta=meta, texts=texts, notices=told)


def our_name(theirs: str) -> str:
    """Our name of a method, however it is written; of one that is not known here, its own as a slug."""
    return _KNOWN.get(_squashed(theirs)) or re.sub(r"[\W_]+", "_", theirs).strip("_").lower()


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


_KNOWN = {
    **{_squashed(method.label): name for name, method in METHODS.items()},
    **{_squashed(name): name for name in METHODS},
    **{_squashed(theirs): ours for theirs, ours in OUR_NAMES.items()},
}


def _tell_unknown(names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    unknown = [theirs for ours, theirs in names.items() if ours not in METHODS]
    told = f"Methods that are not known here keep the file's names: {', '.join(unknown)}."
    return (("unknown_methods", told),) if unknown else ()


@dataclass
class _Blocks:
    """Cells in file order. A text is named by its place in the file, as two texts may begin alike."""

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    texts: list[tuple[str, str, str]] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)

    @property
    def told(self) -> Iterator[tuple[str, str]]:
        if self.gaps:
            yield "missing_verdicts", f"Cells without a verdict are left out ({told_lines(self.gaps)})."
        if self.again:
            yield "repeated_verdicts", f"Verdicts that stand in the file twice count once ({told_lines(self.again)})."

    def cells(self, rows: Iterator[tuple[int, Fields]]) -> Iterator[Cell]:
        seen: dict[tuple[str, int], int] = {}
        for number, fields in rows:
            if fields["Words"].lower() == WHOLE_TEXT.lower():
                seen = {}
                self.texts.append((f"{len(self.texts) + 1:05d}", fields["Text"], ""))
                continue
            if not self.texts:
                raise self._wrong(f"a verdict before the first {WHOLE_TEXT} row.", number, "Words")
            if fields["Correct"] in MISSING:
                self.gaps.append(number)
                continue
            method, k, recognised = self._verdict(number, fields)
            if (method, k) not in seen:
                seen[method, k] = recognised
                yield self.texts[-1][0], method, k, recognised
            elif seen[method, k] == recognised:
                self.again.append(number)
            else:
                problem = f"a second verdict for {fields['Saliency']} at {k} words, which is another."
                raise self._wrong(f"{problem} Is an {WHOLE_TEXT} row missing before it?", number, "Words")

    def _verdict(self, number: int, fields: Fields) -> tuple[str, int, int]:
        name, words, correct = fields["Saliency"], fields["Words"].removesuffix(".0"), fields["Correct"]
        method = our_name(name)
        if not method:
            raise self._wrong(f"expected the name of a method, found {name!r}.", number, "Saliency")
        if self.names.setdefault(method, name) != name:
            both = f"{self.names[method]!r} and {name!r} are one method here"
            raise self._wrong(f"{both} ({method}); call them by one name.", number, "Saliency")
        if not words.isdecimal() or int(words) == 0:
            raise self._wrong(f"expected a number of words, found {words!r}.", number, "Words")
        if correct.lower() not in VERDICTS:
            raise self._wrong(f"expected 0 or 1, found {correct!r}.", number, "Correct")
        return method, int(words), VERDICTS[correct.lower()]

    def _wrong(self, problem: str, line: int, column: str) -> InputError:
        return InputError(self.path, problem, line=line, column=column)


def _rows(path: Path, content: str) -> Iterator[tuple[int, Fields]]:
    """Each row with the line that it begins on; by the rules of quotation marks where the file is not even without."""
    first = next((line for line in content.splitlines() if line.strip()), "")
    separator = max(SEPARATORS, key=lambda one: first.count(one))
    rows = _plain(content, separator)
    header = [_bare(name) for name in rows[0][1]] if rows else []
    if any(len(cells) != len(header) for _, cells in rows):
        rows = _quoted(content, separator) or rows
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        problem = f"expected the tab separated columns {', '.join(COLUMNS)}; lacks {', '.join(missing)}."
        raise InputError(path, problem, line=1)
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            raise InputError(path, f"expected {len(header)} fields, found {len(cells)}.", line=number)
        yield number, dict(zip(header, map(_bare, cells), strict=True))


def _plain(content: str, separator: str) -> list[tuple[int, list[str]]]:
    lines = enumerate(content.split("\n"), start=1)
    return [(number, line.rstrip("\r").split(separator)) for number, line in lines if line.strip()]


def _quoted(content: str, separator: str) -> list[tuple[int, list[str]]]:
    """Empty where quotation marks do not pair, or rows are no more even with them than without."""
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=separator, strict=True)
    rows, begins = [], 1
    try:
        for cells in reader:
            if cells:
                rows.append((begins, cells))
            begins = reader.line_num + 1
    except csv.Error:
        return []
    return rows if len({len(cells) for _, cells in rows}) == 1 else []


def _bare(cell: str) -> str:
    """Without blanks around it, and without the marks that quote all of it."""
    stripped = cell.strip()
    return stripped[1:-1] if len(stripped) > 1 and stripped[0] == stripped[-1] == '"' else stripped
