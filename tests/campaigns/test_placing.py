from collections import Counter

from accounts.models import Team
from campaigns.models import SampledText
from campaigns.placing import lines, orders
from tests.campaigns.actors import live


def test_the_seed_decides_the_orders() -> None:
    made = list(orders([7, 8, 9], 2, seed=3))
    assert made == list(orders([7, 8, 9], 2, seed=3)) != list(orders([7, 8, 9], 2, seed=4))
    for number in (1, 2):
        one = [(at, text) for text, n, at in made if n == number]
        assert [at for at, _ in one] == [0, 1, 2] and sorted(text for _, text in one) == [7, 8, 9]


def test_every_condition_goes_through_all_texts(team: Team) -> None:
    campaign = live(team, texts=10, texts_per_label=5, ks=[2, 3, 5])
    for condition in campaign.conditions.all():
        for number in (1, 2):
            queue = campaign.places.filter(condition=condition, number=number).values_list("rank", "text")
            ranked, texts = zip(*queue, strict=True)
            assert sorted(ranked) == list(range(10)) and len(set(texts)) == 10


def test_the_load_is_even_over_texts_at_any_depth(team: Team) -> None:
    campaign = live(team, texts=10, texts_per_label=6, ks=[2, 3, 4, 5])
    texts = campaign.sample.filter(role="item").values_list("text", flat=True)
    for depth in range(1, 13):
        places = campaign.places.filter(number=1, rank__lt=depth)
        load = Counter(places.values_list("text", flat=True))
        assert max(load.values()) - min(load[text] for text in texts) <= 1


def test_it_works(team: Team) -> None:
    """Without a Latin square there is one list, and all are on it."""
    assert set(live(team).places.values_list("list", flat=True)) == {0}


def test_on_every_list_a_text_stands_once_and_on_every_list_under_another_condition(team: Team) -> None:
    campaign = live(team, allocation="latin_square", texts_per_label=4, texts=6)
    cells = list(campaign.places.filter(number=1).values_list("list", "text", "condition"))
    assert {number for number, _, _ in cells} == {0, 1, 2, 3}
    assert set(Counter((number, text) for number, text, _ in cells).values()) == {1}
    assert set(Counter((text, condition) for _, text, condition in cells).values()) == {1}


def test_a_list_goes_through_all_conditions_with_each_label(team: Team) -> None:
    campaign = live(team, allocation="latin_square", texts_per_label=4, texts=6)
    cells = campaign.places.filter(number=1).values_list("list", "condition", "text__label")
    assert set(Counter(cells).values()) == {1} and len(cells) == 4 * 4 * 2


def test_every_judgment_of_a_stimulus_is_on_the_same_list(team: Team) -> None:
    places = live(team, allocation="latin_square").places.values_list("stimulus", "list")
    assert len(set(places)) == 24 and set(Counter(places).values()) == {2}


def test_the_lines_take_the_labels_one_after_the_other() -> None:
    items = [SampledText(text_id=at, expected="ab"[at % 2]) for at in range(6)]
    found = lines(items, seed=1)
    assert sorted(found.values()) == [0, 1, 2, 3, 4, 5]
    assert [text % 2 for text in sorted(found, key=found.__getitem__)] == [0, 0, 0, 1, 1, 1]
    assert found == lines(items, seed=1) and found != lines(items, seed=2)
