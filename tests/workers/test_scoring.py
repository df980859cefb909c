"""Explanations in, values out: every metric, what it is given, and what is there already."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from accounts.models import Team
from catalogue import reasons
from catalogue.metrics import METHOD, METRICS, RATIONALE
from materials.models import Explanation, MetricScore, Run
from tests.workers.test_tasks import Folders, finish, make_run
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.explaining import explain
from workers.records import Explained, Scored, SourceText, ToScore
from workers.scoring import score

CONTENTS = ["a great film really", "an awful , boring film .", "the words of great tests don't end"]
OURS: dict[str, dict[str, Any]] = {name: {} for name, metric in METRICS.items() if metric.needs != RATIONALE}
AGAIN = [name for name in OURS if METRICS[name].needs == METHOD]
NAMED = {value for name, value in vars(reasons).items() if name.isupper()}


def maps(classifier: TextClassifier, *methods: str, **params: Any) -> list[ToScore]:
    texts = [SourceText(str(at), content) for at, content in enumerate(CONTENTS)]
    made = explain(classifier, texts, dict.fromkeys(methods, params))
    return [
        ToScore(f"{one.text_id}:{one.method}", texts[int(one.text_id)], one.scores, one.target, one.method, one.params)
        for one in made
        if isinstance(one, Explained)
    ]


def scored(classifier: TextClassifier, items: list[ToScore], *metrics: str) -> dict[tuple[str, str], Scored]:
    return {(one.key, one.metric): one for one in score(classifier, items, {name: {} for name in metrics})}


def test_it_works(any_classifier: TextClassifier) -> None:
    made = scored(any_classifier, maps(any_classifier, "gradient", "input_x_gradient", "random", "occlusion"), *OURS)
    assert len(made) == len(CONTENTS) * 4 * len(OURS)
    for one in made.values():
        assert one.status in NAMED if one.value is None else math.isfinite(one.value) and not one.status
    defined = {one.metric for one in made.values() if one.value is not None}
    assert defined >= set(OURS) - {"decision_flip"}
    assert all(made[f"{at}:random", "model_randomisation"].value == pytest.approx(1) for at in range(3))
    assert all(made[f"{at}:random", "max_sensitivity"].value == 0 for at in range(3))


def test_together_or_alone_the_values_are_equal(classifier: TextClassifier) -> None:
    items = maps(classifier, "gradient", "input_x_gradient")
    together = scored(classifier, items, *OURS)
    for item in items:
        alone = scored(classifier, [item], *OURS)
        for key, one in alone.items():
            assert one.value == pytest.approx(together[key].value, abs=1e-4)


def test_occlusion_of_the_probability_is_leave_one_out(classifier: TextClassifier) -> None:
    items = maps(classifier, "occlusion", output="probability")
    assert all(one.value == pytest.approx(1) for one in scored(classifier, items, "tau_loo").values())


@pytest.mark.parametrize(
    ("method", "params"), [("imported:theirs", {}), ("", {}), ("lime", {"temperature": 3}), ("lime", {"samples": "no"})]
)
def test_a_method_that_cannot_be_run_is_said_to(
    classifier: TextClassifier, method: str, params: dict[str, Any]
) -> None:
    items = [replace(item, method=method, params=params) for item in maps(classifier, "gradient")]
    made = scored(classifier, items, *OURS)
    assert all(made[item.key, name].status == reasons.NO_METHOD for item in items for name in AGAIN)
    assert all(made[item.key, "comprehensiveness"].value is not None for item in items)


def test_the_method_is_run_with_its_own_parameters(classifier: TextClassifier) -> None:
    (item, *_) = maps(classifier, "smoothgrad")
    other = replace(item, params={**item.params, "sigma": 0.0})
    values = [scored(classifier, [one], "max_sensitivity")[item.key, "max_sensitivity"].value for one in (item, other)]
    assert values[0] != values[1]


def test_what_is_no_number_is_undefined(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    items = maps(classifier, "gradient")
    monkeypatch.setattr(TextClassifier, "_logits_of", lambda self, variants: torch.full((len(variants), 2), math.nan))
    classifier.memory._rows.clear()
    made = scored(classifier, items, "comprehensiveness", "deletion_auc", "infidelity")
    assert {(one.value, one.status) for one in made.values()} == {(None, reasons.NOT_FINITE)}


def test_a_metric_for_other_kinds_is_refused(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS, "aopc", replace(METRICS["aopc"], classifier_kinds=("lstm",)))
    with pytest.raises(ClassifierError, match="aopc does not serve a transformer"):
        scored(classifier, maps(classifier, "gradient"), "aopc")


def scores_of(run: Run) -> dict[tuple[int, str], float | None]:
    return {(one.explanation_id, one.metric): one.value for one in MetricScore.objects.all()}


GRADIENT = [{"method": "gradient", "params": {}}]


@pytest.mark.django_db
def test_a_run_writes_all_parameters_of_each_score(team: Team, folders: Folders) -> None:
    run = make_run(
        team,
        folders("bert"),
        methods=GRADIENT,
        metrics=[{"metric": "tau_loo", "params": {"absolute": True}}, {"metric": "max_sensitivity", "params": {}}],
    )
    finish(run)
    assert run.failures.count() == 0
    found = MetricScore.objects.filter(metric="tau_loo")
    assert found.count() == Explanation.objects.count() == 5
    assert {tuple(one.params.items()) for one in found} == {(("absent", "remove"), ("absolute", True))}
    assert MetricScore.objects.filter(metric="max_sensitivity", value__gt=0).count() == 4


@pytest.mark.django_db
def test_a_score_older_than_a_parameter_had_its_default(team: Team, folders: Folders) -> None:
    run = make_run(team, folders("bert"), methods=GRADIENT, metrics=[{"metric": "comprehensiveness", "params": {}}])
    finish(run)
    before = scores_of(run)
    for one in MetricScore.objects.all():
        MetricScore.objects.filter(pk=one.pk).update(params={"shares": one.params["shares"]})
    metrics: list[dict[str, Any]] = [{"metric": name, "params": {}} for name in ("comprehensiveness", "tau_loo")]
    Run.objects.update(state=Run.State.RUNNING, metrics=metrics)
    run.chunks.update(state="pending")
    finish(run)
    after = scores_of(run)
    assert before.items() <= after.items() and len(after) == 2 * len(before) == MetricScore.objects.count()
