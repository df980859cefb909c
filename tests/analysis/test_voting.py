import pandas as pd
import pytest

from analysis.scoring.voting import majority_verdicts


def verdict(*labels: str) -> int:
    frame = pd.DataFrame(
        {"text": "t", "method": "m", "k": 5, "label": labels, "expected": "positive"}, index=range(len(labels))
    )
    return int(majority_verdicts(frame)["recognised"].iloc[0])


def test_it_works() -> None:
    assert verdict("positive", "positive", "negative") == 1


def test_a_wrong_majority_is_not_recognised() -> None:
    assert verdict("positive", "negative", "negative") == 0


def test_a_tie_is_not_recognised() -> None:
    assert verdict("positive", "negative") == 0


def test_a_tie_with_cannot_tell_is_not_recognised() -> None:
    assert verdict("positive", "positive", "cannot_tell", "cannot_tell", "negative") == 0


def test_cannot_tell_can_win() -> None:
    assert verdict("positive", "cannot_tell", "cannot_tell") == 0


def test_a_plurality_is_enough() -> None:
    assert verdict("positive", "positive", "sports", "business", "cannot_tell") == 1


def test_a_label_nobody_expected_does_not_count_as_recognised() -> None:
    assert verdict("negative") == 0


def test_cells_are_kept_apart_and_counted() -> None:
    frame = pd.DataFrame(
        {
            "text": ["a", "a", "a", "b"],
            "method": ["m", "m", "n", "m"],
            "k": [5, 5, 5, 10],
            "label": ["x", "x", "y", "x"],
            "expected": ["x", "x", "x", "x"],
        }
    )
    cells = majority_verdicts(frame)
    assert cells.values.tolist() == [["a", "m", 5, 1, 2], ["a", "n", 5, 0, 1], ["b", "m", 10, 1, 1]]


@pytest.mark.parametrize("k", [5, 40])
def test_the_majority_does_not_depend_on_the_order_of_votes(k: int) -> None:
    frame = pd.DataFrame({"text": "t", "method": "m", "k": k, "label": list("xxyz"), "expected": "x"})
    shuffled = frame.sample(frac=1.0, random_state=1)
    assert majority_verdicts(frame).equals(majority_verdicts(shuffled))
