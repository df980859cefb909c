import json
import re
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Team, User
from materials.models import Classifier, Dataset, Run
from tests.campaigns.actors import draft
from tests.conftest import signed_in
from tests.materials.actors import films, judge
from tests.materials.explained import explain
from tests.materials.passport.building import EXPLAINED, known_classifier

pytestmark = pytest.mark.django_db
PAGE = "/classifiers/critic/passport/"
JSON, FIGURE = "/classifiers/critic/passport.json", "/classifiers/critic/passport.svg"
Known = tuple[Classifier, Dataset]


@pytest.fixture
def known(team: Team) -> Known:
    return known_classifier(team)


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda name, args: None)


def answers(**given: Any) -> dict[str, Any]:
    return {"dataset": "films", "texts": 4, "methods": ["gradient", "lime"], "metrics": ["aopc"]} | given


def compute(client: Client, **given: Any) -> Any:
    return client.post(PAGE + "compute/", answers(**given))


def test_it_works(known: Known, alice: User) -> None:
    page = signed_in(alice).get(PAGE).content.decode()
    assert "Attention (all layers) ranks best of 8 methods" in page
    assert "on 12 texts" in page and "6: no removal changes the prediction" in page
    assert "mean tau-b of 12 pairs of maps" in page and re.search(r"\d of \d passed", page)
    assert f'hx-get="{FIGURE}?dataset=films"' in page and "style=" not in page


def test_the_figure_follows_the_page_and_is_a_file(known: Known, alice: User) -> None:
    client = signed_in(alice)
    part = client.get(FIGURE + "?dataset=films", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith("<figure") and part.count("<svg") == 2 and "Tau-LOO" in part and "style=" not in part
    response = client.get(FIGURE + "?dataset=films")
    assert response.headers["Content-Type"].startswith("image/svg+xml") and response.content.startswith(b"<svg")


def test_without_two_methods_there_is_no_figure(team: Team, alice: User) -> None:
    films(team, {"neg": 2, "pos": 2})
    judge(team, ["neg", "pos"])
    assert signed_in(alice).get(FIGURE).status_code == 404


def test_json_has_all_of_it(known: Known, alice: User) -> None:
    found = json.loads(signed_in(alice).get(f"{JSON}?dataset=films").content)
    assert [row["method"] for row in found["methods"]] == list(EXPLAINED)
    flip = found["methods"][0]["metrics"]["decision_flip"]
    assert (flip["n"], flip["undefined"]) == (6, {"no removal changes the prediction": 6})
    assert found["methods"][1]["completeness"] == {"median": None, "share_large": None, "n": 0, "status": "claims_none"}
    assert found["meta"]["n_texts"] == 12 and len(found["agreement"]["cells"]) == 6


def test_json_of_one_method(known: Known, alice: User) -> None:
    found = json.loads(signed_in(alice).get(f"{JSON}?dataset=films&method=lime").content)
    assert [row["method"] for row in found["methods"]] == ["lime"] and found["methods"][0]["stability"]["seeds"] == [1]
    assert signed_in(alice).get(f"{JSON}?dataset=films&method=magic").status_code == 404


def test_without_explanations_it_says_what_it_is_for(team: Team, alice: User) -> None:
    judge(team, ["neg", "pos"])
    assert "There are no texts yet" in signed_in(alice).get(PAGE).content.decode()
    films(team, {"neg": 2, "pos": 2})
    page = signed_in(alice).get(PAGE).content.decode()
    assert "Nothing is explained yet" in page and "Compute for" in page


def test_the_dataset_that_was_explained_comes_first(known: Known, team: Team, alice: User) -> None:
    films(team, {"neg": 2}, words=9, name="Newer")
    assert 'of <a href="/datasets/films/">' in signed_in(alice).get(PAGE).content.decode()
    page = signed_in(alice).get(PAGE + "?dataset=newer").content.decode()
    assert "Nothing is explained yet" in page and '<option value="newer" selected>' in page


def test_one_map_is_shown_without_ranks(team: Team, alice: User) -> None:
    dataset, classifier = films(team, {"pos": 1}), judge(team, ["neg", "pos"])
    text = dataset.texts.get()
    text.predictions.create(classifier=classifier, label="pos", probabilities=[0.1, 0.9])
    explain(classifier, text, "lime", values={"aopc": 0.25})
    page = signed_in(alice).get(PAGE).content.decode()
    assert "no text was explained under a second seed" in page and FIGURE not in page


def test_the_button_starts_both_runs_once(known: Known, alice: User) -> None:
    for _ in range(2):
        assert compute(signed_in(alice)).url == PAGE + "?dataset=films"
    assert [len(run.methods) for run in Run.objects.order_by("pk")] == [2, 1]
    page = signed_in(alice).get(PAGE).content.decode()
    assert "Explaining and scoring" in page and "Explaining under a second seed" in page and "0 of 4 texts" in page


def test_a_run_that_is_cancelled_leads_back(known: Known, alice: User) -> None:
    compute(signed_in(alice))
    run = Run.objects.order_by("pk")[0]
    assert signed_in(alice).post(f"/runs/{run.pk}/cancel/").headers["Location"] == PAGE + "?dataset=films"


def test_without_a_queue_it_says_so(
    known: Known,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def refuse(name: str, args: list[int]) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(current_app, "send_task", refuse)
    client = signed_in(alice)
    with django_capture_on_commit_callbacks(execute=True):
        compute(client)
    assert not Run.objects.filter(state=Run.State.RUNNING).exists()


def test_the_estimate_follows_what_is_ticked(known: Known, alice: User) -> None:
    page = signed_in(alice).post(PAGE + "estimate/", answers(texts=9)).content.decode()
    assert "of one worker process" in page and ">9<" in page
    page = signed_in(alice).post(PAGE + "estimate/", answers(methods=[])).content.decode()
    assert "Choose at least one method" in page


def test_what_cannot_be_is_said(known: Known, alice: User) -> None:
    page = compute(signed_in(alice), texts=1).content.decode()
    assert "Some answers need another look" in page and not Run.objects.exists()


def test_a_classifier_that_is_not_ready_computes_nothing(known: Known, alice: User) -> None:
    Classifier.objects.update(state=Classifier.State.FAILED)
    assert "Compute for" not in signed_in(alice).get(PAGE).content.decode()
    compute(signed_in(alice))
    assert not Run.objects.exists()


def test_wrong_methods_are_refused(known: Known, alice: User) -> None:
    client = signed_in(alice)
    assert [client.post(url).status_code for url in (PAGE, JSON, FIGURE)] == [405] * 3
    assert [client.get(f"{PAGE}{end}/").status_code for end in ("compute", "estimate")] == [405, 405]


def test_others_do_not_know_of_it(known: Known, charlie: User) -> None:
    client = signed_in(charlie)
    assert [client.get(url).status_code for url in (PAGE, JSON, FIGURE)] == [404] * 3
    assert [client.post(f"{PAGE}{end}/", answers()).status_code for end in ("compute", "estimate")] == [404, 404]
    assert Client().get(PAGE).status_code == 302


def test_readers_look_but_start_nothing(known: Known, bob: User) -> None:
    page = signed_in(bob).get(PAGE).content.decode()
    assert "ranks best" in page and "Compute for" not in page
    assert compute(signed_in(bob)).status_code == 403 and not Run.objects.exists()


def test_another_team_s_dataset_is_none(known: Known, alice: User, charlie: User) -> None:
    other = charlie.memberships.get().team
    films(other, {"pos": 2}, words=7, name="Theirs")
    assert signed_in(alice).get(PAGE + "?dataset=theirs").status_code == 404
    assert compute(signed_in(alice), dataset="theirs").status_code == 404


def test_junk_in_the_address_is_no_error(known: Known, alice: User) -> None:
    client = signed_in(alice)
    for junk in ("%00", "%F0%9F%98%80", "films%27--", "a" * 500):
        assert client.get(f"{PAGE}?dataset={junk}").status_code in (400, 404), junk
        assert client.get(f"{JSON}?dataset=films&method={junk}").status_code in (400, 404), junk


def test_a_campaign_leads_to_it(team: Team, alice: User) -> None:
    page = signed_in(alice).get(draft(team).get_absolute_url()).content.decode()
    assert f'{PAGE}?dataset=films"' in page


def test_pages_lead_to_it(known: Known, alice: User) -> None:
    address = reverse("classifier_passport", args=["critic"])
    for page in ("/classifiers/critic/", "/datasets/films/"):
        assert f'{address}?dataset=films"' in signed_in(alice).get(page).content.decode(), page


def test_the_number_of_queries_does_not_grow(known: Known, team: Team, alice: User) -> None:
    client = signed_in(alice)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            client.get(PAGE)
        return len(found)

    before = queries()
    classifier, dataset = known
    for text in dataset.texts.all()[:5]:
        explain(classifier, text, "occlusion", values={"aopc": 0.1, "log_odds": 0.3})
    assert queries() == before
