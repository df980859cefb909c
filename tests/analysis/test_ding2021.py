from pathlib import Path

import pytest

from analysis.presets.ding2021 import read_ding2021, sets_of
from analysis.presets.reading import ChoiceError, InputError

FILES = {
    "s.prefx.txt": "the keys to the cabinet\nthe bride and her son\n",
    "s.subjs.txt": "[(1, 1)] ||| [(4, 4)]\n[(0,1)] ||| [(3, 3), (4, 4)]\n",
    "s.tag.txt": "1\n0\n",
    "s.groups.txt": "0 1\n",
    "s-lstm.verum": "[0.1, 2, -3e-05, 0.0, 1]\n[1, 2, 3, 4, 5]\n",
    "s-lstm.malum": "[1, 2, 3, 4, 5]\n[5, 4, 3, 2, 1]\n",
    "s-lstm.pos.idx": "1\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def add_model(folder: Path, stem: str) -> None:
    for suffix in ("verum", "malum", "pos.idx"):
        (folder / f"{stem}.{suffix}").write_text(FILES[f"s-lstm.{suffix}"], encoding="utf-8")


def add_set(folder: Path, name: str) -> None:
    for suffix in ("prefx.txt", "subjs.txt"):
        (folder / f"{name}.{suffix}").write_text(FILES[f"s.{suffix}"], encoding="utf-8")


def test_it_works(folder: Path) -> None:
    study = read_ding2021(folder)
    first, second = study.prefixes
    assert first.words == ("the", "keys", "to", "the", "cabinet")
    assert (first.cues, first.attractors) == (((1, 1),), ((4, 4),))
    assert (second.cues, second.attractors) == (((0, 1),), ((3, 3), (4, 4)))
    (model,) = study.models
    assert model.model == "lstm" and model.prefers_expected == [False, True]
    assert model.verum[0].tolist() == [0.1, 2, -3e-05, 0, 1] and model.malum[1].tolist() == [5, 4, 3, 2, 1]
    assert study.groups == [[0, 1]]
    assert study.meta["set"] == "s" and set(study.meta["hashes"]) == set(FILES)


def test_groups_and_tags_may_be_absent(folder: Path) -> None:
    for name in ("s.groups.txt", "s.tag.txt"):
        (folder / name).unlink()
    assert read_ding2021(folder).groups is None


def test_a_set_without_an_expected_line_is_a_set(folder: Path) -> None:
    (folder / "s-lstm.pos.idx").write_text("")
    assert read_ding2021(folder).models[0].prefers_expected == [False, False]


def test_windows_line_ends_and_a_missing_last_one_are_read(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).write_bytes(content.rstrip("\n").replace("\n", "\r\n").encode())
    assert read_ding2021(folder).prefixes[1].words[-1] == "son"
    assert len(read_ding2021(folder).models[0].verum) == 2


def test_every_model_of_the_set_is_found(folder: Path) -> None:
    add_model(folder, "s-big-one")
    assert [model.model for model in read_ding2021(folder).models] == ["big-one", "lstm"]


def test_a_set_whose_name_begins_with_anothers_keeps_its_models(folder: Path) -> None:
    add_set(folder, "s-en")
    add_model(folder, "s-en-lstm")
    assert sets_of(folder) == ["s", "s-en"]
    assert [model.model for model in read_ding2021(folder, "s").models] == ["lstm"]
    assert [model.model for model in read_ding2021(folder, "s-en").models] == ["lstm"]


def test_names_with_characters_of_patterns_are_names(folder: Path) -> None:
    add_set(folder, "[s]*")
    add_model(folder, "[s]*-a?")
    assert [model.model for model in read_ding2021(folder, "[s]*").models] == ["a?"]


def test_of_several_sets_one_has_to_be_named(folder: Path) -> None:
    add_set(folder, "t")
    with pytest.raises(ChoiceError, match="holds 2 sets; say which: --set s or --set t"):
        read_ding2021(folder)
    with pytest.raises(ChoiceError, match="holds no set 'u'; there is s, t"):
        read_ding2021(folder, "u")


def test_no_folder_no_set_and_no_model_are_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        read_ding2021(folder / "s.tag.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no set; expected <set>\.prefx\.txt"):
        read_ding2021(tmp_path / "empty")
    for suffix in ("verum", "malum"):
        (folder / f"s-lstm.{suffix}").unlink()
    with pytest.raises(InputError, match="has no maps of the set 's'; expected s-<model>.verum"):
        read_ding2021(folder)


@pytest.mark.parametrize("name", ["s.subjs.txt", "s-lstm.verum", "s-lstm.malum", "s-lstm.pos.idx"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"{name}: no such file"):
        read_ding2021(folder)


@pytest.mark.parametrize(
    ("name", "content", "where", "problem"),
    [
        ("s.prefx.txt", "", "", "is empty; expected a prefix a line"),
        ("s.subjs.txt", "[(1, 1)] ||| [(4, 4)]\n", "", "has 1 lines, but the set has 2 prefixes"),
        ("s.subjs.txt", "[(1, 1)] ||| [(4, 4)]\n[(1, 1)]\n", ", line 2", r"expected \[\(start, end\), \.\.\.\] \|\|\|"),
        (
            "s.subjs.txt",
            "[(1, 1)] ||| [(4, 5)]\n[] ||| []\n",
            ", line 1",
            r"the span \(4, 5\) is not within the prefix",
        ),
        ("s.subjs.txt", "[(2, 1)] ||| [(4, 4)]\n[] ||| []\n", ", line 1", r"the span \(2, 1\) is not within"),
        ("s.subjs.txt", "[(1, -1)] ||| [(4, 4)]\n[] ||| []\n", ", line 1", "expected"),
        ("s.subjs.txt", "[] ||| []\n__import__('os')\n", ", line 2", "expected"),
        ("s.tag.txt", "1\n2\n", ", line 2", "expected the class 0 or 1, found '2'"),
        ("s.tag.txt", "1\n", "", "has 1 lines"),
        ("s.groups.txt", "0 1\n1 2\n", ", line 2", "expected line numbers from 0 to 1, found '2'"),
        ("s.groups.txt", "0 0\n", ", line 1", "names a line twice"),
        ("s.groups.txt", "0 ²\n", ", line 1", "expected line numbers"),
        ("s-lstm.pos.idx", "1\n-1\n", ", line 2", "expected line numbers from 0 to 1, found '-1'"),
        ("s-lstm.pos.idx", "1\n99999999999999\n", ", line 2", "expected line numbers"),
        ("s-lstm.verum", "[1, 2, 3, 4, 5]\n", "", "has 1 lines"),
        ("s-lstm.verum", "[1, 2, 3, 4, 5]\n\n", ", line 2", "expected a list of numbers"),
        ("s-lstm.verum", "0.5\n[1, 2, 3, 4, 5]\n", ", line 1", "expected a list of numbers"),
        ("s-lstm.verum", '[1, 2, 3, 4, "5"]\n[]\n', ", line 1", "expected a list of numbers"),
        ("s-lstm.verum", "[1, 2, 3, 4, true]\n[]\n", ", line 1", "expected a list of numbers"),
        ("s-lstm.verum", "[1, 2, 3, 4, NaN]\n[]\n", ", line 1", "the score of word 4, counted from 0, is not a finite"),
        ("s-lstm.malum", "[1, nan, 3, 4, 5]\n[]\n", ", line 1", "the score of word 1, counted from 0, is not a finite"),
        ("s-lstm.malum", "[1, inf, 3, 4, 5]\n[]\n", ", line 1", "not a finite"),
        ("s-lstm.malum", f"[1, 1{'0' * 400}, 3, 4, 5]\n[]\n", ", line 1", "not a finite"),
        ("s-lstm.malum", f"{'[' * 100_000}\n[]\n", ", line 1", "expected a list of numbers"),
        ("s-lstm.malum", "[1, 2, 3]\n[]\n", ", line 1", "has 3 scores, but the line's spans reach to word 4"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(
    folder: Path, name: str, content: str, where: str, problem: str
) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=f"{name}{where}: .*{problem}"):
        read_ding2021(folder)


def test_bytes_that_are_no_text_are_told(folder: Path) -> None:
    (folder / "s-lstm.verum").write_bytes(b"\xff\xfe[1]")
    with pytest.raises(InputError, match="is not UTF-8"):
        read_ding2021(folder)
