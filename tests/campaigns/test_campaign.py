import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, Team, User
from campaigns.acting import ACTIONS
from campaigns.creating import copy_campaign
from campaigns.describing import flags
from campaigns.launching import launch
from campaigns.models import Campaign
from campaigns.moving import close
from campaigns.preparing import prepare, settle
from materials import explaining
from materials.models import Prediction, Run
from tests.campaigns.actors import carry_out_launch, draft, live, preparing, ready, work
from tests.conftest import signed_in

URL = "/campaigns/which-words-matter/"
HTMX = {"HX-Request": "true"}


def test_it_works_from_draft_to_closed(alice: User, team: Team) -> None:
    """Every button of the page in turn."""
    client, campaign = signed_in(alice), draft(team)
    assert "Next: prepare it" in client.get(URL).content.decode()
    client.post(URL + "prepare/")
    assert "Computing the explanations" in client.get(URL).content.decode()
    campaign.refresh_from_db()
    work(campaign)
    assert client.get(URL + "progress/", headers=HTMX).headers["HX-Refresh"] == "true"
    shown = client.get(URL).content.decode()
    assert "look at it, then launch" in shown and "6 texts: 3 neg, 3 pos." in shown
    client.post(URL + "launch/")
    assert "Waiting for a worker process" in client.get(URL).content.decode()
    assert b"Waiting for a worker process" in client.get(URL + "launching/", headers=HTMX).content
    carry_out_launch(campaign)
    assert client.get(URL + "launching/", headers=HTMX).headers["HX-Refresh"] == "true"
    shown = client.get(URL).content.decode()
    assert "http://testserver/w/which-words-matter/" in shown and "with the same <code>worker</code>" in shown
    for action, state in (("pause", "paused"), ("resume", "live"), ("close", "closed")):
        client.post(URL + f"{action}/")
        campaign.refresh_from_db()
        assert campaign.state == state
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts) == ["prepared", "launched", "paused", "resumed", "closed"]
    assert "no more judgments are taken" in client.get(URL).content.decode()


def test_missing_predictions_come_first(alice: User, team: Team) -> None:
    campaign, client = draft(team, only_correct=True), signed_in(alice)
    Prediction.objects.all().delete()
    page = client.get(URL).content.decode()
    assert "Next: evaluate the classifier" in page and "Evaluate Critic" in page
    client.post(URL + "evaluate/")
    assert Run.objects.get().kind == Run.Kind.PREDICT
    assert "the classifier is predicting" in client.get(URL).content.decode()
    client.post(URL + "prepare/")
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.DRAFT


def test_what_evaluating_cannot_mend_is_told(alice: User, team: Team) -> None:
    campaign, client = draft(team), signed_in(alice)
    Prediction.objects.all().delete()
    assert "Evaluate the classifier first" in client.get(URL).content.decode()
    campaign.classifier.state = "failed"
    campaign.classifier.save()
    page = client.get(URL).content.decode()
    assert "something is in the way" in page and "is not ready" in page and "Evaluate" not in page
    assert b"is not ready" in client.post(URL + "evaluate/", follow=True).content


def test_preparing_is_cancelled_and_resumed(alice: User, team: Team) -> None:
    campaign, client = preparing(team), signed_in(alice)
    assert b"0 of 8 texts" in client.get(URL + "progress/", headers=HTMX).content
    client.post(URL + "cancel/")
    assert "Resume" in client.get(URL).content.decode()
    client.post(URL + "continue/")
    assert campaign.run
    campaign.run.refresh_from_db()
    assert campaign.run.state == Run.State.RUNNING
    client.post(URL + "draft/")
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.DRAFT and campaign.run is None


def test_failed_texts_are_named(alice: User, team: Team) -> None:
    campaign = preparing(team)
    failed = campaign.sample.filter(role="item")[0].text
    work(campaign, failing=frozenset({failed.pk}))
    page = signed_in(alice).get(URL).content.decode()
    assert "1 text could not be explained" in page and failed.key in page and "too strange" in page


def test_a_second_click_is_told_so(alice: User, team: Team) -> None:
    client, campaign = signed_in(alice), ready(team)
    client.post(URL + "launch/")
    assert b"Being launched" in client.post(URL + "launch/", follow=True).content
    carry_out_launch(campaign)
    response = client.post(URL + "launch/", follow=True)
    assert b"The campaign is live by now; this needs it ready." in response.content


def test_methods_that_miss_what_they_claim_are_flagged(alice: User, team: Team) -> None:
    campaign = preparing(team, methods=["integrated_gradients", "deeplift", "random"])
    assert flags(campaign) == []
    work(campaign, errors={"deeplift": -0.4})
    assert [(flag.label, flag.percent) for flag in flags(campaign)] == [("DeepLIFT", 40)]
    assert "Here they miss it by 40 %" in signed_in(alice).get(URL).content.decode()


def test_the_page_tells_findings_with_their_remedies(alice: User, team: Team) -> None:
    ready(team, pay_per_worker="0.10")
    page = signed_in(alice).get(URL).content.decode()
    assert "under the least of 8" in page and "Pay at least" in page and "look again" in page
    assert "launch/" in page


def test_what_would_lose_workers_takes_the_launch_away(alice: User, team: Team) -> None:
    campaign = ready(team, exit_redirect="https://app.prolific.co/submissions/complete?cc={code}")
    client = signed_in(alice)
    page = client.get(URL).content.decode()
    assert "mend what would lose workers" in page and "in the way" in page and "launch/" not in page
    response = client.post(URL + "launch/", follow=True)
    assert "Prolific is at app.prolific.com by now." in response.content.decode()
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.READY and not campaign.stimuli.exists()


def test_the_page_takes_the_same_queries_for_any_number_of_stimuli(alice: User, team: Team) -> None:
    few = live(team, texts=10, texts_per_label=2)
    many = copy_campaign(few)
    Campaign.objects.filter(pk=many.pk).update(texts_per_label=8)
    prepare(many, None)
    work(many)
    settle(many)
    launch(many)
    client, counts = signed_in(alice), []
    for campaign in (few, many):
        with CaptureQueriesContext(connection) as queries:
            client.get(campaign.get_absolute_url())
        counts.append(len(queries))
    assert (few.stimuli.count(), many.stimuli.count()) == (18, 66)
    assert counts[0] == counts[1] < 25


def test_the_list_shows_states(alice: User, team: Team) -> None:
    close(live(team))
    page = signed_in(alice).get(reverse("campaign_list")).content.decode()
    assert "Which words matter" in page and "Closed" in page


def test_an_empty_list_says_what_to_do(alice: User) -> None:
    assert b"No campaigns yet" in signed_in(alice).get(reverse("campaign_list")).content


def test_other_methods_and_actions_are_refused(alice: User, team: Team) -> None:
    draft(team)
    client = signed_in(alice)
    assert client.post(URL).status_code == client.post(URL + "progress/").status_code == 405
    assert {client.get(URL + f"{action}/").status_code for action in ACTIONS} == {405}
    assert client.post(URL + "explode/").status_code == 404


def test_another_team_s_is_not_found(charlie: User, team: Team) -> None:
    ready(team)
    client = signed_in(charlie)
    for page in ("", "progress/", "launching/", "preview/"):
        assert client.get(URL + page).status_code == 404
    assert {client.post(URL + f"{action}/").status_code for action in ACTIONS} == {404}
    assert b"Which words" not in client.get("/campaigns/").content


def test_a_reader_gets_neither_the_link_nor_the_code(alice: User, bob: User, team: Team) -> None:
    campaign = live(team, completion_code="PAID-FOR-THIS")
    for user, told in ((alice, True), (bob, False)):
        page = signed_in(user).get(campaign.get_absolute_url()).content.decode()
        assert ("PAID-FOR-THIS" in page, 'id="worker-link"' in page) == (told, told)


def test_a_reader_looks_but_changes_nothing(bob: User, team: Team) -> None:
    campaign, client = ready(team), signed_in(bob)
    page = client.get(URL).content.decode()
    assert "look at it, then launch" in page and "<form" not in page.split("<main")[1]
    assert {client.post(URL + f"{action}/").status_code for action in ACTIONS} == {403}
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.READY


@pytest.mark.parametrize(("condition", "shown"), [("1", 2), ("2", 5), ("4", 5), ("99", 2), ("x", 2)])
def test_the_preview_shows_what_a_worker_sees(alice: User, team: Team, condition: str, shown: int) -> None:
    ready(team)
    page = signed_in(alice).get(URL + f"preview/?text=2&condition={condition}").content.decode()
    frame = page.split('class="preview-frame"')[1].split("<details")[0]
    assert frame.count('class="shown"') == shown and 'type="submit"' not in frame
    assert "gradient" not in frame.lower() and "random" not in frame.lower()


def test_the_preview_of_a_live_campaign_is_the_stored_stimulus(alice: User, team: Team) -> None:
    campaign, client = ready(team), signed_in(alice)
    before = client.get(URL + "preview/?text=3&condition=2").content
    client.post(URL + "launch/")
    carry_out_launch(campaign)
    after = client.get(URL + "preview/?text=3&condition=2").content
    frame = before.split(b'class="preview-frame"')[1].split(b"<details")[0]
    assert frame in after
    assert explaining.progress(campaign.run).percent == 100 if campaign.run else False


def test_there_is_no_preview_of_a_draft(alice: User, team: Team) -> None:
    draft(team)
    assert signed_in(alice).get(URL + "preview/").status_code == 404
