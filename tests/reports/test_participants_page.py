import csv
import io
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import AuditEntry, Team, User
from campaigns.asking import read_questions, read_tests
from campaigns.models import Campaign, Place
from judging.arriving import arrive
from judging.assigning import assign_next
from judging.checking import record_check
from judging.erasing import erase
from judging.excluding import exclude
from judging.models import Judgment, Participation
from judging.recording import Circumstances, record
from reports.participants import ON_A_PAGE
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker

pytestmark = pytest.mark.django_db
RULES = {"failed_checks": {"failed": 1}, "too_fast": {"share": 0.5, "words_per_minute": 600}}


@pytest.fixture
def campaign(team: Team) -> Campaign:
    checks = read_tests("Choose b.\n- a\n+ b")
    return live_campaign(team, rules=RULES, checks=checks, pay_per_worker=Decimal("0.10"))


def judged(campaign: Campaign, name: str, response_ms: int = 9000, **fields: Any) -> Participation:
    person = worker(campaign, name, **fields)
    turn = assign_next(person)
    assert turn.assignment
    record(turn.assignment, {"answer": "positive"}, Circumstances(response_ms=response_ms, active_ms=response_ms))
    return person


def completed(person: Participation) -> Participation:
    now = timezone.now()
    Participation.objects.filter(pk=person.pk).update(
        state="completed", arrived_at=now - timedelta(minutes=6), started_at=now, finished_at=now
    )
    return person


def url(campaign: Campaign, more: str = "") -> str:
    return f"/campaigns/{campaign.slug}/participants/{more}"


def test_it_works(campaign: Campaign, alice: User) -> None:
    wanda = completed(judged(campaign, "wanda"))
    record_check(wanda, 0, 0, None)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert f"w{wanda.pk}" in page and "1 of 1" in page and "Failed attention checks" in page
    assert "whoever failed 1 attention checks or more" in page
    assert "wanda" not in page


def test_it_is_narrowed_to_what_is_asked_for(campaign: Campaign, alice: User) -> None:
    fast, slow = judged(campaign, "fast", response_ms=1), completed(judged(campaign, "slow"))
    client = signed_in(alice)
    for state, shown, left_out in (("completed", slow, fast), ("breaking", fast, slow)):
        page = client.get(url(campaign), {"state": state}).content.decode()
        assert f">w{shown.pk}" in page and f">w{left_out.pk}" not in page
    assert "No worker of this kind." in client.get(url(campaign), {"state": "excluded"}).content.decode()


@pytest.mark.parametrize("query", ["state=nonsense", "page=x", "page=99", "state=%00"])
def test_an_odd_address_shows_the_page(campaign: Campaign, alice: User, query: str) -> None:
    judged(campaign, "wanda")
    assert signed_in(alice).get(f"{url(campaign)}?{query}").status_code == 200


def test_only_reading_is_done_by_get(campaign: Campaign, alice: User) -> None:
    assert signed_in(alice).post(url(campaign)).status_code == 405
    assert signed_in(alice).get(url(campaign, "1/exclude/")).status_code == 405
    assert signed_in(alice).get(url(campaign, "1/readmit/")).status_code == 405


def test_nobody_else_knows_of_it(campaign: Campaign, charlie: User) -> None:
    wanda = judged(campaign, "wanda")
    client = signed_in(charlie)
    assert client.get(url(campaign)).status_code == 404 and client.get(url(campaign, "pay.csv")).status_code == 404
    assert client.post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": "x"}).status_code == 404


def test_who_only_reads_excludes_nobody_and_gets_no_references(campaign: Campaign, bob: User) -> None:
    wanda = judged(campaign, "wanda")
    client = signed_in(bob)
    assert client.get(url(campaign)).status_code == 403
    assert client.post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": "x"}).status_code == 403
    assert client.post(url(campaign, f"{wanda.pk}/readmit/")).status_code == 403
    assert client.get(url(campaign, "pay.csv")).status_code == 403


def test_excluding_and_readmitting_twice_stands_in_the_log_once(campaign: Campaign, alice: User) -> None:
    """As from a tab that is behind."""
    wanda, client = judged(campaign, "wanda"), signed_in(alice)
    pages = [client.post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": why}, follow=True) for why in ("x", "y")]
    assert "no longer counts" in pages[0].content.decode() and "was excluded before" in pages[1].content.decode()
    wanda.refresh_from_db()
    assert wanda.exclusion_reason == "x"
    for _ in range(2):
        client.post(url(campaign, f"{wanda.pk}/readmit/"))
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["excluded", "readmitted"]


def test_an_excluded_workers_place_is_free_and_the_judgment_stays(campaign: Campaign, alice: User) -> None:
    wanda, client = judged(campaign, "wanda"), signed_in(alice)
    page = client.post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": "Answered <b>at random</b>"}, follow=True)
    assert "Answered &lt;b&gt;at random" in page.content.decode()
    wanda.refresh_from_db()
    assert wanda.excluded_at and wanda.excluded_by == alice and Judgment.objects.count() == 1
    assert not campaign.places.filter(state=Place.State.FILLED).exists()
    client.post(url(campaign, f"{wanda.pk}/readmit/"))
    wanda.refresh_from_db()
    assert wanda.excluded_at is None and campaign.places.filter(state=Place.State.FILLED).count() == 1


def test_who_excludes_readmits_and_takes_files_stands_in_the_log(campaign: Campaign, alice: User) -> None:
    wanda, client = judged(campaign, "wanda"), signed_in(alice)
    client.post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": "At random"})
    client.post(url(campaign, f"{wanda.pk}/readmit/"))
    client.get(url(campaign, "pay.csv"))
    client.get(url(campaign, "participants.csv"))
    entries = AuditEntry.objects.filter(team=campaign.team, actor=alice, subject_key=campaign.pk).order_by("pk")
    assert list(entries.values_list("act", "detail")) == [
        ("excluded", {"worker": f"w{wanda.pk}", "reason": "At random"}),
        ("readmitted", {"worker": f"w{wanda.pk}"}),
        ("pay_file", {}),
        ("exported", {"file": "participants"}),
    ]


def test_without_a_reason_nobody_is_excluded(campaign: Campaign, alice: User) -> None:
    wanda = judged(campaign, "wanda")
    page = signed_in(alice).post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": " "}, follow=True)
    assert "Say why" in page.content.decode()
    wanda.refresh_from_db()
    assert wanda.excluded_at is None


def test_a_worker_of_another_campaign_is_not_found(campaign: Campaign, alice: User, team: Team) -> None:
    other = judged(live_campaign(team, slug="other"), "bert")
    assert signed_in(alice).post(url(campaign, f"{other.pk}/exclude/"), {"reason": "x"}).status_code == 404


def test_who_has_erased_is_counted_and_not_told_of(campaign: Campaign, alice: User) -> None:
    wanda = judged(campaign, "wanda")
    erase(wanda)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "1 took their answers back" in page and f"Exclude w{wanda.pk}" not in page
    assert signed_in(alice).post(url(campaign, f"{wanda.pk}/exclude/"), {"reason": "x"}).status_code == 404


def test_the_pay_file_has_a_row_a_worker(campaign: Campaign, alice: User, settings: Any) -> None:
    settings.MINIMUM_HOURLY_PAY, settings.PAY_CURRENCY = 9.0, "GBP"
    wanda = completed(judged(campaign, "wanda", parameters={"SESSION_ID": "=s1"}))
    completed(judged(campaign, "robot", parameters={"simulated": "1"}))
    response = signed_in(alice).get(url(campaign, "pay.csv"))
    header, row = response.content.decode().splitlines()
    assert header == "reference,worker,minutes,pay,hourly,top_up,currency"
    # 6 minutes and 9 seconds at 9 an hour are worth 0.9225.
    assert row == f"'=s1,w{wanda.pk},6.15,0.10,0.98,0.83,GBP"
    assert 'filename="films-pay.csv"' in response.headers["Content-Disposition"]
    for headers in ({}, {"HX-Request": "true"}):
        page = signed_in(alice).get(url(campaign, "pay/"), headers=headers).content.decode()
        assert "1 worker completed for 0.10 GBP" in page and "0.83 GBP are lacking in all" in page


def test_simulated_workers_are_told_apart(campaign: Campaign, alice: User) -> None:
    completed(judged(campaign, "robot", parameters={"simulated": "1"}))
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "simulated</span>" in page
    assert "No person has completed yet" in signed_in(alice).get(url(campaign, "pay/")).content.decode()


def test_the_number_of_queries_does_not_grow(
    campaign: Campaign, alice: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(alice)
    for n in range(12):
        judged(campaign, str(n))
    with django_assert_max_num_queries(25):
        client.get(url(campaign))


def test_before_anybody_comes_it_says_what_to_do(campaign: Campaign, alice: User) -> None:
    assert "Nobody has arrived yet" in signed_in(alice).get(url(campaign)).content.decode()


def test_the_file_has_a_row_a_participant_with_signals_and_answers(team: Team, alice: User) -> None:
    questions = read_questions("Age? [number]\nTown? [text]\nDo you read?\n- Yes\n- No")
    campaign = live_campaign(team, rules=RULES, demographics=questions)
    wanda = judged(campaign, "wanda", response_ms=1, answers={"before": [41.0, "=Ulm", 1]})
    worker(campaign, "bert", answers={"before": [None, "", None]})
    response = signed_in(alice).get(url(campaign, "participants.csv"))
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))  # type: ignore[attr-defined]
    assert [row["worker"] for row in rows] == [f"w{one.pk}" for one in campaign.participations.order_by("pk")]
    first, second = rows
    assert first["worker"] == f"w{wanda.pk}" and first["excluded"] == "too_fast" and first["items"] == "1"
    assert [first[f"before: {name}"] for name in ("Age?", "Town?", "Do you read?")] == ["41", "'=Ulm", "No"]
    assert [second[f"before: {name}"] for name in ("Age?", "Town?")] == ["prefer not to say", ""]
    assert second["items"] == "" and second["excluded"] == ""


def test_who_only_reads_does_not_get_what_people_said(campaign: Campaign, bob: User, charlie: User) -> None:
    assert signed_in(bob).get(url(campaign, "participants.csv")).status_code == 403
    assert signed_in(charlie).get(url(campaign, "participants.csv")).status_code == 404


def shown(client: Client, campaign: Campaign, **asked: str) -> list[str]:
    """The numbers in the list, in its order."""
    page = client.get(url(campaign), asked).content.decode()
    return re.findall(r'<th scope="row">(?:<a [^>]*>)?w(\d+)', page)


def numbers(*workers: Participation) -> list[str]:
    return [str(one.pk) for one in workers]


def test_a_worker_is_found_by_number_reference_and_the_recruiter_s_id(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    wanda = worker(campaign, "wanda", parameters={"SESSION_ID": "sub-1"})
    named, _ = arrive_as(campaign, "5f0ab2"), worker(campaign, "bert")
    for said, found in ((f"w{wanda.pk}", wanda), (str(wanda.pk), wanda), ("sub-1", wanda), ("5f0ab2", named)):
        assert shown(client, campaign, q=said) == numbers(found), said
    assert shown(client, campaign, q="5f0ab") == shown(client, campaign, q="9" * 30) == []
    assert "1 worker" in client.get(url(campaign), {"q": "sub-1"}).content.decode()


def arrive_as(campaign: Campaign, name: str) -> Participation:
    found = arrive(campaign, {campaign.worker_parameter: name})
    assert found
    return found


def test_the_list_is_ordered_and_turned_over(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    first, second, third = (completed(worker(campaign, str(n))) for n in range(3))
    now = timezone.now()
    for row, minutes, items in ((first, 3, 1), (second, 1, 5), (third, 2, 3)):
        moments = {"started_at": now - timedelta(minutes=minutes), "finished_at": now}
        Participation.objects.filter(pk=row.pk).update(counted=items, **moments)
    going_on = worker(campaign, "still there")
    assert shown(client, campaign) == numbers(going_on, third, second, first)
    assert shown(client, campaign, order="oldest") == numbers(first, second, third, going_on)
    assert shown(client, campaign, order="items")[:3] == numbers(second, third, first)
    assert shown(client, campaign, order="shortest") == numbers(second, third, first, going_on)
    assert shown(client, campaign, order="longest") == numbers(first, third, second, going_on)
    Participation.objects.bulk_create(
        Participation(campaign=campaign, worker_hash=f"more {n}", named=False, quota=1) for n in range(ON_A_PAGE)
    )
    assert len(shown(client, campaign)) == ON_A_PAGE
    assert shown(client, campaign, page="2") == numbers(going_on, third, second, first)


def test_excluding_comes_back_to_the_list_as_it_was_narrowed(campaign: Campaign, alice: User) -> None:
    wanda = judged(campaign, "wanda")
    data = {"reason": "At random", "shown": "q=w1&state=practised"}
    response = signed_in(alice).post(url(campaign, f"{wanda.pk}/exclude/"), data)
    assert response.headers["Location"] == url(campaign) + "?q=w1&state=practised"


@pytest.mark.parametrize(("recruitment", "visit"), [("prolific", "submission_id"), ("open_link", "reference")])
def test_lists_for_the_recruiter_say_whom_to_approve_look_at_and_pay_more(
    team: Team, alice: User, settings: Any, recruitment: str, visit: str
) -> None:
    settings.MINIMUM_HOURLY_PAY = 9.0
    campaign = live_campaign(team, recruitment=recruitment, pay_per_worker=Decimal("0.10"))
    good, bad, gone, robot = (
        completed(judged(campaign, name, parameters={"SESSION_ID": f"={name}"}))
        for name in ("good", "bad", "gone", "robot")
    )
    Participation.objects.filter(pk=robot.pk).update(parameters={"simulated": "1"})
    exclude(bad, "+ at random")
    erase(gone)
    client = signed_in(alice)
    files = {kind: client.get(url(campaign, f"{kind}.csv")) for kind in ("approve", "review", "bonus")}
    lines = {kind: response.content.decode().splitlines() for kind, response in files.items()}
    assert lines["approve"] == [f"{visit},worker", f"'=good,w{good.pk}"]
    assert lines["review"] == [f"{visit},worker,reason", f"'=bad,w{bad.pk},'+ at random"]
    assert lines["bonus"][:3] == [f"{visit},amount", "'=good,0.83", "'=bad,0.83"]
    assert files["review"].headers["Content-Disposition"] == 'attachment; filename="films-review.csv"'
    acts = AuditEntry.objects.filter(act="pay_file").values_list("detail", flat=True)
    assert sorted(one["list"] for one in acts) == ["approve", "bonus", "review"]
    assert client.get(url(campaign, "others.csv")).status_code == 404


@pytest.mark.parametrize("page", ["pay/", "approve.csv", "review.csv", "bonus.csv"])
def test_what_was_earned_is_for_those_who_run_the_campaign(
    campaign: Campaign, bob: User, charlie: User, page: str
) -> None:
    assert signed_in(bob).get(url(campaign, page)).status_code == 403
    assert signed_in(charlie).get(url(campaign, page)).status_code == 404
    assert Client().get(url(campaign, page)).status_code == 302
    assert not AuditEntry.objects.exists()
