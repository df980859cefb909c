from pathlib import Path

import pandas as pd
import pytest

from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.mapping import read_mapping
from analysis.presets.reading import ChoiceError, InputError
from analysis.study import LABELS, PAIRWISE, RATING, TOPK_GUESS, Study

GERMAN = (
    "Satz;System;Person;Urteil;Länge;Gewicht\r\n"
    "s1;IG;p1;gut;4;0,5\r\n"
    "s1;IG;p2;k.A.;4;0,5\r\n"
    "s2;LIME;p1;schlecht;7;1,25\r\n"
)
MAPPING = """
[file]
separator = "semicolon"
encoding = "cp1252"
decimal = ","
missing = ["", "k.A."]

[columns]
text = "Satz"
method = "System"
worker = "Person"
label = "Urteil"

[values.label]
gut = "2"
schlecht = "1"

[values.method]
IG = "integrated_gradients"
LIME = "lime"

[constants]
display = "colour"
language = "de"

[study]
protocol = "rating"
covariates = { word_length = "Länge", weight = "Gewicht" }
"""
LONG = '[columns]\ntext = "task"\nworker = "worker"\nlabel = "label"\n'


def write(
    folder: Path, table: str, mapping: str, encoding: str = "utf-8", name: str = "mapping.toml"
) -> tuple[Path, Path]:
    (folder / "table.csv").write_bytes(table.encode(encoding))
    (folder / name).write_text(mapping, encoding="utf-8")
    return folder / "table.csv", folder / name


def read(folder: Path, table: str, mapping: str, **more: str) -> Study:
    path, said = write(folder, table, mapping, **more)
    return read_mapping(path, mapping=said)


def judgments(study: Study) -> pd.DataFrame:
    assert study.judgments is not None
    return study.judgments


def test_it_works(tmp_path: Path) -> None:
    study = read(tmp_path, GERMAN, MAPPING, encoding="cp1252")
    assert (study.protocol, study.level, study.methods) == (RATING, "ordinal", ["integrated_gradients", "lime"])
    assert judgments(study)[["text", "worker", "label", "score", "display"]].to_numpy().tolist() == [
        ["s1", "p1", "2", 2.0, "colour"], ["s2", "p1", "1", 1.0, "colour"],
    ]  # fmt: skip
    assert study.source_names == {"integrated_gradients": "IG", "lime": "LIME"}
    assert study.covariates == ("word_length", "weight")
    assert judgments(study)["weight"].tolist() == [0.5, 1.25]
    assert study.notices == (("missing_labels", "1 row has no label and is left out (line 3)."),)
    assert study.texts is not None
    assert study.texts["language"].unique().tolist() == ["de"]


def test_a_mapping_may_be_json(tmp_path: Path) -> None:
    mapping = '{"columns": {"text": "a", "worker": "b", "label": "c"}}'
    study = read(tmp_path, "a,b,c\nt,w,x\n", mapping, name="mapping.json")
    assert (study.protocol, judgments(study)["label"].tolist()) == (LABELS, ["x"])


def test_guesses_need_method_k_and_the_expected_label(tmp_path: Path) -> None:
    mapping = LONG + 'k = "n"\nexpected = "gold"\n[constants]\nmethod = "lime"\n[study]\nprotocol = "topk_guess"\n'
    study = read(tmp_path, "task,worker,label,n,gold\nt,w,a,5,a\nt,v,b,5,a\nt,u,a,5,a\n", mapping)
    assert study.protocol == TOPK_GUESS
    assert study.cells[["k", "recognised", "n"]].values.tolist() == [[5, 1, 3]]


def test_pairs_are_seen_from_both_sides(tmp_path: Path) -> None:
    mapping = LONG + 'method = "a"\nother = "b"\n[values.label]\nleft = "first"\nright = "second"\n'
    mapping += '[study]\nprotocol = "pairwise"\n'
    study = read(tmp_path, "task,worker,label,a,b\nt,w,left,lime,random\n", mapping)
    assert study.protocol == PAIRWISE
    assert judgments(study)[["method", "score"]].values.tolist() == [["lime", 1.0], ["random", 0.0]]


@pytest.mark.parametrize(("shape", "table"), [
    ("items_by_workers", "name,x,y\n1,a,\n2,NA,b\n3,a,-\n"),
    ("workers_by_items", "name,1,2,3\nx,a,NA,a\ny,,b,.\n"),
])  # fmt: skip
def test_a_matrix_is_melted_as_its_shape_says(tmp_path: Path, shape: str, table: str) -> None:
    study = read(tmp_path, table, f'[file]\nshape = "{shape}"\nrows = "name"\n[study]\nlevel = "nominal"\n')
    assert judgments(study)[["text", "worker", "label"]].to_numpy().tolist() == [
        ["1", "x", "a"], ["2", "y", "b"], ["3", "x", "a"],
    ]  # fmt: skip


def test_it_reads_what_a_preset_reads_to_the_same_study(tmp_path: Path) -> None:
    table = "task,worker,label\nt1,w1,cat\nt1,w2,dog\n"
    assert read(tmp_path, table, LONG).data_hash == read_crowdkit(tmp_path / "table.csv").data_hash


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ("[columns", "mapping.toml: is not TOML"),
        ("[colums]\n", "mapping.toml: there is no part .colums.; there are file, columns, constants, study, values"),
        ("columns = 1\n", "expected .columns. to hold entries"),
        ('[columns]\nitem = "task"\n', ".columns. knows no 'item'; it knows text, worker, label"),
        ('[columns]\ntext = "task"\n', ".columns. has to say which column is worker, label"),
        (LONG + '[study]\nprotocol = "rating"\n', "the protocol rating needs method"),
        (LONG + '[study]\nprotocol = "poll"\n', "there is no protocol 'poll'; there are labels, rating"),
        (LONG + '[study]\nlevel = "cardinal"\n', "there is no level 'cardinal'"),
        (LONG + '[study]\ncovariates = { k = "task" }\n', "'k' is no covariate"),
        (LONG + '[values.k]\na = "1"\n', "recodes what no column is said to be"),
        (LONG + '[values.label]\na = ["1"]\n', ".values.label. a: expected a text"),
        (LONG + '[file]\nseparator = "::"\n', "separator: expected one character or comma, semicolon, tab, bar"),
        (LONG + '[file]\nmissing = "NA"\n', "missing: expected a list"),
        (LONG + '[file]\nshape = "round"\n', "there is no shape 'round'"),
        ('[file]\nshape = "items_by_workers"\n' + LONG, "a matrix says by its shape what text is"),
        ('[file]\nshape = "items_by_workers"\n[columns]\nmethod = "m"\n', "a matrix has no column for method"),
        (LONG.replace('"worker"', '"task"'), ".columns. says that 'task' is both the text and the worker"),
        (LONG + '[file]\ndecimal = ";"\n', "decimal: expected .* found ';'"),
        (LONG + 'k = "n"\n', "table.csv, line 1: has no column 'n', which .*mapping.toml takes for k; there are task"),
        (LONG + '[study]\nlevel = "ordinal"\n', "table.csv, line 2, column label: expected a number"),
        (LONG + '[file]\nencoding = "klingon"\n', "there is no encoding 'klingon'"),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong_and_where(tmp_path: Path, mapping: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, "task,worker,label\nt1,w1,cat\n", mapping)


def test_without_a_mapping_file_it_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError, match="say what its columns are: --mapping FILE"):
        read_mapping(tmp_path / "table.csv")


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("method", "line 3, column method: expected a method, found nothing"),
        ("k", "line 3, column k: expected a number of words"),
        ("expected", "line 3, column expected: expected the right label"),
    ],
)
def test_what_a_protocol_needs_stands_in_every_row_with_a_label(tmp_path: Path, missing: str, message: str) -> None:
    """Otherwise a method without a name would be ranked beside the others."""
    cells = {"task": "t1", "worker": "w1", "label": "cat", "method": "lime", "k": "3", "expected": "cat"}
    rows = [cells, cells | {"worker": "w2", missing: ""}, cells | {"worker": "w3", "label": "", missing: ""}]
    table = "\n".join(",".join(row.values()) for row in [{name: name for name in cells}, *rows])
    said = LONG + 'method = "method"\nk = "k"\nexpected = "expected"\n[study]\nprotocol = "topk_guess"\n'
    with pytest.raises(InputError, match=message):
        read(tmp_path, table, said)


GUESSES = """
[columns]
text = "task"
method = "method"
k = "k"
worker = "worker"
label = "label"
expected = "expected"

[study]
protocol = "topk_guess"
"""


def test_baselines_need_no_number_of_words_and_methods_do(tmp_path: Path) -> None:
    table = "task,method,k,worker,label,expected\na,gradient,5,w1,pos,pos\na,full_text,,w2,pos,pos\n"
    study = read(tmp_path, table, GUESSES)
    assert study.judgments is not None and study.judgments["k"].isna().sum() == 1
    with pytest.raises(InputError, match="line 2, column k: expected a number of words"):
        read(tmp_path, table.replace(",5,", ",,"), GUESSES)
