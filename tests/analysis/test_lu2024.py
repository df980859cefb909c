import csv
import io
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


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_it_may_be_as_spreadsheets_save_unicode_text(tmp_path: Path, encoding: str) -> None:
    plain = write(tmp_path, OPENING, "é\t1\tLIME\t5\t1\n")
    other = tmp_path / "other.txt"
    other.write_bytes(plain.read_text(encoding="utf-8").encode(encoding))
    assert read_lu2024(other).cells.equals(read_lu2024(plain).cells)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(HEADER.encode() + "é".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8"):
        read_lu2024(path)


def test_other_methods_labels_and_ks_are_read_under_their_own_names(tmp_path: Path) -> None:
    rows = [
        f"t\t{label}\tN/A\tAll\tN/A\nw\t{label}\tGrad-CAM v2\t3\t1\nw\t{label}\tRandom\t7\t0\n" for label in range(4)
    ]
    study = read_lu2024(write(tmp_path, *rows))
    assert study.methods == ["grad_cam_v2", "random"]
    assert study.source_names == {"grad_cam_v2": "Grad-CAM v2", "random": "Random"}
    assert study.notices == (
        ("unknown_methods", "Methods that are not known here keep the file's names: Grad-CAM v2."),
    )
    assert study.cells["text"].nunique() == 4


def test_names_of_methods_may_be_written_otherwise(tmp_path: Path) -> None:
    study = read_lu2024(write(tmp_path, OPENING, "a\t1\tIntegrated Gradient\t5\t1\n", "a\t1\tdeep_lift\t5\t1\n"))
    assert study.methods == ["deeplift", "integrated_gradients"]


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_copy_that_a_program_has_written_anew_is_the_same_study(tmp_path: Path, separator: str, quoting: int) -> None:
    rows = [
        ['a "quoted", long;\ttext', 2, "N/A", "All", "N/A"],
        ["two\nlines", 2, "LIME", 5, 1],
        ['"lone', 2, "Random", 5, 0],
    ]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, quoting=quoting).writerows([HEADER.split(), *rows])  # type: ignore[arg-type]
    path = tmp_path / "again.csv"
    path.write_text("\ufeff" + out.getvalue(), encoding="utf-8")
    plain = read_lu2024(write(tmp_path, 'x\t2\tN/A\tAll\tN/A\n"x\t2\tLIME\t5\t1\nx\t2\tRandom\t5\t0\n'))
    assert read_lu2024(path).data_hash == plain.data_hash


def test_gaps_and_rows_that_stand_twice_are_told(tmp_path: Path) -> None:
    rows = ["a\t1\tLIME\t5\t1\n", "a\t1\tLIME\t5\t1\n", "a\t1\tLIME\t9\tN/A\n"]
    study = read_lu2024(write(tmp_path, OPENING, *rows))
    assert len(study.cells) == 1
    assert [told for _, told in study.notices] == [
        "Cells without a verdict are left out (line 5).",
        "Verdicts that stand in the file twice count once (line 4).",
    ]
