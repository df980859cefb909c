"""The known answers of Arras et al. 2019: who finds the two numbers that were added or subtracted.

Figures depend on the network's beginning, the range of the numbers and eps, so signs and orders are held, not digits.
"""

from functools import cache

import pytest
import torch

from catalogue.tasks import FAILED, PASSED, UNDEFINED
from workers.sanity.arithmetic import MOST_STEPS, NOT_LEARNT, SETTINGS, Setting, correlate, draw, fit, run
from workers.sanity.cells import as_classifier, mean_errors, outputs
from workers.sanity.outcome import NO_SIGN, Outcome, Row, Value, arms_for, spread

torch.set_num_threads(1)
METHODS = ("gradient", "input_x_gradient", "occlusion", "lrp_lstm", "contextual_decomposition", "random")
ADDITION, SIGNED, SUBTRACTION, SIGNED_SUBTRACTION = (setting.name for setting in SETTINGS)


@cache
def outcome() -> Outcome:
    """Some seconds, for all tests together."""
    return run(arms_for("lstm", METHODS, {}, "zero"), lambda what, done, total: None, models=5, texts=50)


def row(setting: str, method: str, variant: str = "") -> Row:
    return next(one for one in outcome().rows if (one.setting, one.arm.method, one.arm.variant) == (
        setting, method, variant and f"rule = {variant}"
    ))  # fmt: skip


def correlations(setting: str, method: str, variant: str = "") -> tuple[float, float]:
    values = row(setting, method, variant).values
    first, second = values["corr_a"].value, values["corr_b"].value
    assert first is not None and second is not None
    return first, second


def test_it_works() -> None:
    assert [row.setting for row in outcome().rows][:: len(outcome().rows) // 4] == [one.name for one in SETTINGS]
    assert all(about["learnt"] >= 4 for about in outcome().about)
    found = row(ADDITION, "occlusion")
    assert found.verdict == PASSED and found.values["squared_error"].n >= 4
    low, high = found.values["corr_a"].low, found.values["corr_a"].high
    assert low is not None and high is not None and low <= (found.values["corr_a"].value or 0) <= high


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_sequences_hold_what_is_to_be_found(setting: Setting) -> None:
    drawn = draw(setting, 50, 1)
    inputs, lengths, targets = drawn.examples
    assert inputs.shape == (50, MOST_STEPS, 1 + setting.marks)
    assert (drawn.first < drawn.second).all() and (drawn.second < lengths).all()
    for at, (first, second) in enumerate(zip(drawn.first.tolist(), drawn.second.tolist(), strict=True)):
        assert inputs[at, :, 1:].sum(-1).nonzero()[:, 0].tolist() == [first, second]
        assert targets[at] == inputs[at, first, 1] + setting.sign * inputs[at, second, setting.marks]
        assert (inputs[at].sum(-1) != 0).sum() == lengths[at]
    assert bool((inputs < 0).any()) == setting.both
    assert drawn.numbers[drawn.numbers != 0].abs().min() >= 0.5


@pytest.mark.parametrize("cells", [1, 2])
def test_networks_side_by_side_are_each_what_it_was(cells: int) -> None:
    setting = SETTINGS[1]
    weights, shape = fit(setting, 3, cells=cells)
    assert len(weights) >= 2
    unseen = draw(setting, 40, 9)
    assert (mean_errors(weights, shape, unseen.examples) < 2e-4).all()
    classifier = as_classifier(weights, shape, unseen.examples.inputs.flatten(0, 1))
    ids = 2 + torch.arange(40 * MOST_STEPS).view(40, MOST_STEPS)
    mask = (torch.arange(MOST_STEPS) < unseen.examples.lengths[:, None]).long()
    together = classifier.logits(ids, mask).T
    assert torch.allclose(together, outputs(weights, shape, unseen.examples).float(), atol=1e-5)


def test_with_numbers_of_one_sign_the_rule_all_finds_sums_and_the_other_rules_do_not() -> None:
    assert min(correlations(ADDITION, "lrp_lstm", "all")) > 0.95
    assert min(correlations(ADDITION, "input_x_gradient")) > 0.9
    assert min(correlations(ADDITION, "occlusion")) > 0.95
    for rule in ("prop", "abs", "half"):
        assert max(correlations(ADDITION, "lrp_lstm", rule)) < 0.3
        assert row(ADDITION, "lrp_lstm", rule).verdict == FAILED


def test_differences_are_found_by_gradients_and_not_by_occlusion_or_decomposition() -> None:
    first, second = correlations(SUBTRACTION, "input_x_gradient")
    assert first > 0.95 and second < -0.95
    first, second = correlations(SUBTRACTION, "occlusion")
    assert first > 0.95 and -0.7 < second < -0.2
    assert row(SUBTRACTION, "occlusion").reason == f"second number: {second:.2f} where -1 is right"
    first, second = correlations(SUBTRACTION, "contextual_decomposition")
    assert first < 0.4 and second < 0
    first, second = correlations(SUBTRACTION, "lrp_lstm", "all")
    assert 0.3 < first < 0.9 and -0.9 < second < -0.3


def test_with_numbers_of_both_signs_sums_are_found_nearly_exactly() -> None:
    assert min(correlations(SIGNED, "contextual_decomposition")) > 0.99
    assert min(correlations(SIGNED, "lrp_lstm", "all")) > 0.9
    first, second = correlations(SIGNED_SUBTRACTION, "contextual_decomposition")
    assert first > 0.99 and second < -0.99


def test_what_lrp_lacks_of_sums_of_both_signs_is_taken_by_eps() -> None:
    setting = SETTINGS[1]
    weights, shape = fit(setting, 3)
    drawn = draw(setting, 40, 9)
    classifier = as_classifier(weights, shape, drawn.examples.inputs.flatten(0, 1))
    (arm,) = arms_for("lstm", ["lrp_lstm"], {"lrp_lstm": {"rule": "all", "eps": 1e-6}})
    found = correlate(classifier, drawn, arm, setting.sign)
    assert min(value or 0.0 for value in (*found.first, *found.second)) > 0.999


def test_chance_and_maps_without_a_sign_find_nothing() -> None:
    for setting in (ADDITION, SIGNED, SUBTRACTION):
        assert row(setting, "random").verdict == FAILED
        assert max(map(abs, correlations(setting, "random"))) < 0.3
        assert (row(setting, "gradient").verdict, row(setting, "gradient").reason) == (UNDEFINED, NO_SIGN)


def test_what_no_network_learns_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sanity.arithmetic.ROUNDS", 1)
    found = run(arms_for("lstm", ["lrp_lstm"], {}), lambda what, done, total: None, models=2, texts=10)
    assert {(row.verdict, row.reason, len(row.values)) for row in found.rows} == {(UNDEFINED, NOT_LEARNT, 0)}
    assert len(found.rows) == 16


def test_the_seed_fixes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sanity.arithmetic.SETTINGS", SETTINGS[2:3])
    arms = arms_for("lstm", ["random", "lime"], {"lime": {"samples": 20}})
    first, again, other = (
        run(arms, lambda what, done, total: None, models=3, texts=10, seed=seed).rows for seed in (3, 3, 4)
    )
    assert first == again != other


def test_what_overflows_takes_no_part() -> None:
    """The rule `prop` divides by sums that may vanish: some scores are beyond what floats hold."""
    assert spread([1.0, None, 3.0, float("inf"), float("nan")]) == Value(2.0, 1.05, 2.95, 2)
    assert spread([None, float("inf")]) == Value(None, None, None, 0)


def test_methods_of_other_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="attention_all does not serve this task"):
        arms_for("lstm", ["attention_all"], {})
    assert [arm.variant for arm in arms_for("lstm", ["lrp_lstm"], {"lrp_lstm": {"rule": "abs"}})] == ["rule = abs"]
