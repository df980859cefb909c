import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.presets.escaping import escape_cell, unescape_cell
from analysis.presets.peekaword import read_peekaword
from analysis.presets.reading import InputError

ROW = {
    "campaign": "films", "design_hash": "ab", "protocol": "topk_guess", "text_id": "001", "text": "fine",
    "method": "lime", "k": "5", "worker": "w1", "answer": "pos", "expected": "pos", "score": "1.0",
    "counted": "1", "late": "0",
    "response_ms": "3100", "completeness_error": "", "metric_comprehensiveness": "0.25",
}  # fmt: skip


def write(folder: Path, *rows: dict[str, str], name: str = "films.csv") -> Path:
    path = folder / name
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def test_it_works(tmp_path: Path) -> None:
    study = read_peekaword(write(tmp_path, ROW, ROW | {"worker": "w2", "answer": "neg", "score": "0.0"}))
    assert study.judgments is not None and study.metrics is not None
    assert study.judgments[["text", "k", "worker", "label", "score"]].values.tolist() == [
        ["001", 5, "w1", "pos", 1.0],
        ["001", 5, "w2", "neg", 0.0],
    ]
    assert study.cells[["recognised", "n"]].values.tolist() == [[0, 2]]
    assert study.metrics.values.tolist() == [["001", "lime", "comprehensiveness", 0.25]]
    assert study.meta["hashes"] == {"design": "ab"}


def test_judgments_that_do_not_count_stay_out(tmp_path: Path) -> None:
    study = read_peekaword(write(tmp_path, ROW, ROW | {"worker": "w2", "counted": "0"}))
    assert study.judgments is not None and len(study.judgments) == 1
    assert study.meta["not_counted"] == 1


def test_parameters_of_methods_are_kept(tmp_path: Path) -> None:
    rows = [
        ROW | {"method": "lime", "method_params": '{"samples": 500}'},
        ROW | {"method": "random", "method_params": "{}"},
    ]
    assert read_peekaword(write(tmp_path, *rows)).meta["method_params"] == {"lime": {"samples": 500}}
    assert read_peekaword(write(tmp_path, ROW)).meta["method_params"] == {}


def test_parameters_that_are_no_json_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2.*method_params"):
        read_peekaword(write(tmp_path, ROW | {"method_params": "samples=500"}))


def test_a_large_completeness_error_is_noted(tmp_path: Path) -> None:
    study = read_peekaword(write(tmp_path, ROW | {"completeness_error": "-0.4"}))
    assert study.meta["incomplete_methods"] == {"lime": 0.4}


def test_an_explanation_counts_once_however_often_it_is_judged(tmp_path: Path) -> None:
    often = [ROW | {"worker": f"w{n}", "completeness_error": "0.9"} for n in range(3)]
    once = [ROW | {"text_id": f"other {n}", "completeness_error": "0.2"} for n in range(2)]
    study = read_peekaword(write(tmp_path, *often, *once))
    assert study.meta["incomplete_methods"] == {"lime": 0.2}


def test_simulated_judgments_are_counted(tmp_path: Path) -> None:
    rows = [ROW | {"worker": "w1", "simulated": "1"}, ROW | {"worker": "w2", "simulated": "0"}]
    assert read_peekaword(write(tmp_path, *rows)).meta["simulated"] == 1


def test_optional_columns_may_be_absent(tmp_path: Path) -> None:
    row = {key: ROW[key] for key in ROW if key not in ("response_ms", "completeness_error", "metric_comprehensiveness")}
    study = read_peekaword(write(tmp_path, row))
    assert study.metrics is None
    assert study.judgments is not None and study.judgments["response_ms"].isna().all()


@given(st.text())
def test_escaped_cells_come_back_exactly(text: str) -> None:
    assert unescape_cell(escape_cell(text)) == text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "'=1"])
def test_formulas_are_escaped(text: str) -> None:
    assert escape_cell(text) == "'" + text


def test_plain_text_is_left_as_it_is() -> None:
    assert escape_cell("'tis a fine - film") == "'tis a fine - film"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": "good"}, "line 2, column score: expected a number, found 'good'"),
        ({"score": ""}, "line 2, column score: expected a number, found nothing"),
        ({"counted": "maybe"}, "line 2, column counted: expected a number, found 'maybe'"),
        ({"metric_comprehensiveness": "high"}, "line 2, column metric_comprehensiveness: expected a number"),
        ({"protocol": "duel"}, "line 2, column protocol: unknown protocol 'duel'"),
    ],
)
def test_it_says_where_a_cell_is_wrong(tmp_path: Path, change: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        read_peekaword(write(tmp_path, ROW | change))
    assert message in str(error.value)


def test_missing_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lacks the column\(s\) method, score"):
        read_peekaword(write(tmp_path, {key: ROW[key] for key in ROW if key not in ("method", "score")}))


def test_two_campaigns_in_one_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column campaign: holds more than one value"):
        read_peekaword(write(tmp_path, ROW, ROW | {"campaign": "news"}))


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text(",".join(ROW) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no judgments"):
        read_peekaword(path)


@pytest.mark.parametrize("name", ["x.parquet", "x.jsonl", "x.csv"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_peekaword(tmp_path / name)


def test_a_broken_line_of_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "films.jsonl"
    path.write_text(json.dumps(ROW) + "\n{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: is not JSON"):
        read_peekaword(path)


@pytest.mark.parametrize("name", ["x.parquet", "x.jsonl", "x.csv"])
def test_another_kind_of_file_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError):
        read_peekaword(path)
