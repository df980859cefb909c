from materials.comparing import compare
from tests.materials.heat import heat_map

WORDS = "one two three four"


def test_it_works() -> None:
    first = heat_map(WORDS, [1.0, 2.0, 3.0, 4.0], label="A")
    found = compare([first, heat_map(WORDS, [-4.0, -3.0, -1.0, -2.0], label="B")])
    assert [[cell.shown for cell in row.cells] for row in found.rows] == [["1.00", "0.67"], ["0.67", "1.00"]]
    assert found.rows[0].cells[1].css_class == "for-3" and found.reasons == []


def test_opposite_maps_are_marked_against() -> None:
    found = compare([heat_map(WORDS, [1.0, 2.0, 3.0, 4.0]), heat_map(WORDS, [4.0, 3.0, 2.0, 1.0])])
    assert (found.rows[0].cells[1].shown, found.rows[0].cells[1].css_class) == ("−1.00", "against-5")


def test_constant_scores_give_a_dash_and_the_reason() -> None:
    found = compare([heat_map(WORDS, [1.0, 2.0, 3.0, 4.0], label="A"), heat_map(WORDS, [1.0] * 4, label="B")])
    assert found.rows[0].cells[1].shown == "–" and found.rows[0].cells[1].css_class == ""
    assert found.reasons == ["All scores of B are equal."]


def test_words_that_one_map_has_not_seen_are_left_out() -> None:
    found = compare([heat_map(WORDS, [1.0, 2.0, 3.0, 0.0]), heat_map(WORDS, [1.0, 2.0, 3.0, None])])
    assert found.rows[0].cells[1].shown == "1.00"


def test_too_few_shared_words_are_a_reason() -> None:
    found = compare([heat_map(WORDS, [1.0, 2.0, None, None], label="A"), heat_map(WORDS, [1.0, 2.0, 3.0, 4.0])])
    assert "A and LIME share fewer than 3 words." in found.reasons


def test_punctuation_does_not_count() -> None:
    found = compare(
        [heat_map("one, two three", [1.0, 9.0, 2.0, 3.0]), heat_map("one, two three", [1.0, 0.0, 2.0, 3.0])]
    )
    assert found.rows[0].cells[1].shown == "1.00"
