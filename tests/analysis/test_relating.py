import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from analysis.correlation.coefficients import correlate_rows
from analysis.correlation.pooled import pooled
from analysis.correlation.relating import (
    HIGHER,
    LOWER,
    NEARER_ZERO,
    Level,
    orient,
    over_explanations,
    over_methods,
)
from analysis.correlation.reliability import Reliability
from analysis.scoring.people import Means, means_of

FEW = 60


def judged(
    n_texts: int = 12, methods: int = 4, votes: int = 3, seed: int = 0, leniency: float = 0.0
) -> tuple[Means, np.ndarray, np.ndarray]:
    """Ratings by twelve workers, people's mean scores, and a metric that sees something of what they see."""
    draw = np.random.default_rng(seed)
    worth = draw.normal(size=(n_texts, methods)) + np.linspace(1, -1, methods)
    text, method = (index.ravel().repeat(votes) for index in np.indices(worth.shape))
    worker = (np.tile(np.arange(votes), worth.size) + 5 * text + 3 * method) % 12
    mood = leniency * draw.normal(size=12)
    score = np.clip(np.round(3 + worth[text, method] + mood[worker] + draw.normal(size=len(text))), 1, 5)
    names = {"text": [f"t{n:03}" for n in text], "method": [f"m{n}" for n in method]}
    rows = pd.DataFrame(names | {"worker": [f"w{n}" for n in worker], "score": score})
    metric = worth + draw.normal(size=worth.shape)
    people = means_of(rows)
    return people, people.by_text(np.ones((1, len(people.workers))))[0], metric


def scored(human: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores of methods, and twenty resamples in which nothing moves."""
    means = human.mean(axis=0)
    return means, np.tile(means, (20, 1))


def test_it_works() -> None:
    people, human, metric = judged(n_texts=30)
    everything, inside = over_explanations(people, metric[..., None], [HIGHER], replicates=FEW)
    assert everything.values[0] == pytest.approx(pooled(human, metric))
    assert inside.values[0] == pytest.approx(np.nanmean(correlate_rows(human, metric), axis=0))
    assert (everything.n[0, 0], inside.n[0, 0]) == (120, 30)
    for level in (everything, inside):
        assert level.statuses == ["ok"] and level.ci_status == "ok"
        assert (level.ci[0] < level.values).all() and (level.values < level.ci[1]).all()
        assert ((level.p > 0) & (level.p < 0.05)).all()
        assert np.isfinite(level.p_labels).all()


def test_over_methods_the_means_are_correlated() -> None:
    _, human, metric = judged()
    level, observed, drawn = over_methods(scored(human), metric[..., None], [HIGHER])
    assert observed[0] == pytest.approx(metric.mean(axis=0)) and drawn.shape == (20, 1, 4)
    assert level.values[0, 0] == pytest.approx(kendalltau(human.mean(axis=0), metric.mean(axis=0)).statistic)
    assert level.p[0, 0] == pytest.approx(kendalltau(human.mean(axis=0), metric.mean(axis=0)).pvalue)
    assert level.n.tolist() == [[4, 4, 4]]


def test_metrics_are_turned_so_that_higher_is_better() -> None:
    values = np.array([1.0, -2.0])
    assert orient(values, HIGHER).tolist() == [1, -2]
    assert orient(values, LOWER).tolist() == [-1, 2]
    assert orient(values, NEARER_ZERO).tolist() == [-1, -2]
    people, _, metric = judged()
    turned = over_explanations(people, -metric[..., None], [LOWER], replicates=FEW)
    straight = over_explanations(people, metric[..., None], [HIGHER], replicates=FEW)
    for one, other in zip(turned, straight, strict=True):
        assert one.values == pytest.approx(other.values) and one.ci == pytest.approx(other.ci, abs=1e-6)
        assert one.p == pytest.approx(other.p)


def test_over_methods_it_is_the_mean_that_is_near_zero() -> None:
    """A method whose values are far from zero on either side, and cancel, is the best."""
    metric = np.array([[3.0, 1.0, 2.0], [-3.0, 1.0, 2.0]])
    _, observed, _ = over_methods(scored(np.array([[3.0, 2, 1], [3, 2, 1]])), metric[..., None], [NEARER_ZERO])
    assert observed.tolist() == [[0.0, -1.0, -2.0]]


@pytest.mark.parametrize(
    ("change", "everything", "inside"),
    [
        (lambda metric: np.full_like(metric, np.nan), "metric_without_values", "metric_without_values"),
        (lambda metric: np.ones_like(metric), "constant_metric", "constant_metric"),
        (lambda metric: np.where(np.arange(4) < 2, metric, np.nan), "ok", "too_few"),
        (lambda metric: metric[:, :1] + 0 * metric, "ok", "constant_metric"),
        (lambda metric: np.where(np.arange(48).reshape(12, 4) < 2, metric, np.nan), "too_few", "too_few"),
    ],
)
def test_it_says_why_it_is_undefined(change: object, everything: str, inside: str) -> None:
    people, _, metric = judged()
    assert callable(change)
    levels = over_explanations(people, change(metric)[..., None], [HIGHER], replicates=FEW)
    assert [level.statuses[0] for level in levels] == [everything, inside]
    for level in levels:
        if level.statuses[0] != "ok":
            assert np.isnan(level.values).all() and np.isnan(level.ci).all() and np.isnan(level.p).all()


def test_people_who_say_the_same_of_all_are_told_of() -> None:
    people, _, metric = judged()
    same = Means(people.cells, np.full(len(people.score), 4.0))
    levels = over_explanations(same, metric[..., None], [HIGHER], replicates=FEW)
    assert [level.statuses for level in levels] == [["constant_human_score"]] * 2


def test_one_text_has_a_value_and_no_interval() -> None:
    people, _, metric = judged(n_texts=1)
    for level in over_explanations(people, metric[..., None], [HIGHER], replicates=FEW):
        assert (level.statuses, level.ci_status) == (["ok"], "one_text")
        assert np.isfinite(level.values).all() and np.isnan(level.ci).all()


def test_the_order_of_the_metrics_changes_nothing() -> None:
    people, _, metric = judged()
    both = np.stack([metric, np.random.default_rng(3).normal(size=metric.shape)], axis=-1)
    there = over_explanations(people, both, [HIGHER, HIGHER], replicates=FEW)
    back = over_explanations(people, both[..., ::-1], [HIGHER, HIGHER], replicates=FEW)
    for one, other in zip(there, back, strict=True):
        assert one.ci[:, 0] == pytest.approx(other.ci[:, 1], abs=1e-6) and one.p[0] == pytest.approx(other.p[1])


def test_workers_of_many_minds_widen_the_interval() -> None:
    calm, _, metric = judged(n_texts=40, leniency=0.0)
    moody, _, other = judged(n_texts=40, leniency=2.0)
    narrow = over_explanations(calm, metric[..., None], [HIGHER], replicates=FEW)[0].ci[:, 0, 2]
    known = calm.as_they_are()
    of_texts = over_explanations(known, metric[..., None], [HIGHER], replicates=FEW)[0].ci[:, 0, 2]
    wide = over_explanations(moody, other[..., None], [HIGHER], replicates=FEW)[0].ci[:, 0, 2]
    assert np.ptp(of_texts) <= np.ptp(narrow) + 1e-9 < np.ptp(wide)


def test_intervals_hold_over_other_texts_and_workers() -> None:
    """Of 60 studies like one another the mean correlation lies in 95 %, within three standard errors, 0.085."""
    found = []
    for seed in range(60):
        people, human, metric = judged(n_texts=25, seed=seed, leniency=0.5)
        level = over_explanations(people, metric[..., None], [HIGHER], replicates=FEW, seed=seed)[0]
        found.append([pooled(human, metric), level.ci[0, 0], level.ci[1, 0]])
    values, low, high = np.array(found).transpose(1, 0, 2)
    target = values.mean(axis=0)
    assert ((low <= target) & (target <= high)).mean(axis=0) == pytest.approx([0.95] * 3, abs=0.085)


def reliable(value: float, status: str = "ok") -> Reliability:
    return Reliability(0.5, value, (0.3, 0.9), 0.8, (0.7, 0.9), np.full(4, value), status)


def test_correcting_keeps_the_interval_about_the_value() -> None:
    values = np.array([[0.2, 0.2, 0.3]])
    draws = values + np.array([-0.1, 0.0, 0.0, 0.1])[:, None, None]
    level = Level("explanations", values, draws, values, values, np.ones((1, 3), dtype=np.int64), ["ok"], "ok")
    corrected, interval = level.corrected([reliable(0.36)] * 3)
    assert corrected[0, 2] == pytest.approx(0.5)
    assert interval[0, 0, 2] < 0.5 < interval[1, 0, 2]
    none, no_interval = level.corrected([reliable(0.05, "reliability_too_low")] * 3)
    assert np.isnan(none).all() and np.isnan(no_interval).all()
