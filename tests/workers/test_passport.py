"""From the button to the passport, through the real tasks and a real, tiny model."""

import pytest
from celery import current_app

from accounts.models import Team
from materials.models import Classifier, Dataset, Explanation, Run, Text
from materials.passport.composing import compose
from materials.passport.likening import liken
from materials.passport.loading import load
from materials.passport.starting import metrics_for, start
from tests.workers.test_tasks import CONTENTS, Folders
from workers.tasks import explain_chunk, register_classifier

METHODS = ["gradient", "integrated_gradients", "lime", "random"]


@pytest.mark.django_db
def test_it_works(team: Team, folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda name, args: None)
    dataset = Dataset.objects.create(team=team, name="Reviews", slug="reviews")
    for at, content in enumerate(CONTENTS):
        Text.objects.create(dataset=dataset, key=str(at), content=content, content_hash=str(at))
    classifier = Classifier.objects.create(team=team, name="Tiny", slug="tiny", source=str(folders("bert")))
    register_classifier(classifier.pk)
    classifier.refresh_from_db()
    metrics = metrics_for(classifier, dataset)
    for run in start(dataset, classifier, METHODS, metrics, 5, None):
        for chunk in run.chunks.all():
            explain_chunk(chunk.pk)
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.DONE}
    assert Explanation.objects.count() == 5 * (len(METHODS) + 2)  # LIME and Random again, under seed 1

    evidence = load(classifier, dataset)
    found = compose(evidence, liken(evidence), {})
    methods = {row["method"]: row for row in found["methods"]}
    assert list(methods) == METHODS and found["meta"]["n_texts"] == 5
    assert {row["metric"] for row in found["metrics"]} == set(metrics)
    assert all(row["settings"] == {} for row in found["methods"])
    assert {row["key"] for row in found["metrics"]} == set(metrics)
    for name in ("lime", "random"):
        assert methods[name]["stability"]["status"] == "ok" and methods[name]["stability"]["seeds"] == [1]
    assert methods["integrated_gradients"]["completeness"]["status"] == "ok"
    # "film" alone has no order of words, so that it has a reason and no value.
    value = methods["gradient"]["metrics"]["tau_loo"]
    assert value["n"] + sum(value["undefined"].values()) == 5 and value["undefined"]
    assert sorted(row["metrics"]["comprehensiveness"]["rank"] for row in found["methods"])[0] == 1
