"""Which encoding a text file is in: told only when it is certain, since a wrong guess garbles texts silently."""

import codecs
from pathlib import Path

from charset_normalizer import from_bytes

from materials.errors import FileError

SAMPLE = 2**18
BLOCK = 2**20
REMEDY = "save it as UTF-8 (in Excel: 'CSV UTF-8'), or say which encoding it is in"
# Rival readings count as ruled out where their measured mess is worse by this much.
CLEAR = 0.1


def detect_encoding(path: Path) -> str:
    """A Python codec that decodes the whole file. FileError where several would, with different characters."""
    with path.open("rb") as file:
        start = file.read(SAMPLE)
        if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # The first begins like UTF-16's.
            return "utf-32"
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if start.count(0) > len(start) / 10:
            raise FileError(path, f"is binary, or UTF-16 without a byte order mark: {REMEDY}")
        fault = _first_fault(path)
        if fault is None:
            return "utf-8-sig"
        file.seek(max(0, fault - SAMPLE // 2))
        return _certain(path, _whole_lines(file.read(SAMPLE)))


def _first_fault(path: Path) -> int | None:
    """Offset of the first byte that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    with path.open("rb") as file:
        while True:
            block = file.read(BLOCK)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return offset - pending + error.start
            if not block:
                return None
            offset += len(block)


def _whole_lines(sample: bytes) -> bytes:
    """Without the line that the end of the sample cuts, perhaps in the middle of a character."""
    return sample[: sample.rfind(b"\n") + 1] or sample


def _certain(path: Path, sample: bytes) -> str:
    matches = list(from_bytes(sample))
    if not matches:
        raise FileError(path, f"is not UTF-8 and no other text encoding fits: {REMEDY}")
    best = matches[0]
    rivals = [match for match in matches[1:] if match.chaos <= best.chaos + CLEAR and str(match) != str(best)]
    if rivals:
        names = ", ".join(match.encoding for match in [best, *rivals][:4])
        raise FileError(path, f"is not UTF-8, and could be any of {names}: {REMEDY}")
    return best.encoding
