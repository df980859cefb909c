from typing import Any

import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign
from judging.learning import examples_of
from judging.models import Participation
from judging.starting import agree
from tests.campaigns.actors import live
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State
LEARNING: dict[str, Any] = {
    "protocol": "forward_simulation",
    "texts": 12,
    "texts_per_label": 4,
    "examples_per_label": 2,
    "ks": [],
    "methods": ["gradient"],
    "baselines": ["no_explanation"],
    "sample_seed": 3,
}


def learner(client: Client, campaign: Campaign, name: str = "wanda") -> Any:
    """The page with the instructions."""
    return press(client, arrive(client, campaign, **{campaign.worker_parameter: name}), choice="agree")


def arms(client: Client, campaign: Campaign) -> dict[str, Any]:
    """The instructions of a worker of every arm, by arm."""
    found = {}
    for name in ("wanda", "walter"):
        page = learner(client, campaign, name)
        found[campaign.participations.order_by("-pk")[0].arm] = page
    return found


@pytest.mark.django_db
def test_it_works(client: Client, team: Team) -> None:
    page = learner(client, live(team, **LEARNING))
    assert "First come 4 solved examples" in text_of(page) and "Then come 2 practice texts" in text_of(page)
    for number in range(1, 5):
        page = press(client, page)
        assert f"Example {number} of 4" in text_of(page) and "The program says:" in text_of(page)
        assert "data-key" not in text_of(page)
    assert "That was the last example" in text_of(page)
    page = press(client, page)
    assert "Practice 1 of 2" in text_of(page) and "The program says" not in text_of(page)
    page = press(client, page, answer="neg")
    assert "the program says “" in text_of(page)


@pytest.mark.django_db
def test_each_arm_sees_the_same_texts_and_only_its_own_explanations(client: Client, team: Team) -> None:
    found = arms(client, live(team, **LEARNING))
    assert set(found) == {"no_explanation||", "gradient||colour"}
    shown = {arm: text_of(press(client, page)) for arm, page in found.items()}
    assert 'class="mark' in shown["gradient||colour"] and 'class="mark' not in shown["no_explanation||"]
    rows = {row.arm: row for row in Participation.objects.all()}
    texts = [list(examples_of(row).values_list("text", flat=True)) for row in rows.values()]
    assert len(texts[0]) == 4 and texts[0] == texts[1]


@pytest.mark.django_db
def test_one_can_go_back_and_after_a_reload_begin_again(client: Client, team: Team) -> None:
    page = press(client, press(client, learner(client, live(team, **LEARNING))))
    participation = Participation.objects.get()
    assert 'name="back" value="0"' in text_of(page)
    assert "Example 1 of 4" in text_of(press(client, page, back="0"))
    page = client.get(page_of(participation))
    assert "See the examples" in text_of(page) and "Example 1 of 4" in text_of(press(client, page))


@pytest.mark.django_db
def test_an_example_can_be_asked_before_it_is_solved(client: Client, team: Team) -> None:
    campaign = live(team, **LEARNING | {"protocol_settings": {"ask_first": True}})
    page = press(client, learner(client, campaign))
    assert "The program says" not in text_of(page) and 'class="mark' not in text_of(page)
    assert press(client, page).status_code == 422
    page = press(client, page, answer="neg")
    assert "The program says:" in text_of(page) and "Next example" in text_of(page)
    assert "Well foretold" in text_of(page) or "Not this time" in text_of(page)
    assert "Example 2 of 4" in text_of(press(client, page))


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["", "-1", "x", "1001"])
def test_a_step_that_is_none_leads_back(client: Client, team: Team, step: str) -> None:
    learner(client, live(team, **LEARNING))
    assert client.post(page_of(Participation.objects.get(), "worker_learn"), {"step": step}).status_code == 302


@pytest.mark.django_db
def test_no_example_is_left_out_by_a_form_made_by_hand(client: Client, team: Team) -> None:
    learner(client, live(team, **LEARNING))
    wanda = Participation.objects.get()
    for step in ("9", "9", "9"):
        page = client.post(page_of(wanda, "worker_practice"), {"step": step}, follow=True)
        assert "See the examples" in text_of(page)
        page = client.post(page_of(wanda, "worker_learn"), {"step": step})
    assert "Example 3 of 4" in text_of(page)


@pytest.mark.django_db
def test_before_consent_there_is_nothing_to_learn(client: Client, team: Team) -> None:
    arrive(client, live(team, **LEARNING))
    response = client.post(page_of(Participation.objects.get(), "worker_learn"), {"step": "0"}, follow=True)
    assert "Example" not in text_of(response) and Participation.objects.get().state == State.ARRIVED


@pytest.mark.django_db
def test_a_warning_comes_before_an_example_and_it_can_be_skipped(client: Client, team: Team) -> None:
    campaign = live(team, **LEARNING)
    participation = campaign.participations.create(worker_hash="wanda", named=True, quota=8)
    agree(participation)
    first = examples_of(participation)[0]
    campaign.stimuli.filter(pk=first.pk).delete()
    first.content["warning"] = "Speaks of spiders."
    first.save(force_insert=True)
    page = press(client, client.get(page_of(participation)))
    assert "Speaks of spiders." in text_of(page) and first.text.content not in text_of(page)
    assert "Example 1 of 4" in text_of(press(client, page, choice="show"))
    assert "Example 2 of 4" in text_of(press(client, page, choice="skip"))


@pytest.mark.django_db
def test_comprehension_is_asked_after_the_examples(client: Client, team: Team) -> None:
    asked = [{"question": "Who answers?", "choices": ["The program", "I"], "right": 0}]
    page = learner(client, live(team, **LEARNING | {"comprehension": asked}))
    for _ in range(5):
        page = press(client, page)
    assert "Who answers?" in text_of(page)
