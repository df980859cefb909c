import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from materials import encodings
from materials.encodings import detect_encoding
from materials.errors import FileError

RUSSIAN = "Этот фильм был очень хорошим, и мы смотрели его дважды.\n"


def made(folder: Path, content: bytes) -> Path:
    path = folder / "a.csv"
    path.write_bytes(content)
    return path


def test_it_works(tmp_path: Path) -> None:
    assert detect_encoding(made(tmp_path, "text\nnaïve\n".encode())) == "utf-8-sig"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig"])
def test_a_byte_order_mark_is_no_character(tmp_path: Path, codec: str) -> None:
    path = made(tmp_path, "text\nx\n".encode(codec))
    assert path.read_text(detect_encoding(path)) == "text\nx\n"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_by_its_mark_alone(tmp_path: Path, codec: str) -> None:
    marked = made(tmp_path, "\ufefftext\nx\n".encode(codec))
    assert detect_encoding(marked) == "utf-16" and marked.read_text("utf-16") == "text\nx\n"
    with pytest.raises(FileError, match="without a byte order mark"):
        detect_encoding(made(tmp_path, "text\nx\n".encode(codec)))


@pytest.mark.parametrize("codec", ["utf-32-le", "utf-32-be"])
def test_utf_32_is_not_taken_for_utf_16(tmp_path: Path, codec: str) -> None:
    marked = made(tmp_path, "\ufefftext\nx\n".encode(codec))
    assert detect_encoding(marked) == "utf-32" and marked.read_text("utf-32") == "text\nx\n"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40), st.integers(1, 7))
def test_characters_may_lie_across_blocks(tmp_path: Path, text: str, block: int) -> None:
    before, encodings.BLOCK = encodings.BLOCK, block
    try:
        assert detect_encoding(made(tmp_path, b"text\n" + text.encode())) == "utf-8-sig"
    finally:
        encodings.BLOCK = before


@pytest.mark.parametrize("block", [1, 2, 3, 5, 1000])
def test_the_first_byte_that_is_not_utf_8_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(encodings, "BLOCK", block)
    assert encodings._first_fault(made(tmp_path, "été ".encode() + b"\xff end")) == 6
    assert encodings._first_fault(made(tmp_path, b"cut \xc3")) == 4
    assert encodings._first_fault(made(tmp_path, "tout va bien été".encode())) is None


def test_a_fault_far_into_the_file_is_seen(tmp_path: Path) -> None:
    plain = b"only plain letters for a long time\n" * 20_000
    with pytest.raises(FileError, match="is not UTF-8"):
        detect_encoding(made(tmp_path, plain + "naïve café\n".encode("cp1252") + plain))


def test_no_wrong_guess_is_made(tmp_path: Path) -> None:
    """Where an encoding is told, it gives back the very characters."""
    for codec in ("cp1251", "koi8-r", "cp1252", "cp1250", "cp932", "gb18030", "big5", "cp949", "mac_roman"):
        text = ("text,label\n" + RUSSIAN * 3).encode(codec, "ignore").decode(codec)
        path = made(tmp_path, text.encode(codec))
        try:
            found = detect_encoding(path)
        except FileError as error:
            assert "say which encoding it is in" in str(error)
        else:
            with path.open(encoding=found, newline="") as file:
                assert list(csv.reader(file)) == list(csv.reader(text.splitlines()))
