import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.auditing import Act, record
from accounts.models import Team, User
from campaigns.models import Campaign, Launch, Place
from judging.models import Participation
from materials import explaining
from materials.models import Classifier, Import, Run, Text
from recruitment.linking import SIMULATED
from reports.models import ArchiveJob, ReportBuild
from tests.campaigns.actors import live
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture(autouse=True)
def no_counts_of_before() -> None:
    cache.clear()


def page(user: User) -> str:
    return signed_in(user).get(reverse("home")).content.decode()


def test_it_works(alice: User, team: Team) -> None:
    campaign = live(team)
    record(alice, team, Act.LAUNCHED, campaign)
    wanted = Place.objects.filter(campaign=campaign).count()
    Place.objects.filter(pk__in=Place.objects.filter(campaign=campaign)[:3]).update(state=Place.State.FILLED)
    shown = page(alice)
    assert f"3 of {wanted}" in shown and "Live" in shown and "Films · Critic" in shown
    assert "Needs attention" not in shown and "Under way" not in shown
    assert "<strong>alice</strong> launched campaign" in shown


def test_a_new_team_is_told_where_to_start(alice: User, team: Team) -> None:
    shown = page(alice)
    assert "Import texts" in shown and "Add a classifier" in shown and "Design a campaign" in shown
    films(team, {"pos": 1})
    assert page(alice).count("state-done") == 1


def test_an_analyst_of_an_empty_team_is_told_what_will_be_here(bob: User) -> None:
    shown = page(bob)
    assert "No campaigns yet" in shown and "Import texts" not in shown


def test_what_failed_comes_first(alice: User, team: Team) -> None:
    campaign = live(team)
    judge(team, ["neg", "pos"], "Broken")
    Classifier.objects.filter(name="Broken").update(state=Classifier.State.FAILED, error="No such file")
    ReportBuild.objects.create(campaign=campaign, key="k", state="failed", error="No room", created_at=timezone.now())
    upload(team, alice, "rejected", rejected=7)
    run = explaining.evaluate(films(team, {"pos": 2}, name="Fresh"), Classifier.objects.get(name="Critic"), alice)
    run.failures.create(text=Text.objects.filter(dataset=run.dataset)[0], reason="too strange")
    shown = page(alice)
    assert "Broken could not be loaded" in shown and "No such file" in shown
    assert "The report of Which words matter was not made" in shown
    assert "7 rows cannot be imported" in shown
    assert "Predictions of Fresh by Critic" in shown and "1 text failed." in shown
    assert shown.index("Needs attention") < shown.index('id="campaigns"')


def upload(team: Team, user: User, state: str, **fields: int) -> Import:
    return Import.objects.create(
        team=team, asked_by=user, upload=f"{user.pk}-{'x' * 22}", file="odd.csv", asked={}, state=state, **fields
    )


def test_what_was_made_since_it_failed_needs_nothing(alice: User, team: Team) -> None:
    dataset, classifier = films(team, {"pos": 2}), judge(team, ["pos"])
    run = explaining.evaluate(dataset, classifier, alice)
    for text in dataset.texts.all():
        run.failures.create(text=text, reason="too strange")
    assert "2 texts failed." in page(alice)
    predict_right(dataset, classifier)
    Run.objects.update(state=Run.State.DONE)
    assert "Needs attention" not in page(alice)


def test_finished_paused_and_unlaunched_campaigns_are_told(alice: User, team: Team) -> None:
    campaign = live(team)
    Place.objects.filter(campaign=campaign).update(state=Place.State.FILLED)
    assert "All judgments are in" in page(alice)
    Campaign.objects.update(state=Campaign.State.PAUSED)
    assert "Workers cannot go on until it is resumed" in page(alice)
    Campaign.objects.update(state=Campaign.State.READY)
    Launch.objects.create(campaign=campaign, state="failed", error="Out of disk")
    assert "was not launched" in page(alice)


def test_what_is_under_way_is_listed_with_its_progress(alice: User, team: Team) -> None:
    explaining.evaluate(films(team, {"pos": 3}), judge(team, ["pos"]), alice)
    upload(team, alice, "waiting")
    shown = page(alice)
    assert "Importing odd.csv" in shown and 'max="3" value="0"' in shown


def test_work_that_no_pay_file_knows_of_is_told_to_those_who_pay(alice: User, bob: User, team: Team) -> None:
    campaign = live(team, pay_per_worker=2)
    arrived = {"campaign": campaign, "named": True, "quota": 1, "state": "completed", "finished_at": timezone.now()}
    for number, parameters in enumerate(({}, {}, {SIMULATED: "1"})):
        Participation.objects.create(**arrived, worker_hash=str(number), parameters=parameters)
    assert "2 workers completed since the last pay file" in page(alice)
    assert "To be paid" not in page(bob)
    record(alice, team, Act.PAY_FILE, campaign)
    assert "To be paid" not in page(alice)


def test_what_is_put_aside_is_left_out(alice: User, team: Team) -> None:
    live(team)
    Campaign.objects.update(state=Campaign.State.PAUSED, archived_at=timezone.now())
    shown = page(alice)
    assert "Which words matter" not in shown and "Needs attention" not in shown


def test_its_queries_do_not_grow_with_the_campaigns(alice: User, team: Team) -> None:
    campaign = live(team)
    client = signed_in(alice)
    counts = []
    for turn in range(2):
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("home"))
        counts.append(len(queries))
        for number in range(5):
            campaign.pk, campaign.slug = None, f"copy-{turn}-{number}"
            campaign._state.adding = True
            campaign.save()
    assert counts[0] == counts[1] <= 30


def test_another_team_sees_nothing_of_it(charlie: User, alice: User, team: Team) -> None:
    record(alice, team, Act.LAUNCHED, live(team))
    upload(team, alice, "waiting")
    shown = page(charlie)
    assert "Which words matter" not in shown and "odd.csv" not in shown and "launched" not in shown


def test_it_is_for_researchers(client: Client, alice: User) -> None:
    assert client.get("/").headers["Location"] == "/sign-in/?next=/"
    assert signed_in(alice).post("/").status_code == 405


def test_a_failed_import_is_dismissed_also_where_its_file_is_gone(alice: User, team: Team) -> None:
    row = upload(team, alice, "failed")
    address = reverse("dataset_discard", args=[row.token])
    assert f'action="{address}"' in page(alice)
    for _ in range(2):  # The second comes from another tab.
        assert signed_in(alice).post(address, {"from": "home"}).headers["Location"] == reverse("home")
    assert not Import.objects.exists() and "Needs attention" not in page(alice)


def test_a_failed_archive_is_dismissed_by_whoever_brought_it(alice: User, eve: User, team: Team) -> None:
    common = {"kind": "import", "team": team, "asked_by": alice, "file": "films.zip"}
    failed = ArchiveJob.objects.create(state="failed", error="Half of it.", token="f" * 22, **common)
    waiting = ArchiveJob.objects.create(state="waiting", token="w" * 22, **common)
    assert "films.zip is not imported" in page(alice)
    for user, job in ((eve, failed), (alice, waiting), (alice, failed), (alice, failed)):
        answer = signed_in(user).post(reverse("archive_dismiss", args=[job.pk]))
        assert answer.headers["Location"] == reverse("home")
        assert ArchiveJob.objects.filter(pk=failed.pk).exists() == ((user, job) != (alice, failed))
    assert ArchiveJob.objects.get() == waiting and "films.zip is not imported" not in page(alice)


def test_what_waits_is_not_said_to_run(alice: User, team: Team) -> None:
    upload(team, alice, "waiting")
    assert "Waiting for a worker process" in page(alice) and "Running" not in page(alice)
