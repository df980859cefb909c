import time

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from analysis.scoring.drawing import draw, draw_with_spread, observe, placed, resampled
from analysis.scoring.people import known_verdicts, majorities_of, means_of

LABELS = np.array(["cannot_tell", "good"])


def judged(
    seed: int, *, texts: int = 60, workers: int = 40, votes: int = 5, of_text: float = 0.0, of_worker: float = 0.0
) -> pd.DataFrame:
    """Two methods at two ks, judged by workers drawn for each text; right answers by a logit with random effects."""
    rng = np.random.default_rng(seed)
    text, method, k, vote = np.indices((texts, 2, 2, votes)).reshape(4, -1)
    whose = rng.random((texts, workers)).argsort(axis=1)[text, method * 2 * votes + k * votes + vote]
    logit = 0.3 + 0.8 * method + rng.normal(0, of_text, texts)[text] + rng.normal(0, of_worker, workers)[whose]
    right = rng.random(len(text)) < 1 / (1 + np.exp(-logit))
    columns = {"text": text, "method": method, "k": 5 * (k + 1), "worker": whose, "label": LABELS[right.astype(int)]}
    return pd.DataFrame({**columns, "expected": "good", "score": right.astype(float)})


def test_it_works() -> None:
    people = means_of(judged(0))
    drawn = draw(people, replicates=800)
    assert drawn.shape == (800, 2)
    assert drawn.mean(axis=0) == pytest.approx(observe(people))
    assert np.array_equal(drawn, draw(people, replicates=800))
    assert not np.array_equal(drawn, draw(people, replicates=800, seed=1))


def test_resamples_of_majorities_lie_about_the_score() -> None:
    people = majorities_of(judged(0))
    low, high = percentile_interval(draw(people, replicates=400))
    assert ((low < observe(people)) & (observe(people) < high)).all()


def test_without_effects_the_spread_is_that_of_independent_answers() -> None:
    spreads = [draw(means_of(judged(seed)), replicates=300).std(axis=0)[0] for seed in range(12)]
    share = 1 / (1 + np.exp(-0.3))
    assert np.mean(spreads) == pytest.approx(np.sqrt(share * (1 - share) / 600), rel=0.1)


@pytest.mark.parametrize(("of_text", "of_worker"), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
def test_the_spread_is_that_of_studies_made_anew(of_text: float, of_worker: float) -> None:
    """Standard errors against how scores scatter over studies; 120 studies know that to 7 per cent, so within 25."""
    for made_of in (means_of, majorities_of):
        made = [made_of(judged(seed, of_text=of_text, of_worker=of_worker, workers=25)) for seed in range(120)]
        scatter = np.std([observe(people)[0] for people in made])
        spreads = [draw_with_spread(people, replicates=150)[1].variance[0] for people in made[:12]]
        assert np.sqrt(np.mean(spreads)) == pytest.approx(scatter, rel=0.25)


def test_intervals_are_students() -> None:
    """Of 40 workers who are all that varies, by 39 degrees of freedom: 2.02 standard errors to either side."""
    people = means_of(judged(0, texts=400, of_worker=2.0))
    drawn, spread = draw_with_spread(people, replicates=400)
    assert 39 < spread.df[0] < 80
    assert drawn.std(axis=0) == pytest.approx(np.sqrt(spread.variance) * student.ppf(0.975, spread.df) / 1.959964)


def test_known_verdicts_are_drawn_as_texts_are() -> None:
    verdicts = np.random.default_rng(1).integers(0, 2, size=(30, 2, 3)).astype(float)
    people = known_verdicts([str(at) for at in range(30)], ["a", "b"], [5, 10, 20], verdicts)

    def scores(texts: FloatArray) -> FloatArray:
        return people.scores(texts, np.ones((len(texts), 0)))

    assert resampled(people) == "texts"
    assert np.array_equal(draw(people, replicates=60, seed=4), bootstrap(scores, 30, replicates=60, seed=4))


def test_of_one_worker_texts_alone_are_drawn() -> None:
    people = means_of(judged(0).assign(worker="w"))
    assert resampled(people) == "texts" and draw(people, replicates=50).std() > 0
    assert resampled(means_of(judged(0))) == "texts_and_workers"


def test_one_text_has_a_score_and_no_interval() -> None:
    people = means_of(judged(0, texts=1))
    assert np.isfinite(observe(people)).all() and np.isnan(draw(people, replicates=50)).all()
    assert np.isnan(percentile_interval(draw(people, replicates=50))).all()


def test_any_summary_can_be_drawn() -> None:
    people = means_of(judged(0))
    drawn = draw(people, lambda found, texts, workers: np.diff(found.scores(texts, workers)), replicates=200)
    assert drawn.mean(axis=0) == pytest.approx(np.diff(observe(people)))


def test_placed_resamples_have_the_mean_and_variance_asked_for() -> None:
    drawn = np.random.default_rng(0).normal(5, 3, size=(500, 1))
    drawn[0] = np.nan
    found = placed(drawn, np.array([1.0]), np.array([4.0]))
    assert [np.nanmean(found), np.nanvar(found)] == pytest.approx([1.0, 4.0])
    assert (placed(np.full((9, 1), 3.0), np.array([2.0]), np.array([0.0])) == 2.0).all()


def test_forty_thousand_judgments_take_seconds() -> None:
    people = majorities_of(judged(0, texts=400, workers=800, votes=25))
    began = time.process_time()
    draw(people, replicates=2000)
    assert time.process_time() - began < 8
