import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis.correlation.permuting import permute_labels, permute_methods, permute_within_texts
from analysis.correlation.pooled import resample_pooled
from analysis.correlation.within import resample_within
from tests.analysis.test_coefficients import scores


def test_over_methods_it_is_the_exact_p_of_kendall() -> None:
    human, metric = np.array([0.8, 0.7, 0.5, 0.4, 0.45]), np.array([[0.3, 0.4, 0.2, 0.1, 0.15]])
    exact = kendalltau(human, metric[0], method="exact").pvalue
    assert permute_methods(human, metric)[0, 0] == pytest.approx(exact)


def test_a_method_without_a_value_is_not_permuted() -> None:
    human, metric = np.array([0.8, 0.7, 0.5, 0.4, 9.0]), np.array([[0.4, 0.3, 0.2, 0.1, np.nan]])
    assert permute_methods(human, metric)[0] == pytest.approx([2 / 24] * 3)
    assert np.isnan(permute_methods(human, np.full((1, 5), np.nan))).all()


def test_more_than_eight_methods_are_drawn() -> None:
    human = np.arange(9.0)
    found = permute_methods(human, np.stack([human, human[::-1]]))
    assert found == pytest.approx(np.full((2, 3), 1 / 10_000), abs=2e-4)


def test_places_change_within_texts_and_what_is_unknown_stays() -> None:
    human, metrics = scores(1, (6, 4)), scores(2, (6, 4, 1), values=40)
    human[0, 1] = human[3] = np.nan
    seen: list[np.ndarray] = []

    def correlate(drawn: np.ndarray) -> np.ndarray:
        seen.append(drawn)
        return resample_pooled(drawn, metrics, np.ones((len(drawn), 6)))

    permute_within_texts(human, correlate(human[None])[0], correlate, draws=50)
    drawn = np.concatenate(seen[1:])
    assert drawn.shape == (50, 6, 4)
    assert np.array_equal(np.isnan(drawn), np.broadcast_to(np.isnan(human), drawn.shape))
    assert np.array_equal(np.sort(drawn, axis=2), np.broadcast_to(np.sort(human, axis=1), drawn.shape), equal_nan=True)
    assert len(np.unique(drawn[:, 1], axis=0)) > 5


def test_labels_change_in_all_texts_alike() -> None:
    """Four methods that differ alike in all texts: 24 namings, of which the right and the reverse are as far."""
    human = np.arange(4.0) + 10 * np.arange(30.0)[:, None]
    metrics = human[..., None] + 0.0

    def correlate(drawn: np.ndarray) -> np.ndarray:
        return resample_within(drawn, metrics, np.ones((len(drawn), 30)))

    observed = correlate(human[None])[0]
    assert permute_labels(human, observed, correlate)[0] == pytest.approx([2 / 24] * 3)
    assert permute_within_texts(human, observed, correlate, draws=199)[0] == pytest.approx([1 / 200] * 3)


def test_where_nothing_is_related_five_in_a_hundred_are_significant() -> None:
    """Of 200 studies in which the metric is chance: 0.05 within three standard errors, 0.046."""
    found = []
    for study in range(200):
        human, metrics = scores(study, (12, 4)), scores(10_000 + study, (12, 4, 1), values=100)

        def correlate(drawn: np.ndarray, metrics: np.ndarray = metrics) -> np.ndarray:
            return resample_within(drawn, metrics, np.ones((len(drawn), 12)))

        found.append(permute_within_texts(human, correlate(human[None])[0], correlate, draws=99, seed=study)[0])
    assert (np.array(found) <= 0.05).mean(axis=0) == pytest.approx([0.05] * 3, abs=0.046)


def test_methods_that_differ_by_chance_alone_mislead_within_texts_and_not_by_labels() -> None:
    """People and the metric each have favourites of their own, which have nothing to do with each other."""
    significant = np.zeros(2)
    for study in range(60):
        draw = np.random.default_rng(study)
        human, metric = (draw.normal(size=5) + draw.normal(size=(40, 5)) for _ in range(2))

        def correlate(drawn: np.ndarray, metric: np.ndarray = metric) -> np.ndarray:
            return resample_within(drawn, metric[..., None], np.ones((len(drawn), 40)))

        observed = correlate(human[None])[0]
        tests = (permute_within_texts, permute_labels)
        significant += [test(human, observed, correlate, draws=119)[0, 0] <= 0.05 for test in tests]
    assert significant[0] / 60 > 0.4
    assert significant[1] / 60 == pytest.approx(0.05, abs=0.085)
