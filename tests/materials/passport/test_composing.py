"""Passports whose every number can be checked by hand."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import Team
from catalogue.reasons import ALL_EQUAL
from materials.models import Classifier, Dataset, Text
from materials.passport.composing import compose
from materials.passport.likening import liken
from materials.passport.loading import load
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain, score

pytestmark = pytest.mark.django_db
Section = dict[str, Any]


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"pos": 4})


@pytest.fixture
def classifier(team: Team, dataset: Dataset) -> Classifier:
    classifier = judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return classifier


@pytest.fixture
def texts(dataset: Dataset) -> list[Text]:
    return list(dataset.texts.all())


def passport(classifier: Classifier, dataset: Dataset) -> Section:
    evidence = load(classifier, dataset)
    return compose(evidence, liken(evidence), {})


def methods(found: Section) -> dict[str, Section]:
    return {row["method"]: row for row in found["methods"]}


def test_it_works(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    for at, text in enumerate(texts):
        values = {"comprehensiveness": 0.1 * at, "sufficiency": 0.1, "model_randomisation": -0.1}
        explain(classifier, text, "gradient", values=values, seconds=0.01 * (at + 1))
        values = {"comprehensiveness": 0.4, "sufficiency": 0.3, "model_randomisation": -0.6}
        explain(classifier, text, "integrated_gradients", values=values, error=(0.01, 0.02, 0.03, -0.5)[at])
    found = passport(classifier, dataset)
    assert found["meta"]["n_texts"] == 4 and found["meta"]["n_compared"] == 2
    gradient, ig = (methods(found)[name] for name in ("gradient", "integrated_gradients"))
    value = gradient["metrics"]["comprehensiveness"]
    assert value["value"] == pytest.approx(0.15) and value["n"] == 4 and value["rank"] == 2
    assert 0 <= value["ci"][0] < 0.15 < value["ci"][1] <= 0.3
    # Lower sufficiency is better, and a correlation of -0.1 is nearer to none than -0.6.
    assert [gradient["metrics"][name]["rank"] for name in ("sufficiency", "model_randomisation")] == [1, 1]
    assert gradient["mean_rank"] == pytest.approx(4 / 3) and ig["mean_rank"] == pytest.approx(5 / 3)
    assert gradient["mean_rank_by_family"] == {"faithfulness": 1.5, "robustness": 1.0}
    assert gradient["cost"] == {"seconds": pytest.approx(0.025), "passes": 3.0, "status": "ok"}
    assert gradient["completeness"] == {"median": None, "share_large": None, "n": 0, "status": "claims_none"}
    assert ig["completeness"] == {"median": pytest.approx(0.025), "share_large": 0.25, "n": 4, "status": "ok"}
    assert {row["verdict"] for row in ig["known_answers"]} == {"not_tried"}


def test_undefined_values_are_counted_by_reason_and_stay_out_of_means(
    classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    values: list[float | str] = [0.2, ALL_EQUAL, 0.4, ALL_EQUAL]
    for text, value in zip(texts, values, strict=True):
        explain(classifier, text, "gradient", values={"tau_loo": value})
        explain(classifier, text, "random", values={"tau_loo": ALL_EQUAL})
    found = methods(passport(classifier, dataset))
    value = found["gradient"]["metrics"]["tau_loo"]
    assert value["value"] == pytest.approx(0.3) and value["n"] == 2 and value["undefined"] == {ALL_EQUAL: 2}
    assert found["random"]["metrics"]["tau_loo"] == {
        "value": None, "ci": None, "n": 0, "undefined": {ALL_EQUAL: 4}, "rank": None, "rank_ci": None,
        "status": "undefined",
    }  # fmt: skip


def test_ranks_have_intervals_over_texts(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    for text, better, mixed in zip(texts, (0.5, 0.6, 0.7, 0.8), (0.9, 0.0, 0.0, 0.0), strict=True):
        explain(classifier, text, "gradient", values={"aopc": better, "tau_loo": 0.1})
        explain(classifier, text, "random", values={"aopc": better - 0.4, "tau_loo": mixed})
    found = methods(passport(classifier, dataset))
    # Better on every text: first in every resample. Better on three of four, worse on the mean: first where the fourth
    # is not drawn, which is in 32 % of resamples.
    assert [found[name]["metrics"]["aopc"]["rank_ci"] for name in ("gradient", "random")] == [[1, 1], [2, 2]]
    assert [found[name]["metrics"]["tau_loo"]["rank"] for name in ("gradient", "random")] == [2, 1]
    assert [found[name]["metrics"]["tau_loo"]["rank_ci"] for name in ("gradient", "random")] == [[1, 2], [1, 2]]
    assert found["gradient"]["mean_rank"] == 1.5 and found["gradient"]["mean_rank_ci"] == [1.0, 1.5]


def test_methods_are_compared_on_the_texts_that_all_explain(
    classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    for text, value in zip(texts, (0.2, 0.2, 0.8, 0.8), strict=True):
        explain(classifier, text, "gradient", values={"aopc": value})
        explain(classifier, text, "random", values={"aopc": value / 2})
    explain(classifier, texts[3], "lime", values={"aopc": 0.9})
    found = methods(passport(classifier, dataset))
    assert found["gradient"]["metrics"]["aopc"]["value"] == pytest.approx(0.5)
    assert (found["lime"]["status"], found["lime"]["n_texts"]) == ("other_texts", 1)
    assert found["lime"]["metrics"]["aopc"]["value"] == 0.9 and found["lime"]["metrics"]["aopc"]["rank"] is None
    assert [found[name]["metrics"]["aopc"]["rank"] for name in ("gradient", "random")] == [1, 2]


def test_parameters_make_methods_and_metrics_of_their_own(
    classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    for text in texts:
        row = explain(classifier, text, "lime", values={"aopc": 0.5})
        score(row, "aopc", 0.7, words=3)
        explain(classifier, text, "lime", values={"aopc": 0.6}, params={"samples": 500})
    found = passport(classifier, dataset)
    assert [row["settings"] for row in found["methods"]] == [{}, {"samples": 500}]
    assert {row["key"] for row in found["metrics"]} == {"aopc", "aopc (words = 3)"}
    assert found["methods"][1]["metrics"]["aopc (words = 3)"]["status"] == "not_computed"


def test_another_label_is_not_what_people_will_see(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    explain(classifier, texts[0], "gradient", target=0)
    assert passport(classifier, dataset)["methods"] == []


def test_stability_is_over_seeds(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    for text in texts[:2]:
        explain(classifier, text, "lime", (1.0, 2.0, 3.0, 4.0))
        explain(classifier, text, "gradient", (1.0, 2.0, 3.0, 4.0))
    explain(classifier, texts[0], "lime", (1.0, 2.0, 3.0, 4.0), params={"seed": 1})
    explain(classifier, texts[1], "lime", (1.0, 2.0, 4.0, 3.0), params={"seed": 1})
    found = methods(passport(classifier, dataset))
    assert found["lime"]["stability"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    assert (found["lime"]["stability"]["seeds"], found["lime"]["stability"]["n"]) == ([1], 2)
    assert found["gradient"]["stability"]["status"] == "not_by_chance"


def test_one_seed_is_said(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    explain(classifier, texts[0], "lime")
    assert methods(passport(classifier, dataset))["lime"]["stability"]["status"] == "one_seed"


def test_model_consistency_is_over_maps_of_the_same_label(
    team: Team, classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    other = judge(team, ["POS", "NEG"], name="Copy")
    for text in texts[:3]:
        explain(classifier, text, "gradient", (1.0, 2.0, 3.0, None))
    explain(other, texts[0], "gradient", (2.0, 4.0, 6.0, 1.0), target=0)  # alike: r = 1
    explain(other, texts[1], "gradient", (3.0, 2.0, 1.0, 1.0), target=0)  # the other way round: r = -1
    explain(other, texts[2], "gradient", (3.0, 2.0, 1.0, 1.0), target=1)  # of another label
    row = methods(passport(classifier, dataset))["gradient"]["model_consistency"]
    assert [(one["classifier"], one["value"], one["n"]) for one in row] == [("copy", pytest.approx(0.0), 2)]


def test_input_consistency_is_over_texts_of_a_template(
    classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    dataset.texts.filter(pk__in=[text.pk for text in texts[:3]]).update(template="a")
    first, alike, reverse, alone = texts
    explain(classifier, first, "gradient", (1.0, 2.0, 3.0))
    explain(classifier, alike, "gradient", (2.0, 4.0, 6.0))  # r = 1
    explain(classifier, reverse, "gradient", (3.0, 1.0, 2.0))  # r = -1/2
    explain(classifier, alone, "gradient", (3.0, 2.0, 1.0))
    explain(classifier, first, "random", (1.0, 2.0, 3.0))
    found = methods(passport(classifier, dataset))
    assert found["gradient"]["input_consistency"] == {
        "value": pytest.approx(0.25), "ci": None, "n": 2, "skipped": 0, "undefined": 0, "other_label": 0, "status": "ok"
    }  # fmt: skip
    assert found["random"]["input_consistency"]["status"] == "no_templates"


def test_texts_of_other_lengths_and_labels_are_counted(
    classifier: Classifier, dataset: Dataset, texts: list[Text]
) -> None:
    dataset.texts.update(template="a")
    classifier.predictions.filter(text=texts[2]).update(label="neg")
    maps = ((1.0, 2.0), (1.0, 2.0, 3.0), (1.0, 2.0), (2.0, 3.0))
    for text, scores, target in zip(texts, maps, (1, 1, 0, 1), strict=True):
        explain(classifier, text, "gradient", scores, target=target)
    found = methods(passport(classifier, dataset))["gradient"]["input_consistency"]
    assert {name: found[name] for name in ("n", "skipped", "other_label")} == {"n": 1, "skipped": 1, "other_label": 1}
    # Each template is one piece of evidence, and two are needed to see how they vary.
    assert found["value"] == pytest.approx(1.0) and found["ci"] is None


def test_metrics_that_disagree_have_a_negative_tau(classifier: Classifier, dataset: Dataset, texts: list[Text]) -> None:
    for text in texts:
        for at, method in enumerate(("gradient", "random", "lime")):
            explain(classifier, text, method, values={"aopc": 0.1 * at, "sufficiency": 0.1 * at, "tau_loo": 0.1 * at})
    found = passport(classifier, dataset)["agreement"]
    cells = {(a, b): found["cells"][i][j] for i, a in enumerate(found["keys"]) for j, b in enumerate(found["keys"])}
    assert cells["aopc", "tau_loo"] == {"value": 1.0, "n": 3, "status": "ok"}
    assert cells["aopc", "sufficiency"]["value"] == -1.0


def test_nothing_is_known_of_nothing(classifier: Classifier, dataset: Dataset) -> None:
    found = passport(classifier, dataset)
    assert found["methods"] == found["metrics"] == [] and found["meta"]["n_texts"] == 0


def test_the_number_of_queries_does_not_grow(
    classifier: Classifier, dataset: Dataset, texts: list[Text], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for method in ("gradient", "lime"):
        explain(classifier, texts[0], method, values={"aopc": 0.1})
    with django_assert_num_queries(5):
        passport(classifier, dataset)
    for text in texts[1:]:
        for method in ("gradient", "lime", "random", "occlusion"):
            explain(classifier, text, method, values={"aopc": 0.1, "sufficiency": 0.2})
    with django_assert_num_queries(5):
        passport(classifier, dataset)
