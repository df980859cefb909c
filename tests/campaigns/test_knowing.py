import json
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from accounts.models import Team, User
from campaigns import knowing
from campaigns.knowing import known_lines
from catalogue.answering import known_answers
from catalogue.tasks import FAILED, PASSED
from materials.models import Classifier, Dataset
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

pytestmark = pytest.mark.django_db
WIZARD = "/campaigns/new/?protocol=topk_guess&dataset=films&classifier=critic"


@pytest.fixture(autouse=True)
def answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random passes one task and fails another; LIME was tried at nothing."""
    rows = {
        task: {
            "meta": {},
            "methods": [{"method": "random", "params": {}, "verdict": verdict, "reason": "", "figures": {}}],
        }
        for task, verdict in (("planted", FAILED), ("agreement", PASSED))
    }
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(rows))
    monkeypatch.setattr(knowing, "known_answers", lambda: known_answers(path))


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"pos": 6})


@pytest.fixture
def classifier(team: Team, dataset: Dataset) -> Classifier:
    classifier = judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return classifier


def explain_all(classifier: Classifier, dataset: Dataset) -> None:
    for at, text in enumerate(dataset.texts.all()):
        values = {"comprehensiveness": 0.3 + 0.02 * (at % 2), "sufficiency": 0.1}
        explain(classifier, text, "integrated_gradients", values=values, seconds=0.04, error=0.01)
        explain(classifier, text, "lime", values={"comprehensiveness": 0.2}, seconds=2.5)
        explain(classifier, text, "lime", values={"comprehensiveness": 0.9}, params={"samples": 5})


def test_it_works(classifier: Classifier, dataset: Dataset) -> None:
    explain_all(classifier, dataset)
    assert known_lines(classifier, dataset) == {
        "integrated_gradients": "Comprehensiveness 0.31 (rank 2 of 3), 40 ms a text, "
        "completeness error 1\N{NO-BREAK SPACE}%, on 6 texts",
        "lime": "Comprehensiveness 0.20 (rank 3 of 3), 2.5 s a text, on 6 texts",
        "random": "Passed: agreement; failed: planted word",
    }


def test_where_nothing_is_known_nothing_is_said(classifier: Classifier, dataset: Dataset) -> None:
    assert list(known_lines(classifier, dataset)) == ["random"]


def test_another_metric_stands_in(classifier: Classifier, dataset: Dataset) -> None:
    for text in dataset.texts.all():
        explain(classifier, text, "gradient", values={"sufficiency": -0.125})
    line = known_lines(classifier, dataset)["gradient"]
    assert line == "Sufficiency \N{MINUS SIGN}0.12, 100 ms a text, on 6 texts"


def test_the_wizard_says_it(classifier: Classifier, dataset: Dataset, alice: User) -> None:
    explain_all(classifier, dataset)
    page = signed_in(alice).get(WIZARD).content.decode()
    assert 'aria-describedby="known-lime"' in page and "2.5 s a text" in page
    assert "/classifiers/critic/passport/?dataset=films" in page
    assert "known-gradient" not in page


def test_the_number_of_queries_does_not_grow_with_methods(
    classifier: Classifier, dataset: Dataset, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    explain_all(classifier, dataset)
    with django_assert_num_queries(4):
        known_lines(classifier, dataset)
    client = signed_in(alice)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(WIZARD)
        return len(found)

    before = queries()
    for text in dataset.texts.all():
        for method in ("gradient", "occlusion", "attention_all", "random"):
            explain(classifier, text, method, values={"comprehensiveness": 0.1})
    assert queries() == before
