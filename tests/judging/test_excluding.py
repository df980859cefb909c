import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection

from accounts.models import Team, User
from campaigns.models import Campaign, Place
from judging.assigning import Turn, assign_next
from judging.erasing import erase
from judging.excluding import exclude, readmit
from judging.leaving import complete, screen_out, time_out, withdraw
from judging.models import Assignment, Judgment, Participation
from judging.recording import Outcome, record
from judging.starting import agree
from tests.judging.building import live_campaign, worker
from tests.judging.crowds import faults

State = Participation.State
ANSWER = {"answer": "positive"}


def judge(participation: Participation, items: int) -> list[int]:
    """The stimuli that were judged."""
    done = []
    for _ in range(items):
        turn = assign_next(participation)
        assert turn.assignment
        record(turn.assignment, ANSWER)
        done.append(Assignment.objects.get(pk=turn.assignment).stimulus_id)
    return done


def counting(campaign: Campaign) -> int:
    return campaign.places.filter(state=Place.State.FILLED).count()


@pytest.mark.django_db
def test_it_works(alice: User, campaign: Campaign, wanda: Participation) -> None:
    judge(wanda, 3)
    exclude(wanda, "answers at random", by=alice)
    assert (wanda.exclusion_reason, wanda.excluded_by) == ("answers at random", alice) and wanda.excluded_at
    assert counting(campaign) == 0 and campaign.places.filter(state=Place.State.OPEN).count() == 48
    assert Judgment.objects.count() == 3
    readmit(wanda)
    assert wanda.excluded_at is None and counting(campaign) == 3
    assert campaign.places.count() == 48 and list(faults(campaign)) == []


@pytest.mark.django_db
def test_excluding_twice_keeps_the_first_reason(campaign: Campaign, wanda: Participation) -> None:
    judge(wanda, 2)
    exclude(wanda, "first")
    exclude(wanda, "second")
    assert wanda.exclusion_reason == "first" and campaign.places.count() == 48 + 2


@pytest.mark.django_db
def test_readmitting_somebody_who_counts_changes_nothing(campaign: Campaign, wanda: Participation) -> None:
    judge(wanda, 2)
    readmit(wanda)
    assert counting(campaign) == 2


@pytest.mark.django_db
def test_an_answer_that_was_given_again_meanwhile_stays_out(team: Team) -> None:
    campaign = live_campaign(team, texts=2, methods=("a",), ks=(1,), judgments=1)
    wanda, bert = worker(campaign), worker(campaign, "bert")
    judge(wanda, 2)
    exclude(wanda, "")
    [again] = judge(bert, 1)
    readmit(wanda)
    assert counting(campaign) == 2 and list(faults(campaign)) == []
    void = Place.objects.get(state=Place.State.VOID)
    assert (void.stimulus_id, void.assignment.participation) == (again, wanda)


@pytest.mark.django_db
def test_another_open_place_of_the_stimulus_makes_way(team: Team) -> None:
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=2)
    wanda, bert = worker(campaign), worker(campaign, "bert")
    judge(wanda, 1)
    exclude(wanda, "")
    judge(bert, 1)
    readmit(wanda)
    assert sorted(campaign.places.values_list("number", "state")) == [(1, "filled"), (2, "filled")]


@pytest.mark.django_db
def test_a_place_that_somebody_is_answering_is_not_taken_from_them(team: Team) -> None:
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=1)
    wanda, bert = worker(campaign), worker(campaign, "bert")
    judge(wanda, 1)
    exclude(wanda, "")
    turn = assign_next(bert)
    readmit(wanda)
    assert turn.assignment and record(turn.assignment, ANSWER) == Outcome.SAVED
    assert Judgment.objects.get(place__state=Place.State.FILLED).assignment.participation == bert


@pytest.mark.django_db
def test_an_excluded_worker_is_asked_nothing_more_and_ends_as_everybody(wanda: Participation) -> None:
    judge(wanda, 1)
    turn = assign_next(wanda)
    exclude(wanda, "")
    assert assign_next(wanda) == Turn(done=1)
    assert turn.assignment and record(turn.assignment, ANSWER) == Outcome.SAVED
    assert not Judgment.objects.filter(place__state=Place.State.FILLED).exists()
    complete(wanda)
    assert wanda.state == State.COMPLETED


@pytest.mark.django_db
@pytest.mark.parametrize("leave", [withdraw, time_out])
def test_whoever_comes_back_gets_theirs_back(campaign: Campaign, leave: object) -> None:
    assert callable(leave)
    wanda = worker(campaign, started_at="2026-01-01T00:00Z")
    judge(wanda, 3)
    leave(wanda)
    assert counting(campaign) == 0
    agree(wanda)
    assert wanda.state == State.PRACTISED and counting(campaign) == 3
    assert list(faults(campaign)) == []


@pytest.mark.django_db
def test_whoever_was_excluded_does_not_count_again_by_coming_back(campaign: Campaign) -> None:
    wanda = worker(campaign, started_at="2026-01-01T00:00Z")
    judge(wanda, 2)
    withdraw(wanda)
    exclude(wanda, "")
    agree(wanda)
    assert counting(campaign) == 0


@pytest.mark.django_db
def test_readmitting_somebody_who_stopped_half_way_does_not_make_them_count(campaign: Campaign) -> None:
    wanda = worker(campaign)
    judge(wanda, 2)
    exclude(wanda, "")
    withdraw(wanda)
    readmit(wanda)
    assert counting(campaign) == 0


@pytest.mark.django_db
def test_unfinished_work_counts_where_the_campaign_says_so_but_not_of_the_excluded(team: Team) -> None:
    campaign = live_campaign(team, unfinished_count=True)
    wanda = worker(campaign)
    judge(wanda, 2)
    withdraw(wanda)
    assert counting(campaign) == 2
    exclude(wanda, "")
    assert counting(campaign) == 0
    readmit(wanda)
    assert counting(campaign) == wanda.counted == 2


@pytest.mark.django_db
def test_nothing_of_the_screened_out_counts(team: Team) -> None:
    campaign = live_campaign(team, unfinished_count=True)
    wanda = worker(campaign)
    judge(wanda, 2)
    screen_out(wanda)
    assert wanda.state == State.SCREENED_OUT and counting(campaign) == 0
    agree(wanda)
    assert wanda.state == State.SCREENED_OUT


@pytest.mark.django_db
def test_whoever_took_their_answers_back_does_not_come_back(campaign: Campaign) -> None:
    wanda = worker(campaign, started_at="2026-01-01T00:00Z")
    judge(wanda, 2)
    erase(wanda)
    agree(wanda)
    assert wanda.state == State.RETURNED and campaign.places.filter(state=Place.State.OPEN).count() == 48


@pytest.mark.django_db(transaction=True)
def test_leaving_while_an_answer_is_on_its_way_leaves_nothing_that_counts(team: Team) -> None:
    """Whichever comes first, no answer fills a place of somebody who is gone, and no place is lost."""
    campaign = live_campaign(team, texts=40, methods=("a",), ks=(1,), judgments=1, practice=0)
    workers = [worker(campaign, f"worker {at}") for at in range(24)]
    in_hand = [assign_next(one).assignment or 0 for one in workers]
    acts: list[Callable[[], object]] = [partial(record, pk, ANSWER) for pk in in_hand]
    acts += [partial([withdraw, time_out][at % 2], one) for at, one in enumerate(workers[:12])]
    acts += [partial(exclude, one, "") for one in workers[12:]]
    random.Random(0).shuffle(acts)

    def do(act: Callable[[], object]) -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(do, acts))
    assert counting(campaign) == 0 and Judgment.objects.count() == 24
    assert campaign.places.filter(state=Place.State.OPEN).count() == 40
    assert list(faults(campaign)) == []


@pytest.mark.django_db(transaction=True)
def test_leaving_while_the_next_item_is_on_its_way_leaves_no_lease(team: Team) -> None:
    campaign = live_campaign(team, texts=40, methods=("a",), ks=(1,), judgments=1, practice=0)
    workers = [worker(campaign, f"worker {at}") for at in range(24)]
    acts: list[Callable[[], object]] = [partial(assign_next, one) for one in workers]
    acts += [partial([withdraw, time_out, screen_out][at % 3], one) for at, one in enumerate(workers)]
    random.Random(1).shuffle(acts)

    def do(act: Callable[[], object]) -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(do, acts))
    assert list(faults(campaign)) == []
    assert campaign.places.filter(state=Place.State.OPEN).count() == 40
