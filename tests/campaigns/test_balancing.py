from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Team
from campaigns.balancing import alternated, set_aside, wrong_texts
from campaigns.sampling import SampleError, Stock, draw_all
from tests.materials.actors import films, judge, predict_right

ORDER = {"neg": list(range(20)), "pos": list(range(20, 40))}
WRONG = {0, 1, 2, 3, 4, 5, 6, 7, 38, 39}


def test_it_works() -> None:
    drawn = draw_all(Stock(alternated(ORDER, WRONG), WRONG), per_label=6, examples=2, seed=1)
    for picks, per_label in ((drawn.examples, 2), (drawn.items, 6)):
        assert Counter(pick.expected for pick in picks) == {"neg": per_label, "pos": per_label}
    wrong = [
        Counter(pick.expected for pick in picks if pick.text_id in WRONG) for picks in (drawn.examples, drawn.items)
    ]
    assert wrong == [{"neg": 1}, {"neg": 3, "pos": 2}]
    assert [pick.expected for pick in drawn.examples] == ["neg", "pos", "neg", "pos"]


def test_a_list_takes_both_kinds_in_turn_and_then_what_is_left() -> None:
    assert alternated({"neg": [1, 2, 3, 4, 5]}, {4, 5}) == {"neg": [1, 4, 2, 5, 3]}
    assert alternated({"neg": [1, 2, 3]}, {1, 2, 3}) == {"neg": [1, 2, 3]}


ids = st.lists(st.integers(0, 60), unique=True, max_size=40)


@given(ids, st.sets(st.integers(0, 60)), st.integers(0, 8), st.integers(1, 12))
def test_no_text_is_both_example_and_item_and_none_is_lost(
    found: list[int], surprising: set[int], examples: int, items: int
) -> None:
    aside, left = set_aside(alternated({"a": found}, surprising), examples, items, surprising, seed=3)
    assert sorted(aside["a"] + left["a"]) == sorted(found)
    assert len(aside["a"]) == min(examples, len(found))


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 8), st.integers(1, 12))
def test_examples_and_items_share_what_is_rare(usual: int, rare: int, examples: int, items: int) -> None:
    order = {"a": list(range(usual + rare))}
    surprising = set(range(usual, usual + rare))
    aside, left = set_aside(alternated(order, surprising), examples, items, surprising, seed=3)
    pool = aside["a"] + left["a"][:items]
    share = sum(pk in surprising for pk in pool) / max(len(pool), 1)
    assert abs(sum(pk in surprising for pk in aside["a"]) - share * examples) <= 0.5 or len(pool) < examples + items


def test_the_seed_decides() -> None:
    stock = Stock(alternated(ORDER, WRONG), WRONG)
    assert draw_all(stock, 6, 4, seed=1) == draw_all(stock, 6, 4, seed=1)


def test_examples_count_towards_what_is_needed() -> None:
    with pytest.raises(SampleError, match="only 20 texts.*21 are wanted"):
        draw_all(Stock(ORDER), per_label=17, examples=4, seed=1)


def test_what_the_model_gets_wrong_is_known_only_of_labelled_texts(team: Team) -> None:
    dataset, classifier = films(team, {"pos": 4, "neg": 4}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=3)
    wrong = set(dataset.texts.values_list("pk", flat=True)[:3])
    assert wrong_texts(dataset.texts.all(), classifier) == wrong
    dataset.texts.filter(pk=min(wrong)).update(label="")
    assert wrong_texts(dataset.texts.all(), classifier) == wrong - {min(wrong)}
