"""The catalogue is complete, consistent and readable."""

import inspect
import re

import pytest

from analysis.plausibility.metrics import METRICS as PLAUSIBILITY
from catalogue.choosing import parse_choice
from catalogue.costs import passes
from catalogue.methods import METHODS
from catalogue.metrics import METRICS, RATIONALE
from catalogue.parameters import complete_params

ARMS = [
    "attention_all",
    "attention_last",
    "attention_rollout",
    "attention_flow",
    "attention_x_gradient",
    "gradient",
    "input_x_gradient",
    "integrated_gradients",
    "smoothgrad",
    "vargrad",
    "gradient_shap",
    "ding2021_integrated_gradients",
    "ding2021_gradient_norm",
    "deeplift",
    "lu2024_deeplift",
    "attn_lrp",
    "occlusion",
    "lime",
    "kernel_shap",
    "shapley_sampling",
    "lu2024_lime",
    "lrp_lstm",
    "contextual_decomposition",
    "random",
]
FAITHFULNESS = [
    "comprehensiveness",
    "sufficiency",
    "log_odds",
    "aopc",
    "deletion_auc",
    "insertion_auc",
    "decision_flip",
    "monotonicity",
    "tau_loo",
    "infidelity",
    "max_sensitivity",
    "model_randomisation",
]


def test_it_works() -> None:
    assert list(METHODS) == ARMS
    assert list(METRICS)[:2] == ["comprehensiveness", "sufficiency"]
    assert {metric.family for metric in METRICS.values()} >= {"faithfulness", "plausibility"}


@pytest.mark.parametrize("entry", [*METHODS.values(), *METRICS.values()], ids=lambda entry: entry.name)
def test_every_entry_describes_itself_in_one_sentence(entry: object) -> None:
    description = getattr(entry, "description", "")
    assert description.endswith(".") and description.count(". ") == 0
    assert getattr(entry, "citation", "") and getattr(entry, "label", "") and getattr(entry, "family", "")


def test_keys_are_names() -> None:
    assert all(name == method.name for name, method in METHODS.items())
    assert all(name == metric.name for name, metric in METRICS.items())


def test_metrics_of_rationales_are_functions_with_the_same_parameters() -> None:
    assert list(PLAUSIBILITY) == [name for name, metric in METRICS.items() if metric.needs == RATIONALE]
    for name, function in PLAUSIBILITY.items():
        given = list(inspect.signature(function).parameters.values())[1:]
        parameters = METRICS[name].parameters
        assert [(one.name, one.default) for one in given] == [(one.name, one.default) for one in parameters]
        assert passes(name, {}, 100.0) == 0


def test_defaults_fill_what_is_not_given() -> None:
    params = complete_params("lime", METHODS["lime"].parameters, {"samples": 50})
    assert params == {"samples": 50, "kernel_width": 0.25, "ridge": 1.0, "absent": "remove", "seed": 0}


def test_a_whole_number_serves_where_a_fraction_is_asked() -> None:
    assert complete_params("lime", METHODS["lime"].parameters, {"ridge": 2})["ridge"] == 2


def test_a_list_from_json_serves_as_shares() -> None:
    params = complete_params("sufficiency", METRICS["sufficiency"].parameters, {"shares": [0.5]})
    assert params == {"profile": "eraser", "shares": (0.5,), "absent": "remove"}


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([], "shares is (); give a value like"),
        (["half"], "give a value like"),
        ([0.5, 0], "shares is 0; the least is 0.001."),
        ([1.5], "shares is 1.5; the most is 1."),
    ],
)
def test_each_of_several_values_is_checked(shares: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        complete_params("sufficiency", METRICS["sufficiency"].parameters, {"shares": shares})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample": 5}, "lime has no parameter 'sample'; it has: samples, kernel_width, ridge, absent, seed."),
        ({"samples": 1}, "lime: samples is 1; the least is 2."),
        ({"samples": "many"}, "lime: samples is 'many'; give a value like 200."),
        ({"samples": True}, "lime: samples is True; give a value like 200."),
        ({"samples": 10**9}, "lime: samples is 1000000000; the most is 100000."),
        ({"kernel_width": float("inf")}, "lime: kernel_width is inf; give a value like 0.25."),
        ({"ridge": float("nan")}, "lime: ridge is nan; give a value like 1.0."),
    ],
)
def test_a_wrong_parameter_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as error:
        complete_params("lime", METHODS["lime"].parameters, given)
    assert str(error.value) == message


def test_a_choice_is_names_and_parameters() -> None:
    chosen = parse_choice("method", METHODS, "gradient, lime", '{"lime": {"samples": 9}}')
    assert chosen == {
        "gradient": {"reduction": "l1", "pieces": "sum"},
        "lime": {"samples": 9, "kernel_width": 0.25, "ridge": 1.0, "absent": "remove", "seed": 0},
    }
    assert list(parse_choice("metric", METRICS, "all")) == list(METRICS)


@pytest.mark.parametrize(
    ("names", "params", "message"),
    [
        ("magic", "", "No such method: magic. Known: attention_all, attention_last"),
        (" , ", "", "No method named"),
        ("gradient", "{", "no JSON"),
        ("gradient", "[]", "Parameters look like"),
        ("gradient", '{"lime": {}}', "given for lime, which is not among the methods asked for"),
    ],
)
def test_a_wrong_choice_is_explained(names: str, params: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_choice("method", METHODS, names, params)
