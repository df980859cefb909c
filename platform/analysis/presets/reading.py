"""What every reader of outside files shares: errors that name file, line and column."""

import json
from pathlib import Path
from typing import Any

# How files begin that are marked as such.
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class InputError(Exception):
    """A file that cannot be read as asked. The message says where, what was expected, and what to do."""

    def __init__(self, path: Path, problem: str, *, line: int | None = None, column: str | None = None) -> None:
        where = str(path)
        if line is not None:
            where += f", line {line}"
        if column is not None:
            where += f", column {column}"
        # What a library says may end with a full stop of its own.
        super().__init__(f"{where}: {problem.rstrip('.') + '.' if problem.endswith('..') else problem}")


class ChoiceError(InputError):
    """The files are as expected, but which of them is meant has to be said, or is said wrongly."""


def read_text(path: Path) -> str:
    """The file as text, to the character: line ends stay as they are. UTF-8, or UTF-16 with a byte order mark."""
    if path.is_dir():
        raise InputError(path, "is a folder; give the path of one file.")
    try:
        content = path.read_bytes()
        return content.decode("utf-16" if content[:2] in UTF_16 else "utf-8-sig")
    except FileNotFoundError:
        raise InputError(path, "no such file.") from None
    except UnicodeDecodeError as error:
        raise InputError(path, f"is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}.") from None


def read_json(text: str) -> Any:
    """ValueError in words, where it is none, and where it holds what no text has: NUL, or half a pair of surrogates."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # The latter of brackets within brackets, thousands deep.
        raise ValueError("is not JSON.") from None
    if "\\u" in text:
        try:
            written = json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("holds half of a character (a lone surrogate).") from None
        if b"\\u0000" in written:
            raise ValueError("holds a character that no text has (NUL).")
    return value
