"""Ratings against saliency and what else moves them: on known data, and on the ratings of Schuff et al. 2022."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.modelling.confounds import CONFOUNDS, confound_terms, label_of, ready_for_model
from analysis.modelling.design import build_design
from analysis.modelling.fitted import Fit
from analysis.modelling.following import follow_pooled, follow_within_workers
from analysis.modelling.ordinal import fit_ordinal
from analysis.presets.schuff2022 import read_schuff2022
from analysis.study import COVARIATES, Study
from tests.analysis.published import published


@pytest.fixture(scope="module")
def study() -> Study:
    return read_schuff2022(published("schuff2022/responses_en.csv"))


@pytest.fixture(scope="module")
def fit(study: Study) -> Fit:
    assert study.judgments is not None
    terms = confound_terms(study)
    return fit_ordinal(build_design(ready_for_model(study.judgments, terms), "rating", terms))


def test_every_covariate_of_a_study_is_a_confound() -> None:
    assert set(CONFOUNDS) == {*COVARIATES, "display", "method"}


def test_published_ratings_give_the_confound_table(fit: Fit) -> None:
    """7,500 ratings of 50 workers on 150 sentences: word length, display order and more move them besides saliency.

    That length and order do, the authors report; the figures here are our fit's, and the linear model's signs agree.
    """
    assert (fit.status, fit.n, fit.n_workers, fit.n_texts, fit.n_incomplete) == ("ok", 7500, 50, 150, 0)
    found = {effect.column.term: effect for effect in fit.effects}
    assert found["saliency"].estimate == pytest.approx(2.846, abs=0.005)
    for name, value in {
        "word_length": 0.138,
        "order": 0.126,
        "sentence_length": -0.150,
        "word_frequency": -0.202,
    }.items():
        assert found[name].estimate == pytest.approx(value, abs=0.005) and found[name].p < 1e-4
    for name in ("word_position", "polarity"):
        assert found[name].ci[0] < 0 < found[name].ci[1]
    assert fit.sd["worker"] == pytest.approx(1.038, abs=0.005) and fit.at_zero == ("text",)


def test_published_ratings_follow_saliency(study: Study) -> None:
    assert study.judgments is not None
    rows = study.judgments
    saliency, ratings = rows["saliency"].to_numpy(), rows["score"].to_numpy()
    workers, texts = (pd.factorize(rows[name])[0].astype(np.int64) for name in ("worker", "text"))
    found = follow_pooled(saliency, ratings, texts, workers, replicates=200)
    assert found.value == pytest.approx(spearmanr(saliency, ratings).statistic) == pytest.approx(0.7744, abs=1e-4)
    assert found.ci is not None and 0.65 < found.ci[0] < 0.7744 < found.ci[1] < 0.88
    within, by_worker = follow_within_workers(saliency, ratings, workers, replicates=200)
    own = [spearmanr(saliency[workers == w], ratings[workers == w]).statistic for w in range(50)]
    assert by_worker == pytest.approx(own) and within.value == pytest.approx(np.mean(own))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_a_judgment_drawn_twice_ranks_as_two(seed: int) -> None:
    """The interval's resamples are Spearman's rho of the rows drawn, one after the other."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, 40).astype(float), rng.integers(0, 4, 40).astype(float)
    texts, workers = np.arange(40) % 8, np.arange(40) // 8
    found = follow_pooled(x, y, texts, workers, replicates=30, seed=seed)
    draws = np.random.default_rng(seed), np.random.default_rng(seed + 2**40)
    values = []
    for _ in range(30):
        in_texts, of_workers = (
            np.bincount(one.integers(0, n, n), minlength=n) for one, n in zip(draws, (8, 5), strict=True)
        )
        rows = np.repeat(np.arange(40), in_texts[texts] * of_workers[workers])
        values.append(spearmanr(x[rows], y[rows]).statistic if np.ptp(x[rows]) and np.ptp(y[rows]) else np.nan)
    assert found.ci == pytest.approx(np.nanquantile(values, [0.025, 0.975]))


@pytest.mark.parametrize(
    ("saliency", "ratings", "status"),
    [
        (np.arange(2.0), np.arange(2.0), "too_few"),
        (np.arange(5.0), np.full(5, 3.0), "constant_human_score"),
        (np.full(5, 0.3), np.arange(5.0), "constant_saliency"),
    ],
)
def test_it_says_why_it_is_undefined(saliency: np.ndarray, ratings: np.ndarray, status: str) -> None:
    one = np.zeros(len(ratings), dtype=np.int64)
    found = follow_pooled(saliency, ratings, one, one, replicates=5)
    assert (found.value, found.ci, found.status) == (None, None, status)
    within, by_worker = follow_within_workers(saliency, ratings, one, replicates=5)
    assert (within.value, within.n, within.status) == (None, 0, status) and np.isnan(by_worker).all()


def test_workers_whose_ratings_never_vary_are_left_out_of_the_mean() -> None:
    saliency, ratings = np.tile([0.1, 0.5, 0.9], 2), np.array([1.0, 2, 3, 4, 4, 4])
    found, by_worker = follow_within_workers(saliency, ratings, np.repeat([0, 1], 3), replicates=5)
    assert found.value == pytest.approx(1.0) and (found.ci, found.n) == (None, 1)
    assert np.isnan(by_worker[1])


def test_confounds_are_called_as_people_do() -> None:
    assert [label_of(name) for name in ("order", "own_column")] == ["Display order", "Own column"]
