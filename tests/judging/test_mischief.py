"""Whatever is sent to a worker's addresses, by whomever and at whatever stage: no page breaks, no code gets out, and
what is asked for is not to be had by a form made by hand."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import Team
from campaigns.asking import read_tests
from campaigns.models import Campaign, Place
from judging import assigning, standing
from judging.assigning import assign_next
from judging.erasing import erase
from judging.excluding import exclude
from judging.leaving import withdraw
from judging.models import Assignment, CheckAnswer, Judgment, Participation
from judging.screening import keep_answers
from protocols import PROTOCOLS
from tests.judging.building import live_campaign, worker
from tests.judging.states import ASKED
from tests.judging.test_warning_page import warned_campaign
from tests.judging.walking import arrive, page_of, press, text_of

State = Participation.State
CODES = {state.value: f"CODE-{state.value}" for state in State}
EXITS = {name: {"code": CODES[name]} for name in ("declined", "returned", "screened_out", "timed_out")}
PAGES = (
    "page", "language", "consent", "before", "comprehension", "learn", "practice", "check", "warning", "after",
    "debrief", "finish", "time", "leave",
)  # fmt: skip
ODD = ["\0", "\u202eevil\u0007", "🙂" * 400, "9" * 5000, "1e400", "<script>alert(1)</script>"]
FIELDS = (
    "assignment", "step", "answer", "choice", "more", "revealed", "back", "check_number", "q0", "q1", "d0", "language",
    "words", "most", "least", "useful", "own_0", "response_ms", "active_ms", "away_count", "width", "scheme",
)  # fmt: skip
CHECKS = read_tests("Choose b.\n- a\n+ b")


def odd_forms(assignment: int) -> list[dict[str, Any]]:
    known = {"assignment": assignment, "step": "0", "check_number": "0"}
    odd = [dict.fromkeys(FIELDS, value) | known for value in ODD]
    return [{}, dict.fromkeys(FIELDS, ODD[0]), known | {"words": ODD, "answer": ["marked", *ODD]}, *odd]


def asking(team: Team, **fields: Any) -> Campaign:
    """A campaign with everything that can be asked, and a code for each outcome."""
    codes = {"exits": EXITS, "completion_code": CODES["completed"]}
    return live_campaign(team, gold=1, gold_items=1, practice_needed=1, **ASKED | codes | fields)


@pytest.mark.django_db
@pytest.mark.parametrize("state", State)
def test_it_works(client: Client, team: Team, state: State) -> None:
    campaign = asking(team)
    for number, name in enumerate(f"worker_{page}" for page in PAGES):
        wanda = worker(campaign, name, state=state)
        client.get(page_of(wanda))
        held = wanda.assignments.first()
        form = odd_forms(held.pk if held else 1)[number % 3 :: 3]
        for page in [client.post(page_of(wanda, name), one).content.decode() for one in form]:
            wanda.refresh_from_db()
            assert not [code for outcome, code in CODES.items() if code in page and outcome != wanda.state]


@pytest.mark.django_db
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_odd_in_an_answer_breaks_a_page_or_is_believed(client: Client, team: Team, protocol: str) -> None:
    examples = 2 if PROTOCOLS[protocol].learning else 0
    campaign = live_campaign(team, protocol=protocol, examples=examples)
    arm = campaign.conditions.earliest("pk").arm
    wanda, novice = worker(campaign, arm=arm), worker(campaign, "novice", arm=arm, state=State.CONSENTED)
    held = assign_next(wanda).assignment or 0
    for form in odd_forms(held):
        assert client.post(page_of(wanda), form).status_code in (200, 422)
        for name in ("worker_learn", "worker_practice"):
            assert client.post(page_of(novice, name), form).status_code in (200, 302, 422)
    assert not Judgment.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "recruitment", ["open_link", "prolific", "invitation", "class_code", "panel", "mturk_protocol"]
)
def test_nothing_odd_in_a_link_breaks_it(client: Client, team: Team, recruitment: str) -> None:
    address = reverse("worker_arrival", args=[live_campaign(team, recruitment=recruitment).slug])
    for odd in ["\0", "\ud800", "\u202e", "x" * 100_000, "%00", "../../admin", "de\0", "__class__"]:
        names = ("PROLIFIC_PID", "SESSION_ID", "lang", "code", "invitation", "assignmentId", "turkSubmitTo", odd)
        query = {name.encode("utf-8", "replace").decode(): odd.encode("utf-8", "surrogatepass") for name in names}
        assert client.get(address, query, follow=True).status_code in (200, 403)


@pytest.mark.django_db
def test_practice_without_a_warning_is_not_skipped(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, practice_needed=2), state=State.CONSENTED)
    for step in range(3):
        client.post(page_of(wanda, "worker_practice"), {"step": step, "choice": "skip"})
    wanda.refresh_from_db()
    assert wanda.state == State.CONSENTED and wanda.screening == {}


@pytest.mark.django_db
def test_practice_without_a_mark_is_not_left_out_either(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign, state=State.CONSENTED)
    client.post(page_of(wanda, "worker_practice"), {"step": "9"})
    wanda.refresh_from_db()
    assert wanda.state == State.CONSENTED


@pytest.mark.django_db
def test_a_check_is_answered_when_it_is_asked_and_not_before(client: Client, team: Team) -> None:
    wanda = worker(live_campaign(team, checks=CHECKS), quota=3)
    client.get(page_of(wanda))
    client.post(page_of(wanda, "worker_check"), {"check_number": "0", "answer": "1"})
    assert not CheckAnswer.objects.exists()


@pytest.mark.django_db
def test_a_text_that_was_skipped_is_not_answered(client: Client, team: Team) -> None:
    wanda = worker(warned_campaign(team, texts=2))
    press(client, client.get(page_of(wanda)), choice="skip")
    skipped = Assignment.objects.earliest("pk")
    client.post(page_of(wanda), {"assignment": skipped.pk, "answer": "positive"})
    asked = client.post(page_of(wanda, "worker_time"), {"assignment": skipped.pk}).json()
    assert not Judgment.objects.exists() and asked == {"seconds": 0}


@pytest.mark.django_db
@pytest.mark.parametrize("end", [withdraw, partial(exclude, reason="")])
def test_who_is_gone_keeps_no_place_from_others(client: Client, wanda: Participation, end: Callable[..., None]) -> None:
    held = assign_next(wanda).assignment
    end(wanda)
    assert client.post(page_of(wanda, "worker_time"), {"assignment": held}).json() == {"seconds": 0}
    assert not wanda.campaign.places.filter(state=Place.State.LEASED).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["declined", "returned", "timed_out"])
def test_an_old_page_does_not_cost_the_way_out_of_a_closed_study(client: Client, team: Team, state: str) -> None:
    wanda = worker(asking(team), state=state)
    Campaign.objects.update(state=Campaign.State.CLOSED)
    client.post(page_of(wanda, "worker_consent"), {"choice": "agree"})
    client.post(page_of(wanda), {"assignment": "1", "answer": "positive"})
    assert CODES[state] in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_what_was_taken_back_stays_away(client: Client, team: Team) -> None:
    """A form that another tab had sent a moment before arrives after the erasure."""
    wanda = worker(asking(team))
    erase(Participation.objects.get(pk=wanda.pk))
    keep_answers(wanda, "after", [1, "My name"])
    wanda.refresh_from_db()
    assert wanda.answers == {} and "before" not in wanda.screening


@pytest.mark.django_db(transaction=True)
def test_answers_at_the_very_moment_of_leaving_and_erasing_break_nothing(team: Team) -> None:
    campaign = live_campaign(team, texts=40, exits=EXITS | {"full": {"code": "CODE-full"}})
    workers = [worker(campaign, f"worker {at}") for at in range(24)]
    sends: list[Callable[[], Any]] = []
    for one in workers:
        held, here = assign_next(one).assignment, page_of(one)
        sends += [partial(Client().post, here, {"assignment": held, "answer": "positive"}), partial(Client().get, here)]
        sends.append(partial(Client().post, page_of(one, "worker_leave"), {"choice": "erase"}))
    random.Random(2).shuffle(sends)

    def send(act: Callable[[], Any]) -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        pages = [text_of(page) for page in pool.map(send, sends)]
    assert not [page for page in pages if "CODE-full" in page]
    assert not Judgment.objects.exists() and not Assignment.objects.exists()
    assert set(campaign.places.values_list("state", flat=True)) == {Place.State.OPEN}


@pytest.mark.django_db
def test_a_page_in_the_making_while_another_tab_erases_says_so(
    client: Client, wanda: Participation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assign_next(wanda)
    look = standing.stand

    def look_and_erase(participation: int) -> Any:
        stand = look(participation)
        erase(Participation.objects.get(pk=participation))
        return stand

    monkeypatch.setattr(assigning, "stand", look_and_erase)
    assert "Your answers are deleted" in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_the_back_button_and_a_second_window_show_what_is_next(client: Client, wanda: Participation) -> None:
    old = client.get(page_of(wanda))
    assert "2 of" in text_of(press(client, old, answer="positive"))
    again = press(Client(), old, answer="negative")
    assert "The first answer stands" in text_of(again) and "2 of" in text_of(again)
    assert Judgment.objects.get().answer == {"answer": "positive"}


@pytest.mark.django_db
def test_whoever_returned_and_comes_again_is_the_same_row(client: Client, campaign: Campaign) -> None:
    first = press(client, arrive(client, campaign, PROLIFIC_PID="wanda", SESSION_ID="s1"), choice="agree")
    assert first.status_code == 200
    withdraw(Participation.objects.get())
    assert "You stopped taking part" in text_of(arrive(Client(), campaign, PROLIFIC_PID="wanda", SESSION_ID="s2"))
    assert Participation.objects.get().parameters == {"SESSION_ID": "s2"}
