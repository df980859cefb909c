from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Team
from campaigns.creating import copy_campaign
from campaigns.easing import practice_conditions
from campaigns.launching import launch
from campaigns.models import Campaign, Condition, Place, Stimulus
from campaigns.moving import CampaignError, close, pause, resume
from campaigns.preparing import prepare, settle
from materials.models import Explanation
from tests.campaigns.actors import live, ready, work


def test_it_works(team: Team) -> None:
    campaign = live(team)
    assert campaign.state == Campaign.State.LIVE and campaign.launched_at
    assert len(campaign.design_hash) == 64
    items, practice = campaign.stimuli.filter(role="item"), campaign.stimuli.filter(role="practice")
    assert items.count() == 6 * 4 and practice.count() == 2
    assert campaign.places.count() == 6 * 4 * 2
    assert set(campaign.places.values_list("state", flat=True)) == {"open"}
    assert not campaign.places.filter(stimulus__role="practice").exists()


def test_a_stimulus_shows_the_top_words_and_no_more(team: Team) -> None:
    stimulus = live(team).stimuli.filter(role="item", condition__method="gradient", condition__k=2).first()
    assert stimulus
    assert [word for word in stimulus.content["words"] if word] == stimulus.text.content.split()[:2]
    assert stimulus.expected == stimulus.text.label


def test_ratings_need_no_k(team: Team) -> None:
    campaign = live(team, protocol="rating", judge_against="prediction")
    assert [condition.k for condition in campaign.conditions.all()] == [None, None]
    assert campaign.stimuli.filter(role="item").count() == 6 * 2


def test_places_repeat_the_cell_of_their_stimulus(team: Team) -> None:
    for place in live(team).places.select_related("stimulus"):
        assert (place.text_id, place.condition_id) == (place.stimulus.text_id, place.stimulus.condition_id)


def test_only_a_ready_campaign_launches(team: Team) -> None:
    campaign = live(team)
    with pytest.raises(CampaignError, match="live by now"):
        launch(campaign)
    assert campaign.stimuli.count() == 26


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_launch_once(team: Team) -> None:
    campaign = ready(team)

    def click(number: int) -> bool:
        try:
            launch(Campaign.objects.get(pk=campaign.pk))
        except CampaignError:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(click, range(3))) == [False, False, True]
    assert Place.objects.count() == 48


def test_a_missing_explanation_stops_the_launch_and_writes_nothing(team: Team) -> None:
    campaign = ready(team)
    Explanation.objects.filter(text=campaign.sample.filter(role="item")[0].text).delete()
    with pytest.raises(CampaignError, match="explanations are missing"):
        launch(campaign)
    assert not Stimulus.objects.exists() and campaign.state == Campaign.State.READY


def test_the_hash_names_the_design(team: Team) -> None:
    campaign = live(team)
    same, other = copy_campaign(campaign), copy_campaign(campaign)
    other.question = "Another question?"
    other.save()
    for copied in (same, other):
        prepare(copied, None)
        work(copied)
        settle(copied)
        launch(copied)
    assert same.design_hash == campaign.design_hash != other.design_hash


def test_the_database_keeps_a_launched_design(team: Team) -> None:
    campaign = live(team)
    with pytest.raises(IntegrityError, match="copy the campaign"), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(question="Another?")
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        campaign.stimuli.update(expected="neg")


def test_the_database_refuses_double_cells_and_places(team: Team) -> None:
    campaign = live(team)
    for row in (campaign.places.first(), campaign.stimuli.first(), campaign.conditions.first()):
        assert row
        row.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)


def test_it_pauses_resumes_and_closes(team: Team) -> None:
    campaign = live(team)
    pause(campaign)
    assert campaign.state == Campaign.State.PAUSED
    with pytest.raises(CampaignError, match="paused already"):
        pause(campaign)
    resume(campaign)
    close(campaign)
    assert campaign.state == Campaign.State.CLOSED and campaign.closed_at
    with pytest.raises(CampaignError, match="closed already"):
        resume(campaign)


def test_practice_shows_most_words_of_a_real_method() -> None:
    conditions = [Condition(method=m, k=k, position=p) for p, (m, k) in enumerate([("random", 9), ("a", 2), ("a", 5)])]
    assert [str(condition) for condition in practice_conditions(conditions, 2)] == ["a, k = 5", "a, k = 2"]
    assert [str(condition) for condition in practice_conditions(conditions[:1], 2)] == ["random, k = 9"] * 2


def test_a_copy_is_a_draft_of_the_same_design(team: Team) -> None:
    campaign = live(team)
    copied = copy_campaign(campaign)
    assert (copied.state, copied.design_hash, copied.run) == (Campaign.State.DRAFT, "", None)
    assert copied.copied_from == campaign and copied.slug == "copy-of-which-words-matter"
    assert (copied.methods, copied.ks, copied.question) == (campaign.methods, campaign.ks, campaign.question)
