from typing import Any

import pytest
from django.test import Client

from accounts.models import Team
from campaigns.models import Campaign, Place, Stimulus
from judging.models import Assignment, Judgment, Participation
from tests.judging.building import CODE, live_campaign, worker
from tests.judging.walking import arrive, page_of, press, text_of

WARNING = "This text speaks of violence."


def warned_campaign(team: Team, texts: int = 1, **fields: Any) -> Campaign:
    """Every text bears a warning."""
    campaign = live_campaign(team, texts=texts, methods=("a",), ks=(1,), judgments=1, **fields)
    stimuli = list(campaign.stimuli.all())
    campaign.places.all().delete()
    campaign.stimuli.all().delete()
    for one in stimuli:
        one.content |= {"warning": WARNING}
    Stimulus.objects.bulk_create(stimuli)
    items = [one for one in stimuli if one.role == "item"]
    Place.objects.bulk_create(
        Place(campaign=campaign, stimulus=one, condition=one.condition, text=one.text, number=1, rank=at)
        for at, one in enumerate(items)
    )
    return campaign


@pytest.mark.django_db
def test_it_works(client: Client, team: Team) -> None:
    wanda = worker(warned_campaign(team))
    page = client.get(page_of(wanda))
    assert WARNING in text_of(page) and "Film" not in text_of(page)
    page = press(client, page, choice="show")
    assert WARNING not in text_of(page) and 'name="answer"' in text_of(page)
    assert CODE in text_of(press(client, page, answer="positive"))
    assert Judgment.objects.get().place and Assignment.objects.get().warned == "shown"


@pytest.mark.django_db
def test_who_skips_gets_another_text_and_the_place_is_given_back(client: Client, team: Team) -> None:
    campaign = warned_campaign(team, texts=2)
    wanda = worker(campaign)
    page = press(client, client.get(page_of(wanda)), choice="skip")
    assert WARNING in text_of(page) and "1 of 40" in text_of(page)
    skipped, given = Assignment.objects.order_by("pk")
    assert (skipped.warned, skipped.place, given.warned) == ("skipped", None, "")
    assert campaign.places.filter(state=Place.State.OPEN, text=skipped.text).count() == 1
    page = press(client, press(client, page, choice="show"), answer="positive")
    assert CODE in text_of(page)  # Skipping costs nothing.


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{}, {"assignment": "1"}, {"assignment": "x", "choice": "skip"}])
def test_what_cannot_be_read_changes_nothing(client: Client, team: Team, sent: dict[str, str]) -> None:
    wanda = worker(warned_campaign(team))
    client.get(page_of(wanda))
    assert WARNING in text_of(client.post(page_of(wanda, "worker_warning"), sent, follow=True))
    assert Assignment.objects.get().warned == ""


@pytest.mark.django_db
def test_nobody_decides_for_others(client: Client, team: Team) -> None:
    campaign = warned_campaign(team, texts=2)
    wanda, bert = worker(campaign), worker(campaign, "bert")
    client.get(page_of(wanda))
    held = Assignment.objects.get(participation=wanda)
    client.post(page_of(bert, "worker_warning"), {"assignment": held.pk, "choice": "skip"})
    held.refresh_from_db()
    assert held.warned == "" and held.place


@pytest.mark.django_db
def test_what_is_answered_cannot_be_skipped(client: Client, team: Team) -> None:
    wanda = worker(warned_campaign(team))
    press(client, press(client, client.get(page_of(wanda)), choice="show"), answer="positive")
    given = Assignment.objects.get()
    client.post(page_of(wanda, "worker_warning"), {"assignment": given.pk, "choice": "skip"})
    given.refresh_from_db()
    assert given.warned == "shown" and given.place


@pytest.mark.django_db
def test_practice_texts_may_be_skipped_too(client: Client, team: Team) -> None:
    campaign = warned_campaign(team, practice_needed=2)
    page = press(client, press(client, arrive(client, campaign), choice="agree"))
    assert WARNING in text_of(page)
    page = press(client, page, choice="skip")
    assert WARNING in text_of(page)
    page = press(client, press(client, page, choice="show"), answer="negative")
    assert "That is right" in text_of(page) or "Not this time" in text_of(page)
    assert Participation.objects.get().screening["practice"][0][0] is None
