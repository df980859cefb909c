from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import Team
from campaigns.asking import read_tests
from campaigns.models import Campaign, Stimulus
from judging.assigning import assign_next
from judging.checking import record_check
from judging.models import Participation
from judging.recording import Circumstances, record
from judging.signalling import excluded_by_rule, signals_of
from tests.judging.building import live_campaign, worker

RULES = {"too_fast": {"share": 0.5, "words_per_minute": 600}, "failed_checks": {"failed": 1}}


def judged(person: Participation, *answers: str, **seen: Any) -> Participation:
    for answer in answers:
        turn = assign_next(person)
        assert turn.assignment
        record(turn.assignment, {"answer": answer}, Circumstances(**seen))
    return person


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return live_campaign(team, ks=(3,), rules=RULES, checks=read_tests("Choose b.\n- a\n+ b"))


@pytest.mark.django_db
def test_it_works(campaign: Campaign) -> None:
    shown = {"away_ms": 400, "away_count": 2}
    wanda = judged(worker(campaign), "positive", "positive", "negative", response_ms=2000, active_ms=1500, shown=shown)
    record_check(wanda, 0, 0, None)
    signals = signals_of(campaign)[wanda.pk]
    assert (signals.items, signals.longest_run, signals.checks, signals.failed_checks) == (3, 2, 1, 1)
    assert (signals.active_ms, signals.away_ms, signals.away_count, signals.idle_ms) == (4500, 1200, 6, 300)
    assert signals.too_fast == 0  # Three words at 600 a minute take 300 milliseconds.


@pytest.mark.django_db
def test_only_the_words_that_are_shown_have_to_be_read(campaign: Campaign, team: Team) -> None:
    fast = judged(worker(campaign), "positive", response_ms=299)
    slow = judged(worker(campaign, "bert"), "positive", response_ms=301)
    found = signals_of(campaign)
    assert (found[fast.pk].too_fast, found[slow.pk].too_fast) == (1, 0)
    whole = live_campaign(team, slug="rate", protocol="rating", methods=("lime",))
    rated = judged(worker(whole), "4", response_ms=1200)  # Twelve words take 1200 milliseconds.
    assert signals_of(whole)[rated.pk].too_fast == 0


@pytest.mark.django_db
def test_known_answers_are_apart_from_the_items(campaign: Campaign) -> None:
    wanda = judged(worker(campaign), "positive")
    gold = campaign.stimuli.filter(role="practice").order_by("pk")
    for stimulus, answer in zip(gold, ("positive", "positive"), strict=True):
        copied = Stimulus.objects.create(
            campaign=campaign, text=stimulus.text, condition=campaign.conditions.all()[0], role="gold", position=1,
            content=stimulus.content, expected=stimulus.expected, version=1,
        )  # fmt: skip
        given = wanda.assignments.create(
            stimulus=copied, text=copied.text, leased_at=wanda.arrived_at, deadline=wanda.arrived_at
        )
        record(given.pk, {"answer": answer})
    signals = signals_of(campaign)[wanda.pk]
    assert (signals.items, signals.gold, signals.gold_accuracy) == (1, 2, 0.5)


@pytest.mark.django_db
def test_rules_name_whom_they_exclude(campaign: Campaign) -> None:
    fast = judged(worker(campaign), "positive", response_ms=100)
    record_check(fast, 0, 0, None)
    judged(worker(campaign, "bert"), "positive", response_ms=9000)
    assert excluded_by_rule(campaign) == {fast.pk: ["too_fast", "failed_checks"]}


@pytest.mark.django_db
def test_without_rules_nothing_is_asked(team: Team, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    campaign = live_campaign(team)
    with django_assert_num_queries(0):
        assert excluded_by_rule(campaign) == {}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow(
    campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    people = [judged(worker(campaign, str(n)), "positive", "negative").pk for n in range(4)]
    for workers in (people, people[:1]):
        with django_assert_num_queries(3):
            assert len(signals_of(campaign, workers)) == len(workers)
