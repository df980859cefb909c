from pathlib import Path

import pytest

from analysis.presets.lu2024 import read_lu2024
from analysis.presets.reading import InputError
from tests.analysis.published import published

HEADER = "Text\tLabel\tSaliency\tWords\tCorrect\n"
OPENING = 'a "lone quote\t1\tN/A\tAll\tN/A\n'


def write(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "verdicts.csv"
    path.write_text(header + "".join(rows), encoding="utf-8")
    return path


def test_it_works(tmp_path: Path) -> None:
    path = write(
        tmp_path, OPENING, "a\t1\tLIME\t5\t1\n", "a\t1\tVanilla_Gradient\t10\t0\n", OPENING, "a\t1\tLIME\t5\t0\n"
    )
    study = read_lu2024(path)
    assert study.cells[["text", "method", "k", "recognised"]].values.tolist() == [
        ["00001", "lime", 5, 1],
        ["00001", "gradient", 10, 0],
        ["00002", "lime", 5, 0],
    ]
    assert study.source_names == {"gradient": "Vanilla_Gradient", "lime": "LIME"}
    assert study.judgments is None


def test_it_reads_the_released_file() -> None:
    study = read_lu2024(published("lu2024/IMDB.csv"))
    assert len(study.cells) == 4000
    assert study.cells["text"].nunique() == 100


def test_windows_line_ends_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "bom.csv"
    text = (HEADER + OPENING + "a\t1\tLIME\t5\t1\n").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_lu2024(path).cells["recognised"].tolist() == [1]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a\t1\t\t5\t1\n", "line 3, column Saliency: expected the name of a method, found ''"),
        ("a\t1\tLIME\t5\t1\na\t1\tlime\t9\t1\n", "line 4, column Saliency: 'LIME' and 'lime' are one method here"),
        ("a\t1\tLIME\tfive\t1\n", "line 3, column Words: expected a number of words, found 'five'"),
        ("a\t1\tLIME\t0\t1\n", "line 3, column Words: expected a number of words"),
        ("a\t1\tLIME\t5\tyes\n", "line 3, column Correct: expected 0 or 1, found 'yes'"),
        ("a\t1\tLIME\t5\n", "line 3: expected 5 fields, found 4"),
        ("a\t1\tLIME\t5\t1\na\t1\tLIME\t5\t0\n", "line 4, column Words: a second verdict for LIME at 5 words"),
    ],
)
def test_it_says_where_a_row_is_wrong(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_lu2024(write(tmp_path, OPENING, row))
    assert message in str(error.value)


def test_a_verdict_before_any_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2, column Words: a verdict before the first All row"):
        read_lu2024(write(tmp_path, "a\t1\tLIME\t5\t1\n"))


def test_other_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: expected the tab separated columns Text, Label"):
        read_lu2024(write(tmp_path, header="Text,Label\n"))


def test_a_file_without_verdicts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no verdicts"):
        read_lu2024(write(tmp_path, OPENING))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere.csv: no such file"):
        read_lu2024(tmp_path / "nowhere.csv")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        read_lu2024(tmp_path)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(HEADER.encode() + "é".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8"):
        read_lu2024(path)
