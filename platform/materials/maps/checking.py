"""Whether a row of a file can become an explanation, and if not, why: pure, row by row."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from catalogue.imported import PREFIX
from catalogue.methods import METHODS
from language.words import rule, segment
from materials.agreeing import same_label
from materials.characters import UNSTORABLE
from materials.checking import EXCERPT, CellError
from materials.maps.aligning import AlignmentError, Span, align
from materials.maps.merging import Merged, Scored, merge
from materials.maps.reading import WHERE, Row

LONGEST_TITLE = 45
LONGEST_SOURCE = 200
LONGEST_PARAMS = 1000
LARGEST_SEED = 2**63


@dataclass(frozen=True)
class Known:
    """What the database knows of a row's text: `predicted` is the classifier's label, empty where there is none."""

    text_id: int
    content: str
    language: str
    predicted: str


@dataclass(frozen=True)
class Explained:
    """The classifier that a row's scores explain."""

    pk: int
    name: str
    labels: Sequence[str]


@dataclass(frozen=True)
class Asked:
    """What was said of all rows. `method` replaces the rows' own; `source` fills in where a row has none.

    `rest_zero`: words that a row does not mention have the score 0, not none.
    """

    method: str = ""
    source: str = ""
    unsigned: bool = False
    rest_zero: bool = False


class Checked(NamedTuple):
    """A row, ready to be staged: with a `problem` it is rejected."""

    line: int
    excerpt: str = ""
    column: str = ""
    problem: str = ""
    text_id: int | None = None
    classifier_id: int | None = None
    title: str = ""
    params: dict[str, Any] = {}
    source: str = ""
    signed: bool = True
    target: int = 0
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    scores: Sequence[float | None] = ()
    special: Sequence[Sequence[Any]] = ()
    details: dict[str, Any] = {}


class MapError(CellError):
    """What is wrong with one value of a row."""

    def __init__(self, column: str, problem: str) -> None:
        self.column = column
        super().__init__(problem)


def check(row: Row, known: Known, classifier: Explained, asked: Asked) -> Checked:
    """The row as it will be stored, or as it will be rejected."""
    try:
        return _checked(row, known, classifier, asked)
    except MapError as error:
        return rejected(row, error, known.content)


def rejected(row: Row, error: MapError, content: str = "") -> Checked:
    return Checked(row.line, content[:EXCERPT], error.column, UNSTORABLE.sub("\ufffd", str(error)))


def _checked(row: Row, known: Known, classifier: Explained, asked: Asked) -> Checked:
    values = row.values
    title = _title(asked.method or values.get("method", ""))
    target = _target(values.get("target"), known, classifier)
    params = _object("params", values, LONGEST_PARAMS)
    signed = _signed(values, title, params, asked)
    words = segment(known.content, known.language)
    merged = merge(_scored(values, known.content), words, known.content)
    _check_merged(merged, asked)
    return Checked(
        line=row.line,
        excerpt=known.content[:EXCERPT],
        text_id=known.text_id,
        classifier_id=classifier.pk,
        title=title,
        params=params,
        source=_short("source", values.get("source") or asked.source, LONGEST_SOURCE),
        signed=signed,
        target=target,
        starts=[word.start for word in words],
        ends=[word.end for word in words],
        scores=merged.rest_zero() if asked.rest_zero else merged.scores,
        special=_special(values, merged),
        details=_details(values, known, asked),
    )


def _title(value: Any) -> str:
    """As the file calls the method; what was exported from here as imported has that prefix already."""
    title = _short("method", value, LONGEST_TITLE).removeprefix(PREFIX).strip()
    if not title:
        raise MapError("method", "is empty")
    if not title.isprintable():
        raise MapError("method", f"is {title!r}; expected printable characters")
    return title


def _short(column: str, value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise MapError(column, f"is {_shown(value)}; expected a text")
    text = _storable(column, " ".join(value.split()))
    if len(text) > most:
        raise MapError(column, f"has {len(text)} characters; the most is {most}")
    return text


def _storable(column: str, text: str) -> str:
    if fault := UNSTORABLE.search(text):
        raise MapError(column, f"holds the character U+{ord(fault[0]):04X}, which cannot be stored")
    return text


def _target(value: Any, known: Known, classifier: Explained) -> int:
    """A label's number by its number or its name; the predicted label's where nothing is said."""
    names = classifier.labels
    if value is None:
        if known.predicted not in names:
            raise MapError(
                "target",
                f"is missing, and {classifier.name} has not predicted this text yet: evaluate it first, or give the "
                "target",
            )
        return list(names).index(known.predicted)
    if isinstance(value, str):
        same = [at for at, name in enumerate(names) if name == value] or [
            at for at, name in enumerate(names) if same_label(name, value)
        ]
        if same:
            return same[0]
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(names):
        known_as = ", ".join(f"{at} ({name})" for at, name in enumerate(names))
        raise MapError("target", f"is {_shown(value)}, no label of {classifier.name}; its labels are {known_as}")
    return value


def _signed(values: Mapping[str, Any], title: str, params: Mapping[str, Any], asked: Asked) -> bool:
    """As the row says; else as was said of all; else as the catalogue knows the method of that name."""
    own = values.get("signed")
    if own is not None:
        if not isinstance(own, bool):
            raise MapError("signed", f"is {_shown(own)}; expected true or false")
        return own
    if asked.unsigned:
        return False
    return METHODS[title].signed_with(params) if title in METHODS else True


def _scored(values: Mapping[str, Any], content: str) -> list[Scored]:
    """Each piece with its characters and its score."""
    scores = _scores(values.get("scores"))
    column, given = _where(values, len(scores))
    names = _names(values, len(scores))
    if column == "offsets":
        spans = _offsets(given, names, content)
        _check_words(values.get("words"), spans, content)
    else:
        spans = _aligned(column, names, content)
    if not names:
        names = [content[slice(*span)] if span else "" for span in spans]
    return [Scored(*one) for one in zip(names, spans, scores, strict=True)]


def _where(values: Mapping[str, Any], length: int) -> tuple[str, list[Any]]:
    """The column that says where so many scores stand, the surest first."""
    lists = {name: values[name] for name in WHERE if isinstance(values.get(name), list)}
    if not lists:
        raise MapError("scores", "stand nowhere: give a list of offsets, words or tokens with them")
    for column, given in lists.items():
        if len(given) == length:
            return column, given
    column, given = next(iter(lists.items()))
    raise MapError(column, f"has {len(given)} entries, but scores has {length}: give one score each")


def _check_words(words: Any, spans: Sequence[Span | None], content: str) -> None:
    """Offsets in bytes or UTF-16 are caught by the words that were given with them."""
    if not isinstance(words, list) or len(words) != len(spans):
        return
    for at, (word, span) in enumerate(zip(words, spans, strict=True), start=1):
        if span and word != content[slice(*span)]:
            raise MapError(
                "offsets",
                f"disagree with words: number {at} is {_shown(word)}, but [{span[0]}, {span[1]}] is "
                f"{_shown(content[slice(*span)])}; offsets count characters (Unicode code points), end excluded",
            )


def _scores(value: Any) -> list[float | None]:
    if not isinstance(value, list):
        raise MapError("scores", f"is {_shown(value)}; expected a list of numbers")
    if not value:
        raise MapError("scores", "is an empty list")
    return [_number("scores", score, at) for at, score in enumerate(value, start=1)]


def _number(column: str, value: Any, at: int = 0) -> float | None:
    """A finite number, or None for null."""
    where = f"holds {_shown(value)} at {at}" if at else f"is {_shown(value)}"
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MapError(column, f"{where}; expected a number, or null where the model saw nothing")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise MapError(column, f"{where}; expected a finite number: compute the map anew, or leave the row out")
    return number


def _names(values: Mapping[str, Any], length: int) -> list[str]:
    """The tokens or words that belong to the scores; empty where there are none of that length."""
    for column in ("tokens", "words"):
        given = values.get(column)
        if isinstance(given, list) and len(given) == length:
            if strange := [name for name in given if not isinstance(name, str)]:
                raise MapError(column, f"holds {_shown(strange[0])}; expected texts")
            return [_storable(column, name) for name in given]
    return []


def _offsets(given: Sequence[Any], names: Sequence[str], content: str) -> list[Span | None]:
    spans: list[Span | None] = []
    done = 0
    for pair in given:
        start, end = _pair(pair, content)
        if start == end and not names:
            raise MapError("offsets", f"holds the empty [{start}, {end}]: give tokens with them, or leave it out")
        if start < end:
            if start < done and not (names and _again(start, spans[-1])):
                raise MapError("offsets", f"overlap or go back at [{start}, {end}]: give them in order, end excluded")
            done = end
        spans.append((start, end) if start < end else None)
    return spans


def _again(start: int, before: Span | None) -> bool:
    """Several tokens may begin at one character: the bytes of an emoji, or a mark put before the text."""
    return before == (start, start + 1)


def _pair(pair: Any, content: str) -> Span:
    if not isinstance(pair, list) or len(pair) != 2 or any(type(place) is not int for place in pair):
        raise MapError("offsets", f"holds {_shown(pair)}; expected [start, end] in characters of the text")
    start, end = pair
    if not 0 <= start <= end <= len(content):
        raise MapError("offsets", f"holds [{start}, {end}], but the text has the characters 0 to {len(content)}")
    return start, end


def _aligned(column: str, names: Sequence[str], content: str) -> list[Span | None]:
    try:
        return align(names, content)
    except AlignmentError as error:
        raise MapError(column, str(error)) from error


def _check_merged(merged: Merged, asked: Asked) -> None:
    scores = [score for score in merged.scores if score is not None]
    if not scores:
        raise MapError("scores", "stand on no word of the text")
    if not all(map(math.isfinite, scores)):
        raise MapError("scores", "of one word add up to infinity")
    if asked.unsigned and min(scores) < 0:
        raise MapError("scores", f"hold {min(scores)}, but were said to be unsigned: leave that out")


def _special(values: Mapping[str, Any], merged: Merged) -> list[list[Any]]:
    """What the row lists as special, and then the pieces that stand on no word."""
    listed = values.get("special")
    if listed is None:
        pieces, scores = values.get("special_pieces") or [], values.get("special_scores") or []
        listed = [list(pair) for pair in zip(pieces, scores, strict=False)]
    if not isinstance(listed, list):
        raise MapError("special", f"is {_shown(listed)}; expected [[token, score], ...]")
    for pair in listed:
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise MapError("special", f"holds {_shown(pair)}; expected [token, score]")
        _storable("special", pair[0])
    return [[name, _number("special", score)] for name, score in [*listed, *merged.special]]


def _details(values: Mapping[str, Any], known: Known, asked: Asked) -> dict[str, Any]:
    """What else `Explanation` keeps of how a map was made, and by which rule it was put on words here."""
    seconds = _number("seconds", values.get("seconds"))
    if seconds is not None and seconds < 0:
        raise MapError("seconds", f"is {seconds:g}; expected zero or more")
    seed = values.get("seed")
    if seed is not None and (type(seed) is not int or abs(seed) >= LARGEST_SEED):
        raise MapError("seed", f"is {_shown(seed)}; expected a whole number of 64 bits")
    return {
        "completeness_error": _number("completeness_error", values.get("completeness_error")),
        "seconds": seconds or 0.0,
        "seed": seed,
        "versions": _object("versions", values, 10 * LONGEST_PARAMS)
        | {"words": rule(known.content, known.language), "language": known.language}
        | ({"rest": "zero"} if asked.rest_zero else {}),
    }


def _object(column: str, values: Mapping[str, Any], most: int) -> dict[str, Any]:
    """A JSON object, or the text of one, as Parquet has it."""
    value = values.get(column, {})
    if isinstance(value, str):
        try:
            value = json.loads(value or "{}")
        except (ValueError, RecursionError):
            raise MapError(column, f"is {_shown(value)}; expected a JSON object") from None
    if not isinstance(value, dict):
        raise MapError(column, f'is {_shown(value)}; expected an object such as {{"samples": 50}}')
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError):
        raise MapError(column, "holds what JSON has not, such as a number that is not finite") from None
    if len(text) > most:
        raise MapError(column, f"has {len(text):,} characters; the most is {most:,}")
    for part in _texts(value):
        _storable(column, part)
    return value


def _texts(value: Any) -> Iterator[str]:
    """All texts and names within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _texts(part)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, list | dict) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:60] + "…"
