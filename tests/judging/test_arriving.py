from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging.arriving import arrive, worker_hash
from judging.models import Participation
from judging.tokens import read_token, token_of
from tests.judging.building import live_campaign

WANDA = {"PROLIFIC_PID": "wanda-5f0", "STUDY_ID": "s1"}


def arrived(campaign: Campaign, query: dict[str, str], cookie: str = "") -> Participation:
    participation = arrive(campaign, query, cookie)
    assert participation is not None
    return participation


@pytest.mark.django_db
def test_it_works(campaign: Campaign) -> None:
    participation = arrived(campaign, WANDA)
    assert participation.state == Participation.State.ARRIVED
    assert participation.named
    assert participation.parameters == {"STUDY_ID": "s1"}
    assert participation.quota == 6  # No more than there are texts.


@pytest.mark.django_db
def test_the_same_id_resumes(campaign: Campaign) -> None:
    assert arrived(campaign, WANDA) == arrived(campaign, WANDA | {"SESSION_ID": "another"})


@pytest.mark.django_db
def test_the_id_itself_is_stored_nowhere(campaign: Campaign) -> None:
    participation = arrived(campaign, WANDA | {"again": "wanda-5f0"})
    stored = Participation.objects.filter(pk=participation.pk).values().get()
    assert "wanda-5f0" not in str(stored)
    assert len(participation.worker_hash) == 64


@pytest.mark.django_db
def test_the_hash_differs_between_campaigns_and_keys(team: Team, campaign: Campaign, settings: object) -> None:
    other = live_campaign(team, slug="other")
    assert worker_hash(campaign, "w") != worker_hash(other, "w")
    before = worker_hash(campaign, "w")
    settings.WORKER_ID_KEY = "another key"  # type: ignore[attr-defined]
    assert worker_hash(campaign, "w") != before


@pytest.mark.django_db
def test_workers_without_an_id_are_different_people(campaign: Campaign) -> None:
    first, second = arrived(campaign, {}), arrived(campaign, {})
    assert first != second and not first.named


@pytest.mark.django_db
def test_the_browsers_cookie_brings_a_nameless_worker_back(campaign: Campaign) -> None:
    participation = arrived(campaign, {})
    assert arrived(campaign, {}, token_of(participation)) == participation


@pytest.mark.django_db
def test_an_id_wins_over_the_cookie_of_whoever_used_the_computer_before(campaign: Campaign) -> None:
    before = arrived(campaign, {"PROLIFIC_PID": "bert"})
    assert arrived(campaign, WANDA, token_of(before)) != before


@pytest.mark.django_db
@pytest.mark.parametrize("cookie", ["", "1", "1.forged", "x.y", "\0"])
def test_a_forged_cookie_is_nobody(campaign: Campaign, cookie: str) -> None:
    known = arrived(campaign, WANDA)
    assert arrived(campaign, {}, cookie) != known


@pytest.mark.django_db
def test_a_cookie_of_another_campaign_is_nobody_here(team: Team, campaign: Campaign) -> None:
    elsewhere = arrived(live_campaign(team, slug="other"), {})
    assert arrived(campaign, {}, token_of(elsewhere)).campaign == campaign


@pytest.mark.django_db
@pytest.mark.parametrize("state", [Campaign.State.DRAFT, Campaign.State.READY, Campaign.State.PAUSED, "closed"])
def test_nobody_new_comes_in_while_it_is_not_live(campaign: Campaign, state: str) -> None:
    campaign.state = state
    assert arrive(campaign, WANDA) is None
    assert not campaign.participations.exists()


@pytest.mark.django_db
def test_who_was_there_finds_back_into_a_closed_campaign(campaign: Campaign) -> None:
    participation = arrived(campaign, WANDA)
    campaign.state = Campaign.State.CLOSED
    assert arrived(campaign, WANDA) == participation


@pytest.mark.django_db
def test_the_quota_is_the_campaigns_own_where_texts_abound(team: Team) -> None:
    assert arrived(live_campaign(team, texts=9, most_per_worker=4), WANDA).quota == 4


@pytest.mark.django_db(transaction=True)
def test_simultaneous_arrivals_are_one_participation(campaign: Campaign) -> None:
    def come(_: int) -> int:
        try:
            return arrived(campaign, WANDA).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        assert len(set(pool.map(come, range(24)))) == 1
    assert campaign.participations.count() == 1


@pytest.mark.django_db
def test_a_token_is_read_back_and_a_changed_one_is_not(wanda: Participation) -> None:
    token = token_of(wanda)
    assert read_token(token) == wanda.pk
    assert read_token(f"{wanda.pk + 1}.{token.split('.')[1]}") is None


def test_nobody_begins_where_every_place_is_filled(campaign: Campaign) -> None:
    campaign.places.update(state=Place.State.FILLED)
    assert arrive(campaign, {"PROLIFIC_PID": "late"}) is None
    assert not campaign.participations.exists()
