"""Power and the smallest design: known formulas, and the report's own test run on simulated studies."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import nct, norm
from scipy.stats import t as student

from analysis.planning.assumptions import DEFAULTS, problem
from analysis.planning.designing import BETWEEN, Design, Pay
from analysis.planning.flipping import sign_flip_p
from analysis.planning.powering import (
    CROSSED,
    SIGN_FLIP,
    Rate,
    Rules,
    crossed_p,
    degrees,
    false_findings,
    holm_rejects,
    power_of,
    usual_test,
)
from analysis.planning.searching import grid, narrowest, smallest
from analysis.planning.simulating import method_scores, pair_numbers, rehearse, simulate
from analysis.ranking.comparing import holm, sign_flip_test
from analysis.study import MARKING, PAIRWISE, RATING, REVEAL, TOPK_GUESS, WORD_IMPORTANCE

COMPARING = [name for name in DEFAULTS if name not in (MARKING, WORD_IMPORTANCE)]
PAY = Pay(hourly=9.0)


def design_of(protocol: str, texts: int = 60, **given: int) -> Design:
    return Design(texts, 5, steps=DEFAULTS[protocol].steps, pairs=protocol == PAIRWISE, **given)  # type: ignore[arg-type]


def actual_p(protocol: str, design: Design, seed: int, *, null: bool = False) -> float:
    """By the study as a table, scored and tested as the report does."""
    study = rehearse(DEFAULTS[protocol], design, seed, null=null)
    if protocol == TOPK_GUESS:
        sums = study.cells.groupby(["text", "method"])["recognised"].sum().unstack()
        return sign_flip_test((sums["m1"] - sums["m0"]).to_numpy(dtype=float))
    assert study.judgments is not None
    means = study.judgments.groupby(["text", "method"])["score"].mean().unstack()
    apart = means["m1"] - (0.5 if protocol == PAIRWISE else means["m0"])
    return sign_flip_test(np.rint(apart.to_numpy(dtype=float) * 10))


def test_it_works() -> None:
    found = smallest(DEFAULTS[RATING], design_of(RATING), PAY, rules=Rules(budget=2_000_000))
    assert found.status == "ok" and found.power.power is not None and found.false_positives is not None
    # 2,000 studies: two standard errors are 0.018, and two more are the search's own noise.
    assert found.power.power == pytest.approx(0.8, abs=0.036)
    assert not found.false_positives.exceeds(0.05)
    assert found.cost.workers == found.design.workers and found.cost.pay > 0


@pytest.mark.parametrize("protocol", COMPARING)
def test_scores_are_as_assumed(protocol: str) -> None:
    design = design_of(protocol, texts=100)
    means = simulate(DEFAULTS[protocol], design, 400, np.random.default_rng(1)).mean(axis=1)
    errors = means.std(axis=0) / np.sqrt(len(means))
    expected = method_scores(DEFAULTS[protocol], design)
    assert (np.abs(means.mean(axis=0) - expected) < 4 * errors).all()


@pytest.mark.parametrize("unit", [1.0, 0.5])
def test_many_sign_flip_tests_at_once_give_what_one_by_one_gives(unit: float) -> None:
    differences = np.random.default_rng(2).integers(-4, 6, size=(30, 40)).astype(float)
    expected = [sign_flip_test(row) for row in differences]
    assert sign_flip_p(differences * unit, unit) == pytest.approx(expected, abs=1e-12)


def test_sign_flips_of_fractions_and_of_nothing_are_near_the_drawn_ones() -> None:
    differences = np.random.default_rng(3).normal(0.3, 1, size=(20, 50))
    expected = [sign_flip_test(row) for row in differences]
    assert sign_flip_p(differences, None) == pytest.approx(expected, abs=0.04)
    assert sign_flip_p(np.zeros((3, 5)), None).tolist() == [1.0, 1.0, 1.0]


def test_sign_flips_of_very_many_texts_are_as_good_as_normal() -> None:
    differences = np.random.default_rng(4).integers(-9, 10, size=(5, 3000)).astype(float)
    assert sign_flip_p(differences, 1.0) == pytest.approx([sign_flip_test(row) for row in differences], abs=3e-3)


def test_holm_rejects_what_its_adjusted_p_values_say() -> None:
    p = np.random.default_rng(5).uniform(0, 0.1, size=(50, 6))
    assert np.array_equal(holm_rejects(p, 0.05), np.array([holm(row) <= 0.05 for row in p]))


def test_power_is_that_of_the_formula_where_judgments_are_independent() -> None:
    """Single ratings, nothing shared, no ends of the scale near: power = Phi(effect sqrt(n / 2) / spread - z)."""
    plain = replace(DEFAULTS[RATING], text=0.0, text_method=0.0, worker=0.0, scale=(-50, 50), base=0.0, effect=1.0)
    found = power_of(plain, Design(80, 1), Rules(budget=10_000_000))
    # Rounding to whole points adds 1/12 to the variance.
    spread = np.sqrt(2 * (plain.spread**2 + 1 / 12))
    expected = norm.cdf(1.0 * np.sqrt(80) / spread - norm.ppf(0.975))
    assert found.power == pytest.approx(expected, abs=0.04)  # Four standard errors of 2,000 studies.
    assert found.width == pytest.approx(2 * 1.96 * spread / np.sqrt(80), rel=0.06)


@pytest.mark.parametrize("protocol", [TOPK_GUESS, RATING])
def test_the_power_is_that_of_the_analysis_itself(protocol: str) -> None:
    design = design_of(protocol, texts=30)
    wanted = power_of(DEFAULTS[protocol], design, Rules(budget=3_000_000))
    p = [actual_p(protocol, design, seed) for seed in range(50)]
    assert wanted.power is not None
    # Three standard errors of 50 studies; benchmarks/planning.py takes more.
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(wanted.power, abs=0.21)


def test_the_analysis_finds_nothing_where_nothing_is_as_often_as_it_says() -> None:
    found = np.array([actual_p(RATING, design_of(RATING), seed, null=True) for seed in range(80)]) <= 0.05
    # Three standard errors of 80 studies.
    assert found.mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 80)


@pytest.mark.parametrize("protocol", [TOPK_GUESS, REVEAL, RATING])
def test_false_findings_are_nominal_where_all_workers_meet_all_methods(protocol: str) -> None:
    assert not false_findings(DEFAULTS[protocol], design_of(protocol, texts=40), Rules(budget=4_000_000)).exceeds(0.05)


def test_the_test_over_texts_and_workers_has_the_power_of_student_s_t() -> None:
    """Its noncentral distribution; here with half as many degrees again as there are workers, as texts vary, too."""
    design = replace(design_of("forward_simulation", texts=100), allocation=BETWEEN)
    found = power_of(DEFAULTS["forward_simulation"], design, Rules(test=CROSSED, budget=4_000_000))
    df = 1.5 * design.workers
    limit = student.ppf(0.975, df)
    error = found.width / (2 * limit)
    expected = nct.sf(limit, df, 0.1 / error) + nct.cdf(-limit, df, 0.1 / error)
    assert found.power == pytest.approx(expected, abs=0.045)  # Four standard errors of 2,000 studies.


def test_the_test_over_texts_and_workers_is_nominal() -> None:
    means = np.random.default_rng(6).normal(0, 0.3, size=(4000, 1))
    p = crossed_p(means, np.array([8.0]), np.random.default_rng(7))
    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 4000))
    assert (crossed_p(np.zeros((3, 1)), np.array([5.0]), np.random.default_rng(7)) == 1).all()


def test_degrees_of_freedom_are_the_texts_where_workers_add_nothing_and_the_workers_where_they_are_all() -> None:
    rng = np.random.default_rng(8)
    of_texts = rng.normal(size=(3000, 40, 1))
    assert degrees(of_texts, 10)[0] == pytest.approx(39, rel=0.15)
    of_workers = rng.normal(size=(3000, 1, 1)) + 0.01 * of_texts
    assert degrees(of_workers, 10)[0] == pytest.approx(9, rel=0.01)
    assert degrees(np.zeros((5, 4, 1)), 10)[0] == 1


def test_workers_vary_in_the_test_where_they_do_not_cancel_out() -> None:
    assert usual_test(design_of(RATING)) == SIGN_FLIP and usual_test(design_of(PAIRWISE)) == CROSSED
    assert usual_test(replace(design_of(RATING), allocation=BETWEEN)) == CROSSED


def test_false_findings_are_told_where_workers_stay_with_one_method() -> None:
    """Sign flips by text take workers as they are: arms of other workers differ by their workers too."""
    rate = false_findings(
        DEFAULTS["forward_simulation"], replace(design_of("forward_simulation"), allocation=BETWEEN), Rules()
    )
    assert rate.exceeds(0.05) and rate.value > 0.08


def test_more_methods_need_more_texts_and_all_of_them_more_than_one() -> None:
    two = power_of(DEFAULTS[RATING], design_of(RATING), Rules(budget=2_000_000))
    four = power_of(DEFAULTS[RATING], design_of(RATING, methods=4), Rules(budget=4_000_000))
    assert two.power and four.power and four.of_all is not None
    assert two.power == two.of_all and four.power < two.power - 0.05 and four.of_all < four.power - 0.1


def test_of_pairs_each_is_compared() -> None:
    assert pair_numbers(3) == [(1, 0), (0, 2), (1, 2)]
    assert method_scores(DEFAULTS[PAIRWISE], design_of(PAIRWISE, methods=3)) == [0.6, 0.5, 0.6]
    assert design_of(PAIRWISE, methods=4).conditions == 6


def test_a_tiny_effect_is_out_of_reach() -> None:
    tiny = replace(DEFAULTS[RATING], effect=0.001)
    found = smallest(tiny, Design(0, 1), PAY, rules=Rules(budget=100_000))
    assert found.status == "out_of_reach" and found.design.texts == 5000


def test_where_no_methods_are_compared_the_interval_is_planned() -> None:
    for protocol, width in ((MARKING, 0.15), (WORD_IMPORTANCE, 0.5)):
        found = narrowest(DEFAULTS[protocol], Design(0, 3, methods=1), PAY, width, Rules(budget=2_000_000))
        assert found.power.power is None and found.power.status != "ok" and found.false_positives is None
        assert found.power.width == pytest.approx(width, rel=0.2)


def test_the_grid_has_every_combination_in_order() -> None:
    cells = list(
        grid(
            DEFAULTS[RATING], Design(0, 0), PAY, texts=[20, 40], judgments=[1, 3], loads=[10, 20], rules=Rules(budget=1)
        )
    )
    sizes = [(one.design.load, one.design.judgments, one.design.texts) for one in cells]
    assert sizes == [(load, n, texts) for load in (10, 20) for n in (1, 3) for texts in (20, 40)]
    assert cells[0].cost.workers == 4 and cells[0].power.power < cells[3].power.power  # type: ignore[operator]


def test_the_same_seed_gives_the_same_plan() -> None:
    first, second = (
        smallest(DEFAULTS[PAIRWISE], design_of(PAIRWISE), PAY, rules=Rules(budget=200_000, seed=7)) for _ in range(2)
    )
    assert first == second


def test_a_rate_exceeds_by_more_than_noise() -> None:
    assert Rate(0.08, 0.005, 2000).exceeds(0.05) and not Rate(0.06, 0.005, 2000).exceeds(0.05)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"base": 1.2}, "the base must lie between 0 and 1, and is 1.2"),
        ({"base": 0.95}, "base + effect must lie between 0 and 1, and is 1.05"),
        ({"effect": 0.0}, "the effect is 0"),
        ({"text": 0.9}, "together below 1"),
        ({}, ""),
    ],
)
def test_assumptions_that_cannot_be_are_told(given: dict[str, float], said: str) -> None:
    found = problem(replace(DEFAULTS[TOPK_GUESS], **given))  # type: ignore[arg-type]
    assert said in found and bool(said) == bool(found)


def test_every_default_is_sound_and_names_its_source() -> None:
    assert {name: problem(one) for name, one in DEFAULTS.items()} == dict.fromkeys(DEFAULTS, "")
    assert all(one.source for one in DEFAULTS.values())
