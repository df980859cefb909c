import pytest

from language.similarity import is_form_of, near_duplicates


@pytest.mark.parametrize(
    ("word", "of"),
    [
        ("Positive", "positive"),
        ("positively", "positive"),
        ("SPORTS", "sport"),
        ("sporting", "sport"),
        ("businesses", "business"),
        ("happier", "happy"),
        ("badly", "bad"),
        ("positiven", "positiv"),
    ],
)
def test_it_works(word: str, of: str) -> None:
    assert is_form_of(word, of)


@pytest.mark.parametrize(
    ("word", "of"), [("position", "positive"), ("spot", "sport"), ("a", "as"), ("worldwide", "world")]
)
def test_other_words_are_no_forms(word: str, of: str) -> None:
    assert not is_form_of(word, of)


def test_near_duplicates_share_half_of_their_runs_of_three_words() -> None:
    texts = [
        "one two three four five six",
        "seven eight nine ten",
        "ONE two three four five seven",
        "six five four three two one",
        "seven eight nine ten eleven",
    ]
    # 3 of 5 runs are shared by the first pair, 2 of 3 by the other.
    assert near_duplicates([text.split() for text in texts]) == [[0, 2], [1, 4]]
    assert near_duplicates([text.split() for text in texts], alike=0.65) == [[1, 4]]


def test_texts_of_few_words_are_compared_whole() -> None:
    assert near_duplicates([["good"], ["Good"], ["bad"], []]) == [[0, 1]]


def test_copies_by_the_thousand_are_one_group() -> None:
    texts = [["a", "film", "that", "we", "have", "seen", "before", str(at)] for at in range(2000)]
    assert near_duplicates(texts) == [list(range(2000))]
