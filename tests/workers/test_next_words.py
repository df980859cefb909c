"""A language model's next words through the real tasks: added on the page, evaluated, explained, shown to workers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from celery import current_app
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Team, User
from campaigns.creating import create_campaign
from campaigns.launching import launch
from campaigns.models import Campaign, Stimulus
from campaigns.preparing import prepare, settle
from materials.explaining import evaluate
from materials.models import Classifier, Dataset, Explanation, Failure, MetricScore, Prediction, Text
from tests.conftest import signed_in
from tests.materials.actors import sha256
from tests.workers.tiny import save_language_model
from workers import tasks

SUBJECTS = ("film", "tests", "words", "people")
METHODS = ["gradient", "integrated_gradients", "attention_last", "lime", "random"]
OnCommit = DjangoCaptureOnCommitCallbacks


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_language_model(tmp_path_factory.mktemp("lm"), "gpt2")


@pytest.fixture
def sentences(team: Team) -> Dataset:
    """What comes next is one of two words, by the number of the subject."""
    dataset = Dataset.objects.create(team=team, name="Number", slug="number", language="en")
    for noun in SUBJECTS:
        for rest in ("really", "of the people", "and a bad film", "not of the tests"):
            content, label = f"the {noun} {rest}", "were" if noun != "film" else "was"
            Text.objects.create(
                dataset=dataset, key=content, content=content, content_hash=sha256(content), label=label
            )
    return dataset


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks run where they are sent, by the functions that worker processes run."""
    known: dict[str, Callable[[int], None]] = {
        task.name: task for task in (tasks.register_classifier, tasks.predict_chunk, tasks.explain_chunk)
    }
    monkeypatch.setattr(current_app, "send_task", lambda name, args: known[name](*args))


def add(user: User, team: Team, folder: Path, on_commit: OnCommit, **words: str) -> Classifier:
    data = {"team": team.pk, "name": "Number", "source": str(folder)} | words
    with on_commit(execute=True):
        signed_in(user).post(reverse("classifier_add"), data)
    return Classifier.objects.get()


@pytest.mark.parametrize("contrast", [{}, {"contrast": "on"}])
def test_it_works(
    alice: User,
    team: Team,
    folder: Path,
    sentences: Dataset,
    django_capture_on_commit_callbacks: OnCommit,
    contrast: dict[str, str],
) -> None:
    on_commit = django_capture_on_commit_callbacks
    classifier = add(alice, team, folder, on_commit, words="was, were", **contrast)
    assert (classifier.state, classifier.error) == ("ready", "")
    assert (classifier.kind, classifier.label_names) == ("causal-lm", ["was", "were"])
    with on_commit(execute=True):
        evaluate(sentences, classifier, alice)
    totals = [sum(one.probabilities) for one in Prediction.objects.all()]
    assert len(totals) == 16
    assert all(total == pytest.approx(1) if contrast else total < 0.5 for total in totals)
    fields = {"methods": METHODS, "ks": [1, 2], "texts_per_label": 2, "judgments_per_stimulus": 2}
    campaign = create_campaign(team, "Number", "topk_guess", sentences, classifier, completion_code="C0DE", **fields)
    with on_commit(execute=True):
        prepare(campaign, alice)
    campaign.refresh_from_db()
    settle(campaign)
    assert (campaign.state, campaign.notices) == (Campaign.State.READY, [])
    sampled = campaign.sample.count()
    assert Explanation.objects.count() == sampled * len(METHODS)
    assert MetricScore.objects.count() == 2 * Explanation.objects.count()
    assert not Failure.objects.exists()
    launch(campaign)
    assert Stimulus.objects.filter(campaign=campaign).count() >= 4 * len(METHODS) * 2


def test_without_words_the_page_says_what_to_give(
    alice: User, team: Team, folder: Path, django_capture_on_commit_callbacks: OnCommit
) -> None:
    classifier = add(alice, team, folder, django_capture_on_commit_callbacks)
    page = signed_in(alice).get(classifier.get_absolute_url()).content.decode()
    assert "predicts any next word: say which ones to compare, on the page as next words" in page
