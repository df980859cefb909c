from typing import Any

import pytest

from materials.maps.checking import Asked, Checked, Explained, Known, check
from materials.maps.reading import Row

CRITIC = Explained(7, "Critic", ["neg", "pos"])
ROW = {"method": "mine", "words": ["fine", "film"], "scores": [1, 0.5]}


def checked(content: str = "fine film", predicted: str = "pos", asked: Asked | None = None, **values: Any) -> Checked:
    row = {name: value for name, value in (ROW | values).items() if value is not None}
    return check(Row(3, row), Known(5, content, "en", predicted), CRITIC, asked or Asked())


def test_it_works() -> None:
    row = checked(params={"shots": 3}, source="a chat", seconds=2, special=[["[CLS]", 0.1]])
    assert row.problem == ""
    assert (row.text_id, row.classifier_id, row.title, row.params, row.source) == (5, 7, "mine", {"shots": 3}, "a chat")
    assert (row.target, row.starts, row.ends, row.scores) == (1, [0, 5], [4, 9], [1.0, 0.5])
    assert row.special == [["[CLS]", 0.1]] and row.details["seconds"] == 2.0 and row.signed


def test_offsets_say_where_scores_stand() -> None:
    assert checked("a 😀 b", offsets=[[4, 5], [2, 3]][::-1], words=None).scores == [None, 1.0, 0.5]


def test_offsets_go_before_tokens_which_name_the_special_ones() -> None:
    row = checked(offsets=[[0, 0], [0, 4], [4, 9]], tokens=["<s>", "fine", "Ġfilm"], words=None, scores=[9, 1, 2])
    assert (row.scores, row.special) == ([1.0, 2.0], [["<s>", 9.0]])


def test_bytes_of_one_character_may_stand_in_one_place() -> None:
    row = checked("😀", offsets=[[0, 1], [0, 1]], tokens=["ðŁĺ", "Ģ"], words=None)
    assert row.scores == [1.5]


@pytest.mark.parametrize(
    ("target", "index"), [("neg", 0), ("NEG ", 0), (0, 0), ("0", 0), (None, 1), ("pos", 1), (1, 1)]
)
def test_a_target_is_a_label_or_its_number_or_else_the_predicted_one(target: object, index: int) -> None:
    assert checked(target=target).target == index


def test_parquet_s_spelling_is_read() -> None:
    row = checked(params='{"k": [1, 2]}', special_pieces=["[CLS]"], special_scores=[0.5])
    assert (row.params, row.special) == ({"k": [1, 2]}, [["[CLS]", 0.5]])


def test_signedness_is_the_row_s_or_what_was_said_or_the_catalogue_s() -> None:
    assert not checked(signed=False).signed and not checked(asked=Asked(unsigned=True)).signed
    assert not checked(method="gradient").signed and checked(method="lime").signed
    assert checked(method="gradient", params={"reduction": "signed"}).signed
    assert checked(signed=True, asked=Asked(unsigned=True)).signed


def test_words_that_are_not_mentioned_may_be_zero_and_the_map_says_so() -> None:
    row = checked("a fine film!", offsets=[[2, 6]], words=None, scores=[1], asked=Asked(rest_zero=True))
    assert row.scores == [0.0, 1.0, 0.0, 0.0] and row.details["versions"]["rest"] == "zero"
    row = checked("a fine film!", offsets=[[2, 6]], words=None, scores=[1])
    assert row.scores == [None, 1.0, None, None] and "rest" not in row.details["versions"]
    nowhere = checked(" fine", offsets=[[0, 1]], words=None, scores=[1], asked=Asked(rest_zero=True))
    assert nowhere.problem == "stand on no word of the text"


def test_what_was_said_names_the_method_and_the_source() -> None:
    row = checked(method=None, asked=Asked("GPT", "a chat"))
    assert (row.title, row.source) == ("GPT", "a chat")
    assert checked(method="imported:GPT").title == "GPT"


@pytest.mark.parametrize(
    ("changes", "column", "reason"),
    [
        ({"scores": [1.0, float("nan")]}, "scores", "holds nan at 2; expected a finite number"),
        ({"scores": [1.0, float("inf")]}, "scores", "holds inf at 2"),
        ({"scores": [10**400, 1]}, "scores", "expected a finite number"),
        ({"scores": ["1", 2]}, "scores", "holds '1' at 1; expected a number, or null"),
        ({"scores": [True, 2]}, "scores", "holds True at 1"),
        ({"scores": []}, "scores", "is an empty list"),
        ({"scores": 3}, "scores", "is 3; expected a list of numbers"),
        ({"scores": None}, "scores", "is None; expected a list of numbers"),
        ({"scores": [None, None]}, "scores", "stand on no word of the text"),
        ({"scores": [1e308, 1e308], "offsets": [[0, 2], [2, 4]], "words": None}, "scores", "add up to infinity"),
        ({"scores": [1.0]}, "words", "has 2 entries, but scores has 1: give one score each"),
        ({"words": None}, "scores", "stand nowhere: give a list of offsets, words or tokens"),
        ({"words": "fine"}, "scores", "stand nowhere"),
        ({"words": ["fine", 3]}, "words", "holds 3; expected texts"),
        ({"words": ["film", "fine"]}, "words", "number 1, 'film', is not found at its start"),
        ({"words": ["fine", "fi\0lm"]}, "words", "holds the character U+0000"),
        ({"offsets": [[0, 4], [5, 10]], "words": None}, "offsets", "the text has the characters 0 to 9"),
        ({"offsets": [[0, 4], [3, 9]], "words": None}, "offsets", "overlap or go back at [3, 9]"),
        ({"offsets": [[5, 9], [0, 4]], "words": None}, "offsets", "overlap or go back at [0, 4]"),
        ({"offsets": [[0, 4], [5, 5]], "words": None}, "offsets", "holds the empty [5, 5]"),
        ({"offsets": [[0, 4], [5, 9.0]], "words": None}, "offsets", "expected [start, end]"),
        ({"offsets": [[0, 4], [4, 9]]}, "offsets", "disagree with words: number 2 is 'film', but [4, 9] is ' film'"),
        ({"target": "meh"}, "target", "is 'meh', no label of Critic; its labels are 0 (neg), 1 (pos)"),
        ({"target": 2}, "target", "is 2, no label"),
        ({"target": True}, "target", "is True, no label"),
        ({"predicted": ""}, "target", "Critic has not predicted this text yet: evaluate it first, or give the target"),
        ({"method": "x" * 46}, "method", "has 46 characters; the most is 45"),
        ({"method": "imported:"}, "method", "is empty"),
        ({"method": 3}, "method", "is 3; expected a text"),
        ({"source": "x" * 201}, "source", "has 201 characters"),
        ({"params": "[1]"}, "params", "expected an object such as"),
        ({"params": "{"}, "params", "expected a JSON object"),
        ({"params": {"a": float("nan")}}, "params", "a number that is not finite"),
        ({"params": {"a": ["\0"]}}, "params", "holds the character U+0000"),
        ({"params": {"a": "x" * 1000}}, "params", "the most is 1,000"),
        ({"special": [["[CLS]"]]}, "special", "expected [token, score]"),
        ({"seconds": -1}, "seconds", "is -1; expected zero or more"),
        ({"seconds": "fast"}, "seconds", "is 'fast'; expected a number"),
        ({"completeness_error": float("inf")}, "completeness_error", "expected a finite number"),
        ({"seed": 1.5}, "seed", "expected a whole number"),
        ({"signed": "yes"}, "signed", "expected true or false"),
        ({"scores": [1, -1], "asked": Asked(unsigned=True)}, "scores", "hold -1.0, but were said to be unsigned"),
    ],
)
def test_what_is_wrong_is_told(changes: dict[str, Any], column: str, reason: str) -> None:
    row = checked(**changes)
    assert row.column == column and reason in row.problem and row.line == 3 and row.excerpt == "fine film"
