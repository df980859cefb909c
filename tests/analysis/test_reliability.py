from dataclasses import replace

import numpy as np
import pytest

from analysis.correlation.coefficients import correlate_rows
from analysis.correlation.halving import Judged, halves_of_judgments, halves_of_workers, halving_status
from analysis.correlation.pooled import pooled
from analysis.correlation.reliability import (
    EXPLANATIONS,
    METHODS,
    WITHIN,
    correct,
    from_pearson,
    measure_reliability,
    spearman_brown,
    to_pearson,
)
from analysis.correlation.within import within_texts

FEW = 60


def judged(
    n_texts: int = 30, methods: int = 5, votes: int = 4, noise: float = 1.0, seed: int = 0
) -> tuple[Judged, np.ndarray]:
    """Judgments of true scores under noise, and the true scores; each vote by a worker of its own kind."""
    draw = np.random.default_rng(seed)
    true = draw.normal(size=(n_texts, methods))
    explanation = np.repeat(np.arange(true.size), votes)
    score = true.ravel()[explanation] + noise * draw.normal(size=explanation.size)
    worker = (explanation * votes + np.tile(np.arange(votes), true.size)) % 40
    every = np.arange(explanation.size)
    return Judged(explanation, worker, every, explanation, score, (n_texts, methods)), true


def means(found: Judged) -> np.ndarray:
    counts = np.bincount(found.explanation)
    return (np.bincount(found.explanation, found.score) / counts).reshape(found.shape)


def test_halves_share_out_the_judgments_of_each_stimulus() -> None:
    found, _ = judged(votes=4)
    halves = halves_of_judgments(found, splits=10)
    assert halves.shape == (10, 2, 30, 5)
    assert halves.mean(axis=1) == pytest.approx(np.broadcast_to(means(found), (10, 30, 5)), abs=1e-5)
    assert np.ptp(halves[:, 0], axis=0).min() > 0


def test_an_odd_judgment_goes_to_either_half() -> None:
    found, _ = judged(votes=1)
    known = np.isfinite(halves_of_judgments(found, splits=40))
    assert (known.sum(axis=1) == 1).all()
    assert known[:, 0].mean() == pytest.approx(0.5, abs=0.05)
    assert not found.can_be_halved


def test_halves_of_workers_keep_a_worker_together() -> None:
    score = np.array([1.0, 1, 5, 5, 9, 9])
    found = Judged(np.arange(6), np.array([0, 0, 1, 1, 2, 2]), np.arange(6), np.array([0, 1] * 3), score, (1, 2))
    for first, second in halves_of_workers(found, splits=20)[:, :, 0]:
        assert first[0] == first[1] and second[0] == second[1]
    assert found.n_workers == 3


def test_both_sides_of_a_pair_stay_in_one_half() -> None:
    """Two workers compared explanations 0 and 1; what one side won the other lost."""
    score = np.array([1.0, 0, 0.5, 0.5])
    found = Judged(np.array([0, 0]), np.array([0, 1]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), score, (1, 2))
    for first, second in halves_of_judgments(found, splits=10)[:, :, 0]:
        assert {tuple(first), tuple(second)} == {(1.0, 0.0), (0.5, 0.5)}


def test_seeded_halves_are_the_same_twice() -> None:
    found, _ = judged()
    assert np.array_equal(halves_of_judgments(found, 5, 3), halves_of_judgments(found, 5, 3))
    assert not np.array_equal(halves_of_judgments(found, 5, 3), halves_of_judgments(found, 5, 4))


def test_spearman_and_brown_double_the_judgments() -> None:
    assert spearman_brown(np.array([0.0, 0.5, 0.6, 1.0])) == pytest.approx([0, 2 / 3, 0.75, 1])


def test_there_and_back_changes_nothing() -> None:
    values = np.array([[0.5, -0.3, 0.2], [1.0, 1.0, -1.0]])
    assert from_pearson(to_pearson(values)) == pytest.approx(values)
    assert to_pearson(np.array([1 / 3, 0.0, 0.4])) == pytest.approx([0.5, 0.0, 0.4])


def test_correcting_divides_by_the_root_of_the_reliability() -> None:
    assert correct(np.array([0.0, 0.0, 0.3]), np.full(3, 0.36)) == pytest.approx([0, 0, 0.5])
    assert correct(np.array([0.9, 0.9, 0.9]), np.full(3, 0.25)) == pytest.approx([1, 1, 1])
    assert np.isnan(correct(np.full(3, 0.4), np.array([0.0, -0.2, np.nan]))).all()


def test_the_reliability_of_known_noise_is_recovered() -> None:
    """Variance 1 of what is true, 1 / 4 of the mean of four judgments: reliability 0.8."""
    found, _ = judged(n_texts=300)
    pearson = measure_reliability(halves_of_judgments(found, splits=20), EXPLANATIONS, replicates=FEW)[2]
    assert pearson.status == "ok" and pearson.value == pytest.approx(0.8, abs=0.04)
    assert pearson.halves == pytest.approx(2 / 3, abs=0.04)
    assert pearson.ci is not None and pearson.ci[0] < 0.8 < pearson.ci[1]


def test_the_ceiling_is_what_the_true_scores_reach() -> None:
    """Within texts too, where means of five scores' correlations are lower than the correlation of many."""
    found, true = judged(n_texts=300)
    halves = halves_of_judgments(found, splits=20)
    reached = {
        EXPLANATIONS: pooled(means(found), true),
        WITHIN: within_texts(means(found), true[..., None])[0][0],
    }
    for over in (EXPLANATIONS, WITHIN):
        ceilings = [one.ceiling for one in measure_reliability(halves, over, replicates=FEW)]
        assert ceilings == pytest.approx(reached[over], abs=0.05)


def test_what_was_lost_to_noise_is_put_back() -> None:
    """A metric that correlates by 0.6 with what is true does so by 0.6 sqrt(0.5) with two noisy judgments' mean."""
    found, true = judged(n_texts=1500, votes=2, noise=np.sqrt(2))
    draw = np.random.default_rng(7)
    metric = 0.6 * true + 0.8 * draw.normal(size=true.shape)
    halves = halves_of_judgments(found, splits=20)
    observed = pooled(means(found), metric)
    rel = np.array([one.value for one in measure_reliability(halves, EXPLANATIONS, replicates=FEW)])
    assert observed[2] == pytest.approx(0.6 * np.sqrt(0.5), abs=0.05)
    # What tau and rho are where r is 0.6 and both sides normal.
    latent = from_pearson(np.full(3, 0.6))
    assert correct(observed, rel) == pytest.approx(latent, abs=0.06)


def test_over_methods_halves_are_means_over_texts() -> None:
    found, _ = judged(n_texts=20)
    halves = halves_of_judgments(found, splits=1)
    expected = correlate_rows(*halves[0].astype(float).mean(axis=1))
    reliability = measure_reliability(halves, METHODS, replicates=FEW)
    assert [one.halves for one in reliability] == pytest.approx(to_pearson(expected))


def test_judgments_of_nothing_are_not_reliable_enough() -> None:
    found, _ = judged()
    noise = Judged(
        found.stimulus, found.worker, found.answer, found.explanation,
        np.random.default_rng(1).normal(size=len(found.score)), found.shape,
    )  # fmt: skip
    for one in measure_reliability(halves_of_judgments(noise, 10), EXPLANATIONS, replicates=FEW):
        assert one.status == "reliability_too_low"


def test_equal_judgments_have_no_reliability() -> None:
    found, _ = judged()
    same = Judged(found.stimulus, found.worker, found.answer, found.explanation, np.ones(len(found.score)), found.shape)
    for one in measure_reliability(halves_of_judgments(same, 5), METHODS, replicates=FEW):
        assert (one.value, one.ceiling, one.status) == (None, None, "reliability_undefined")


@pytest.mark.parametrize(
    ("judgments", "by", "status"),
    [
        (judged(votes=2)[0], "judgments", "ok"),
        (judged(votes=1)[0], "judgments", "one_judgment_each"),
        (judged(votes=1)[0], "workers", "ok"),
        (replace(judged(votes=2)[0], worker=np.zeros(300, dtype=np.int64)), "workers", "one_rater"),
        (None, "workers", "only_majority_verdicts"),
    ],
)
def test_it_says_why_there_are_no_halves(judgments: Judged | None, by: str, status: str) -> None:
    assert halving_status(judgments, by) == status
