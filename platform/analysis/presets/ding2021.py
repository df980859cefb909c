"""The format that Ding and Koehn 2021 (arXiv 2104.05824) released: prefixes with cues and attractors, and models' maps.

A folder. Of a set:
- `<set>.prefx.txt`: a prefix a line, words by spaces;
- `<set>.subjs.txt`: `[(s, e), ...] ||| [(s, e), ...]`, cues, then attractors; word numbers from 0, ends included;
- if it is there, `<set>.tag.txt`: the expected class, 0 or 1;
- if it is there, `<set>.groups.txt`: the lines made from one template, numbers from 0, the reference first.
Of each model:
- `<set>-<model>.verum` and `.malum`: a list of scores a line, the saliency for the expected and for the other class;
- `<set>-<model>.pos.idx`: the lines on which the model prefers the expected class, numbers from 0.
"""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np

from analysis.arrays import FloatArray
from analysis.plausibility.cues import CueStudy, ModelSaliency, Prefix, Spans
from analysis.presets.reading import ChoiceError, InputError, read_text

PREFIXES, SPANS, TAGS, GROUPS = ".prefx.txt", ".subjs.txt", ".tag.txt", ".groups.txt"
VERUM, MALUM, POSITIVE = ".verum", ".malum", ".pos.idx"
_SPAN = r"\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)"
_SPAN_LIST = re.compile(rf"\s*\[\s*(?:{_SPAN}\s*(?:,\s*{_SPAN}\s*)*,?)?\s*\]\s*")
_EXPECTED_SPANS = "expected [(start, end), ...] ||| [(start, end), ...]: cues, then attractors"


def read_ding2021(folder: Path, set_name: str = "") -> CueStudy:
    """One set of a folder, by its name or because it is the only one. Raises InputError with file and line.

    ChoiceError where the set that is meant is not there, or is one of several.
    """
    name = _choose(folder, set_name)
    prefixes = _prefixes(folder, name)
    lines = len(prefixes)
    _check_tags(folder / f"{name}{TAGS}", lines)
    models = [_model(folder, name, model, prefixes) for model in _models(folder, name)]
    if not models:
        raise InputError(folder, f"has no maps of the set {name!r}; expected {name}-<model>{VERUM}.")
    groups_file = folder / f"{name}{GROUPS}"
    groups = _groups(groups_file, lines) if groups_file.exists() else None
    meta = {"source": name, "preset": "ding2021", "set": name, "n_prefixes": lines, "hashes": _hashes(folder, name)}
    return CueStudy(prefixes, models, groups, meta)


def sets_of(folder: Path) -> list[str]:
    """The names of the sets in a folder."""
    if not folder.is_dir():
        raise InputError(folder, "is no folder; give the folder that holds <set>.prefx.txt and its companions.")
    return sorted(file.removesuffix(PREFIXES) for file in _files(folder) if file.endswith(PREFIXES))


def _files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def _choose(folder: Path, name: str) -> str:
    found = sets_of(folder)
    if not found:
        raise InputError(folder, f"holds no set; expected <set>{PREFIXES} and its companions.")
    if name and name not in found:
        raise ChoiceError(folder, f"holds no set {name!r}; there is {', '.join(found)}.")
    if not name and len(found) > 1:
        raise ChoiceError(folder, f"holds {len(found)} sets; say which: --set {' or --set '.join(found)}.")
    return name or found[0]


def _models(folder: Path, name: str) -> list[str]:
    """The models with maps of the set. A file of the set `a-b` is not taken for one of `a` by a model `b-...`."""
    longer = [f"{other}-" for other in sets_of(folder) if other.startswith(f"{name}-")]
    stems = {Path(file).stem for file in _files(folder) if file.endswith((VERUM, MALUM))}
    own = [stem for stem in stems if stem.startswith(f"{name}-") and not stem.startswith(tuple(longer))]
    return sorted(stem.removeprefix(f"{name}-") for stem in own)


def _prefixes(folder: Path, name: str) -> list[Prefix]:
    words = [tuple(line.split()) for line in _lines(folder / f"{name}{PREFIXES}")]
    path = folder / f"{name}{SPANS}"
    spans = _lines(path, len(words))
    return [
        Prefix(own, *_spans(path, number, line, len(own)))
        for number, (own, line) in enumerate(zip(words, spans, strict=True), start=1)
    ]


def _spans(path: Path, number: int, line: str, n_words: int) -> tuple[Spans, Spans]:
    parts = line.split("|||")
    if len(parts) != 2 or not all(_SPAN_LIST.fullmatch(part) for part in parts):
        raise InputError(path, f"{_EXPECTED_SPANS}, found {_excerpt(line)}.", line=number)
    cues, attractors = (tuple((int(start), int(end)) for start, end in re.findall(_SPAN, part)) for part in parts)
    for start, end in (*cues, *attractors):
        if not start <= end < n_words:
            problem = f"the span ({start}, {end}) is not within the prefix, which has the words 0 to {n_words - 1}."
            raise InputError(path, problem, line=number)
    return cues, attractors


def _check_tags(path: Path, lines: int) -> None:
    if not path.exists():
        return
    for number, line in enumerate(_lines(path, lines), start=1):
        if line.strip() not in ("0", "1"):
            raise InputError(path, f"expected the class 0 or 1, found {_excerpt(line)}.", line=number)


def _model(folder: Path, name: str, model: str, prefixes: list[Prefix]) -> ModelSaliency:
    stem = f"{name}-{model}"
    verum, malum = (list(_maps(folder / f"{stem}{suffix}", prefixes)) for suffix in (VERUM, MALUM))
    positive = folder / f"{stem}{POSITIVE}"
    numbers = {
        line
        for number, text in enumerate(_lines(positive), start=1)
        for line in _line_numbers(positive, number, text, len(prefixes))
    }
    return ModelSaliency(model, verum, malum, [line in numbers for line in range(len(prefixes))])


def _maps(path: Path, prefixes: list[Prefix]) -> Iterator[FloatArray]:
    for number, (line, prefix) in enumerate(zip(_lines(path, len(prefixes)), prefixes, strict=True), start=1):
        scores = _scores(path, number, line)
        reach = max((end for _, end in (*prefix.cues, *prefix.attractors)), default=-1)
        if reach >= len(scores):
            problem = f"has {len(scores)} scores, but the line's spans reach to word {reach}, counted from 0."
            raise InputError(path, problem, line=number)
        yield scores


def _scores(path: Path, number: int, line: str) -> FloatArray:
    try:
        values = json.loads(re.sub(r"\b(nan|inf)\b", "NaN", line), parse_int=float)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, list) or not all(isinstance(value, float) for value in values):
        raise InputError(path, f"expected a list of numbers, [0.1, -0.2, ...], found {_excerpt(line)}.", line=number)
    scores = np.array(values, dtype=np.float64)
    if not np.isfinite(scores).all():
        at = int(np.isfinite(scores).argmin())
        raise InputError(path, f"the score of word {at}, counted from 0, is not a finite number.", line=number)
    return scores


def _groups(path: Path, lines: int) -> list[list[int]]:
    groups = []
    for number, text in enumerate(_lines(path), start=1):
        group = list(_line_numbers(path, number, text, lines))
        if len(set(group)) < len(group):
            raise InputError(path, "names a line twice; a group is made of different lines.", line=number)
        groups.append(group)
    return groups


def _line_numbers(path: Path, number: int, text: str, lines: int) -> Iterator[int]:
    for word in text.split():
        if not (word.isascii() and word.isdecimal()) or int(word[:10]) >= lines:
            problem = f"expected line numbers from 0 to {lines - 1}, found {_excerpt(word)}."
            raise InputError(path, problem, line=number)
        yield int(word)


def _lines(path: Path, expected: int | None = None) -> list[str]:
    """The lines without their ends. InputError where there are more or fewer than expected."""
    lines = [line.rstrip("\r") for line in read_text(path).split("\n")]
    if lines[-1] == "":
        lines.pop()
    if expected is None and path.name.endswith(PREFIXES) and not lines:
        raise InputError(path, "is empty; expected a prefix a line.")
    if expected is not None and len(lines) != expected:
        raise InputError(path, f"has {len(lines)} lines, but the set has {expected} prefixes, one a line.")
    return lines


def _hashes(folder: Path, name: str) -> dict[str, str]:
    """SHA-256 of every file that was read."""
    read = [f"{name}{suffix}" for suffix in (PREFIXES, SPANS, TAGS, GROUPS)]
    read += [f"{name}-{model}{suffix}" for model in _models(folder, name) for suffix in (VERUM, MALUM, POSITIVE)]
    present = [folder / file for file in read if (folder / file).exists()]
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in present}


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
