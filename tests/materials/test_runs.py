import pytest
from django.urls import reverse

from accounts.models import Team, User
from materials import explaining
from materials.models import Run
from tests.conftest import signed_in
from tests.materials.actors import films, judge


@pytest.fixture
def run(team: Team) -> Run:
    return explaining.evaluate(films(team, {"pos": 3}), judge(team, ["pos"]), None)


def test_it_works(alice: User, run: Run) -> None:
    page = signed_in(alice).get(reverse("run_progress", args=[run.pk])).content.decode()
    assert "0 of 3 texts" in page and "Waiting for a worker process" in page and "Cancel" in page


def test_it_is_cancelled_and_resumed(alice: User, run: Run) -> None:
    client = signed_in(alice)
    client.post(reverse("run_action", args=[run.pk, "cancel"]))
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    assert "Resume" in client.get(reverse("run_progress", args=[run.pk])).content.decode()
    client.post(reverse("run_action", args=[run.pk, "resume"]))
    run.refresh_from_db()
    assert run.state == Run.State.RUNNING


def test_the_page_is_loaded_anew_when_it_has_ended(alice: User, run: Run) -> None:
    explaining.cancel(run)
    response = signed_in(alice).get(reverse("run_progress", args=[run.pk]), headers={"HX-Request": "true"})
    assert response.headers["HX-Refresh"] == "true"


def test_other_methods_and_actions_are_refused(alice: User, run: Run) -> None:
    client = signed_in(alice)
    assert client.post(reverse("run_progress", args=[run.pk])).status_code == 405
    assert client.get(reverse("run_action", args=[run.pk, "cancel"])).status_code == 405
    assert client.post(f"/runs/{run.pk}/delete/").status_code == 404


def test_another_team_s_is_not_found(charlie: User, run: Run) -> None:
    client = signed_in(charlie)
    assert client.get(reverse("run_progress", args=[run.pk])).status_code == 404
    assert client.post(reverse("run_action", args=[run.pk, "cancel"])).status_code == 404


def test_a_reader_cancels_nothing(bob: User, run: Run) -> None:
    client = signed_in(bob)
    assert b"Cancel" not in client.get(reverse("run_progress", args=[run.pk])).content
    assert client.post(reverse("run_action", args=[run.pk, "cancel"])).status_code == 403
    run.refresh_from_db()
    assert run.state == Run.State.RUNNING
