"""Against a real HTTP server that plays Prolific."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from accounts.models import Team
from campaigns.models import Campaign, Place
from judging import recruiting
from judging.arriving import arrive
from judging.assigning import assign_next
from judging.excluding import exclude
from judging.models import BonusPayment, Participation, ProlificStudy, ProlificSubmission
from judging.recording import record
from recruitment.prolific_api import AnswerLost, ProlificError
from tests.judging.building import CODE, live_campaign
from tests.recruitment.prolific_server import TOKEN, PlayedProlific, play_prolific

State = Participation.State


@pytest.fixture
def prolific(settings: Any) -> Iterator[PlayedProlific]:
    with play_prolific() as played:
        settings.PROLIFIC_API_URL, settings.PROLIFIC_API_TOKEN = played.url, TOKEN
        played.add_study("s1")
        yield played


@pytest.fixture
def campaign(team: Team, prolific: PlayedProlific) -> Campaign:
    exits = {"declined": {"code": "NO1", "redirect": "", "message": ""}}
    campaign = live_campaign(team, recruitment="prolific", exit_redirect="", exits=exits, pay_per_worker="2.50")
    recruiting.link_study(campaign, "s1")
    return campaign


def came(campaign: Campaign, number: int, state: State, judged: bool = False) -> Participation:
    """Worker `number`, with the submission of that number."""
    participation = arrive(campaign, {"PROLIFIC_PID": f"pid{number}", "SESSION_ID": f"sub{number}"})
    assert participation
    if judged:
        Participation.objects.filter(pk=participation.pk).update(state=State.PRACTISED)
        assignment = assign_next(participation).assignment
        assert assignment
        record(assignment, {"answer": "positive"})
    Participation.objects.filter(pk=participation.pk).update(state=state)
    participation.refresh_from_db()
    return participation


def asked(prolific: PlayedProlific, end: str) -> list[Any]:
    return [body for method, path, body in prolific.asked if path.endswith(end) and method == "POST"]


@pytest.mark.django_db
def test_it_works(campaign: Campaign, prolific: PlayedProlific) -> None:
    study = ProlificStudy.objects.get()
    assert (study.study_id, study.status, study.places, study.taken) == ("s1", "ACTIVE", 10, 4)
    came(campaign, 1, State.COMPLETED)
    prolific.add_submission("sub1", "pid1", "AWAITING REVIEW", entered_code=CODE)
    assert recruiting.read(campaign).done == 1
    row = ProlificSubmission.objects.get()
    assert (row.status, row.entered_code, row.return_requested) == ("AWAITING REVIEW", CODE, False)
    assert "pid1" not in str(ProlificSubmission.objects.values())


@pytest.mark.django_db
def test_a_study_that_prolific_does_not_know_is_not_linked(team: Team, prolific: PlayedProlific) -> None:
    with pytest.raises(ProlificError, match="knows nothing by that id"):
        recruiting.link_study(live_campaign(team), "s9")
    assert not ProlificStudy.objects.exists()


@pytest.mark.django_db
def test_a_study_recruits_for_one_campaign(team: Team, campaign: Campaign, prolific: PlayedProlific) -> None:
    with pytest.raises(ProlificError, match="linked already"):
        recruiting.link_study(live_campaign(team, slug="other"), "s1")
    prolific.add_study("s2")
    with pytest.raises(ProlificError, match="linked already"):
        recruiting.link_study(campaign, "s2")


@pytest.mark.django_db
def test_a_draft_carries_the_link_the_codes_and_the_pay(team: Team, prolific: PlayedProlific) -> None:
    exits = {"declined": {"code": "NO1", "redirect": "", "message": ""}}
    campaign = live_campaign(team, recruitment="prolific", exits=exits, pay_per_worker="2.50")
    campaign.refresh_from_db()
    recruiting.draft_study(campaign, "Reading", "Read.", "https://x.org/w/films/", 12)
    (sent,) = asked(prolific, "/studies/")
    assert sent["reward"] == 250 and sent["total_available_places"] == 12
    assert {code["code"] for code in sent["completion_codes"]} == {CODE, "NO1"}
    assert ProlificStudy.objects.get().study_id == "new"
    with pytest.raises(ProlificError, match="linked to this campaign already"):
        recruiting.draft_study(campaign, "Reading", "Read.", "https://x.org/", 12)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_make_one_draft(team: Team, prolific: PlayedProlific) -> None:
    campaign = live_campaign(team, recruitment="prolific", pay_per_worker="2.50")
    campaign.refresh_from_db()

    def ask(number: int) -> str:
        try:
            recruiting.draft_study(campaign, "Reading", "Read.", "https://x.org/w/films/", 12)
        except ProlificError as error:
            return str(error)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(ask, range(4)))
    assert told.count("") == 1 and ProlificStudy.objects.count() == 1
    assert len(asked(prolific, "/studies/")) == 1


@pytest.mark.django_db
def test_what_changed_there_has_its_effect_here_once(campaign: Campaign, prolific: PlayedProlific) -> None:
    wanda = came(campaign, 1, State.PRACTISED, judged=True)
    prolific.add_submission("sub1", "pid1", "RETURNED")
    recruiting.read(campaign)
    recruiting.read(campaign)
    wanda.refresh_from_db()
    assert wanda.state == "returned" and campaign.places.filter(state=Place.State.VOID).count() == 1


@pytest.mark.django_db
def test_reading_what_is_known_again_is_no_work(
    campaign: Campaign, prolific: PlayedProlific, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        prolific.add_submission(f"sub{number}", f"pid{number}", "ACTIVE")
    assert recruiting.read(campaign).done == 30
    before = ProlificSubmission.objects.earliest("pk").status_at
    prolific.submissions["sub7"]["status"] = "TIMED-OUT"
    with django_assert_max_num_queries(12):
        assert recruiting.read(campaign).done == 30
    assert ProlificSubmission.objects.get(submission_id="sub7").status == "TIMED-OUT"
    assert ProlificSubmission.objects.earliest("pk").status_at > before


@pytest.mark.django_db
def test_only_those_who_completed_and_count_are_approved(campaign: Campaign, prolific: PlayedProlific) -> None:
    came(campaign, 1, State.COMPLETED)
    came(campaign, 2, State.SCREENED_OUT)
    exclude(came(campaign, 3, State.COMPLETED), "Too fast")
    came(campaign, 4, State.COMPLETED)
    for number in range(1, 6):
        prolific.add_submission(f"sub{number}", f"pid{number}", "ACTIVE" if number == 4 else "AWAITING REVIEW")
    assert recruiting.approve_completed(campaign).done == 1
    assert asked(prolific, "/bulk-approve/") == [{"submission_ids": ["sub1"]}]
    assert not asked(prolific, "/transition/")


@pytest.mark.django_db
def test_with_nobody_to_approve_nothing_is_sent(campaign: Campaign, prolific: PlayedProlific) -> None:
    assert recruiting.approve_completed(campaign).done == 0
    assert asked(prolific, "/bulk-approve/") == []


@pytest.mark.django_db
def test_a_stranger_with_somebodys_session_is_not_approved(campaign: Campaign, prolific: PlayedProlific) -> None:
    came(campaign, 1, State.COMPLETED)
    prolific.add_submission("sub1", "another", "AWAITING REVIEW")
    assert recruiting.approve_completed(campaign).done == 0


@pytest.mark.django_db
def test_those_who_were_sent_away_are_asked_for_a_return_once(campaign: Campaign, prolific: PlayedProlific) -> None:
    came(campaign, 1, State.SCREENED_OUT)
    came(campaign, 2, State.DECLINED)
    came(campaign, 3, State.COMPLETED)
    for number in range(1, 4):
        prolific.add_submission(f"sub{number}", f"pid{number}", "AWAITING REVIEW")
    assert recruiting.request_returns(campaign) == recruiting.Tally(2)
    assert recruiting.request_returns(campaign) == recruiting.Tally(0)
    said = [body["request_return_reasons"] for body in asked(prolific, "/request-return/")]
    assert said == [["The questions before the work were not answered as the study needs."], ["Consent was not given."]]


@pytest.mark.django_db
def test_returns_are_asked_for_in_portions(
    campaign: Campaign, prolific: PlayedProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recruiting, "MOST_RETURNS_AT_ONCE", 2)
    for number in range(3):
        came(campaign, number, State.SCREENED_OUT)
        prolific.add_submission(f"sub{number}", f"pid{number}", "AWAITING REVIEW")
    assert recruiting.request_returns(campaign) == recruiting.Tally(2, 1)
    assert recruiting.request_returns(campaign) == recruiting.Tally(1)


@pytest.mark.django_db
def test_places_are_added_to_what_prolific_has_by_now(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.studies["s1"]["total_available_places"] = 15
    recruiting.add_places(campaign, 3)
    assert prolific.studies["s1"]["total_available_places"] == 18 == ProlificStudy.objects.get().places


@pytest.mark.django_db
def test_a_bonus_is_set_up_then_paid_once(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    payment = recruiting.set_up_bonuses(campaign, {"sub1": Decimal("1.5")})
    assert (payment.amounts, payment.total, prolific.paid) == ({"sub1": "1.50"}, "2.00", [])
    recruiting.pay_bonuses(payment)
    payment.refresh_from_db()
    assert payment.state == BonusPayment.State.SENT and payment.sent_at
    with pytest.raises(ProlificError, match="sent already"):
        recruiting.pay_bonuses(payment)
    assert prolific.paid == ["bonus1"]


@pytest.mark.django_db
def test_nobody_gets_two_bonuses_by_two_payments(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    one, two = (recruiting.set_up_bonuses(campaign, {"sub1": Decimal(1)}) for _ in range(2))
    recruiting.pay_bonuses(one)
    with pytest.raises(ProlificError, match="have a bonus from here already"):
        recruiting.pay_bonuses(two)
    with pytest.raises(ProlificError, match="sub1 has a bonus from here already"):
        recruiting.set_up_bonuses(campaign, {"sub1": Decimal(1)})


@pytest.mark.django_db
def test_a_payment_without_an_answer_is_not_sent_again(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    payment = recruiting.set_up_bonuses(campaign, {"sub1": Decimal(1)})
    prolific.fail(502)
    with pytest.raises(AnswerLost):
        recruiting.pay_bonuses(payment)
    payment.refresh_from_db()
    assert payment.state == BonusPayment.State.UNSURE
    with pytest.raises(ProlificError, match="sent already"):
        recruiting.pay_bonuses(payment)


@pytest.mark.django_db
def test_a_payment_that_was_refused_may_be_tried_again(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    payment = recruiting.set_up_bonuses(campaign, {"sub1": Decimal(1)})
    prolific.fail(400, body={"error": {"detail": "Not enough money."}})
    with pytest.raises(ProlificError, match="Not enough money"):
        recruiting.pay_bonuses(payment)
    recruiting.pay_bonuses(payment)
    assert prolific.paid == ["bonus1"]


@pytest.mark.django_db(transaction=True)
def test_many_clicks_pay_once(campaign: Campaign, prolific: PlayedProlific) -> None:
    prolific.add_submission("sub1", "pid1", "APPROVED")
    payment = recruiting.set_up_bonuses(campaign, {"sub1": Decimal(1)})

    def click(_: int) -> bool:
        try:
            recruiting.pay_bonuses(payment)
        except ProlificError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(click, range(8))) == 1
    assert prolific.paid == ["bonus1"]


@pytest.mark.django_db
def test_what_is_lacking_to_the_minimum_is_owed_once(
    campaign: Campaign, prolific: PlayedProlific, settings: Any
) -> None:
    settings.MINIMUM_HOURLY_PAY = 9.0
    for number, status in ((1, "APPROVED"), (2, "RETURNED"), (3, "AWAITING REVIEW")):
        wanda = came(campaign, number, State.COMPLETED)
        started = wanda.arrived_at + timedelta(minutes=15)
        Participation.objects.filter(pk=wanda.pk).update(started_at=started)
        prolific.add_submission(f"sub{number}", f"pid{number}", status)
    Campaign.objects.update(state="closed")
    recruiting.read(campaign)
    lacking = {"sub1": Decimal("0.25"), "sub3": Decimal("0.25")}  # 15 minutes at 9 an hour are 2.25; 2.00 were paid.
    campaign.pay_per_worker = Decimal("2.00")
    assert recruiting.owed(campaign) == lacking
    recruiting.pay_bonuses(recruiting.set_up_bonuses(campaign, {"sub1": lacking["sub1"]}))
    assert recruiting.owed(campaign) == {"sub3": Decimal("0.25")}


@pytest.mark.django_db
def test_prolific_takes_so_many_bonuses_at_once(campaign: Campaign) -> None:
    with pytest.raises(ProlificError, match="from 1 to 200"):
        recruiting.set_up_bonuses(campaign, {})
    with pytest.raises(ProlificError, match="from 1 to 200"):
        recruiting.set_up_bonuses(campaign, {f"s{number}": Decimal(1) for number in range(201)})
