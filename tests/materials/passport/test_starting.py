import pytest
from celery import current_app

from accounts.models import Team, User
from catalogue.methods import methods_for
from materials.models import Classifier, Dataset, Run
from materials.passport.asking import ComputeForm
from materials.passport.starting import estimate, running, sample, start
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda name, args: None)


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 6, "pos": 9})


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["neg", "pos"])


def labels(dataset: Dataset, texts: list[int]) -> list[str]:
    return [dataset.texts.get(pk=pk).label for pk in texts]


def test_it_works(dataset: Dataset, classifier: Classifier, alice: User) -> None:
    usual, again = start(dataset, classifier, ["gradient", "lime"], ["aopc"], 4, alice)
    assert [entry["method"] for entry in usual.methods] == ["gradient", "lime"]
    assert usual.metrics == [{"metric": "aopc", "params": {}}] and again.metrics == []
    assert [(entry["method"], entry["params"]["seed"]) for entry in again.methods] == [("lime", 1)]
    asked = [pk for chunk in usual.chunks.all() for pk in chunk.text_ids]
    assert sorted(labels(dataset, asked)) == ["neg", "neg", "pos", "pos"]


def test_a_double_click_starts_one_run(dataset: Dataset, classifier: Classifier, alice: User) -> None:
    first = start(dataset, classifier, ["gradient", "lime"], ["aopc"], 4, alice)
    assert start(dataset, classifier, ["gradient", "lime"], ["aopc"], 4, alice) == first
    assert Run.objects.count() == 2 == running(dataset, classifier).count()
    start(dataset, classifier, ["gradient", "lime"], ["aopc"], 6, alice)
    assert Run.objects.count() == 4


def test_methods_without_chance_need_no_second_seed(dataset: Dataset, classifier: Classifier) -> None:
    assert len(start(dataset, classifier, ["gradient"], [], 4, None)) == 1


def test_the_sample_is_balanced_and_the_same_every_time(dataset: Dataset, classifier: Classifier) -> None:
    found = sample(dataset, classifier, 4)
    assert labels(dataset, found) == ["neg", "pos", "neg", "pos"]
    assert sample(dataset, classifier, 6)[:4] == found
    assert len(sample(dataset, classifier, 100)) == 15
    assert sample(dataset, classifier, 4, seed=1) != found


def test_texts_of_a_template_are_sampled_together(dataset: Dataset, classifier: Classifier) -> None:
    pos = {text.pk: f"t{at % 3}" for at, text in enumerate(dataset.texts.filter(label="pos"))}
    for pk, template in pos.items():
        dataset.texts.filter(pk=pk).update(template=template)
    templates = [pos[pk] for pk in sample(dataset, classifier, 100) if pk in pos]
    assert [templates[at : at + 3].count(templates[at]) for at in (0, 3, 6)] == [3, 3, 3]


def test_texts_that_are_explained_come_first(dataset: Dataset, classifier: Classifier) -> None:
    last = dataset.texts.filter(label="pos").last()
    assert last
    predict_right(dataset, classifier)
    explain(classifier, last, "gradient")
    assert sample(dataset, classifier, 2)[1] == last.pk


def test_without_gold_labels_predictions_are_balanced(dataset: Dataset, classifier: Classifier) -> None:
    predict_right(dataset, classifier)
    dataset.texts.update(label="")
    predicted = dict(classifier.predictions.values_list("text", "label"))
    assert [predicted[pk] for pk in sample(dataset, classifier, 4)] == ["neg", "pos", "neg", "pos"]


def test_what_is_dear_is_not_ticked(team: Team, classifier: Classifier) -> None:
    long = films(team, {"pos": 2}, words=400, name="Long")
    form = ComputeForm(classifier, long)
    ticked = {name for name, _, _, chosen in form.method_choices() if chosen}
    assert "gradient" in ticked and not {"attention_flow", "shapley_sampling", "occlusion"} & ticked
    assert {name for name, *_ in form.method_choices()} == set(methods_for("transformer"))
    metrics = {name: chosen for name, _, _, chosen in form.metric_choices()}
    assert metrics["aopc"] and not metrics["max_sensitivity"] and "token_f1" not in metrics


def test_marks_make_plausibility_a_choice(dataset: Dataset, classifier: Classifier) -> None:
    dataset.texts.update(rationale=[[0, 3]])
    assert "token_f1" in ComputeForm(classifier, dataset).offered


def test_the_estimate_counts_both_runs(dataset: Dataset, classifier: Classifier) -> None:
    assert estimate(dataset, classifier, ["gradient"], [], 10) is None
    classifier.seconds_per_piece = 0.001
    one, both = (estimate(dataset, classifier, names, [], 10) for names in (["gradient"], ["gradient", "lime"]))
    assert one and both
    # LIME takes 100 passes where a gradient takes 3, and under two seeds twice as many.
    assert both.seconds / one.seconds == pytest.approx(203 / 3)


@pytest.mark.parametrize("data", [{"texts": 1}, {"texts": 999}, {"methods": ["magic"]}, {"methods": []}])
def test_what_cannot_be_is_refused(dataset: Dataset, classifier: Classifier, data: dict[str, object]) -> None:
    assert not ComputeForm(classifier, dataset, {"texts": 4, "methods": ["gradient"]} | data).is_valid()
