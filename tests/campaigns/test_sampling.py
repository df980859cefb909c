import pytest

from accounts.models import Team
from campaigns.sampling import Pick, SampleError, candidates, draw, shuffled, spread
from tests.materials.actors import films, judge, predict_right

ORDER = {"neg": list(range(10)), "pos": list(range(10, 20))}


def test_it_works() -> None:
    items, practice = draw(shuffled(ORDER, 7), 4)
    assert [pick.expected for pick in items] == ["neg"] * 4 + ["pos"] * 4
    assert sorted(pick.expected for pick in practice) == ["neg", "pos"]
    assert len({pick.text_id for pick in [*items, *practice]}) == 10


def test_the_seed_decides() -> None:
    assert shuffled(ORDER, 7) == shuffled(ORDER, 7) != shuffled(ORDER, 8)


def test_more_texts_keep_those_of_fewer() -> None:
    few, many = draw(shuffled(ORDER, 1), 3)[0], draw(shuffled(ORDER, 1), 8)[0]
    assert set(few) <= set(many)


def test_excluded_texts_are_replaced_by_the_next() -> None:
    order = shuffled(ORDER, 1)
    before = draw(order, 4)[0]
    after = draw(order, 4, excluded={before[0].text_id})[0]
    assert before[0] not in after and len(after) == 8 and set(before[1:]) <= set(after)


@pytest.mark.parametrize(
    ("per_label", "order"), [(11, ORDER), (1, {"a": [1], "b": [2]}), (1, {"a": [], "b": [1, 2, 3]})]
)
def test_too_few_texts_are_refused(per_label: int, order: dict[str, list[int]]) -> None:
    with pytest.raises(SampleError, match="to choose from|left for practice"):
        draw(order, per_label)


def test_a_short_label_is_taken_when_texts_failed() -> None:
    items, practice = draw({"a": [1, 2, 3], "b": [4, 5, 6]}, 3, excluded={1}, short=True)
    assert len(practice) == 2 and len(items) == 3 and {pick.expected for pick in items} == {"a", "b"}


def test_practice_takes_one_label_if_others_are_short() -> None:
    items, practice = draw({"a": [1], "b": [4, 5, 6]}, 1)
    assert items == [Pick(1, "a"), Pick(4, "b")] and [pick.expected for pick in practice] == ["b", "b"]


def test_labels_take_turns() -> None:
    picks = [Pick(1, "a"), Pick(2, "a"), Pick(3, "b")]
    assert spread(picks) == [Pick(1, "a"), Pick(3, "b"), Pick(2, "a")]


def test_candidates_by_gold_label_need_no_predictions(team: Team) -> None:
    dataset, classifier = films(team, {"pos": 2, "neg": 1}), judge(team, ["NEG", "POS"])
    found = candidates(dataset, classifier, "gold", False)
    assert {label: len(ids) for label, ids in found.items()} == {"NEG": 1, "POS": 2}


def test_candidates_can_be_only_right_ones_or_predictions(team: Team) -> None:
    dataset, classifier = films(team, {"pos": 4, "neg": 4}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=3)
    right = candidates(dataset, classifier, "gold", True)
    assert {label: len(ids) for label, ids in right.items()} == {"neg": 4, "pos": 1}
    predicted = candidates(dataset, classifier, "prediction", False)
    assert {label: len(ids) for label, ids in predicted.items()} == {"neg": 7, "pos": 1}


def test_as_many_texts_are_kept_apart_as_are_asked_for() -> None:
    for apart in (0, 1, 5):
        items, others = draw(shuffled(ORDER, 7), 4, apart=apart)
        assert len(others) == apart
        assert len({pick.text_id for pick in items + others}) == len(items) + apart
