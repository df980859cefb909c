import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import AuditEntry, Team, User
from campaigns.asking import read_questions, read_tests
from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.checking import record_check
from judging.erasing import erase
from judging.models import Judgment, Participation
from judging.recording import Circumstances, record
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
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "1 worker completed for 0.10 GBP" in page and "0.83 GBP are lacking in all" in page


def test_simulated_workers_are_told_apart(campaign: Campaign, alice: User) -> None:
    completed(judged(campaign, "robot", parameters={"simulated": "1"}))
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "simulated</span>" in page and "No person has completed yet" in page


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
