"""Assumptions from a pilot: what was simulated comes back, and published data give the defaults."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.planning.answering import (
    answer_correlation,
    latent_mean,
    latent_share,
    mean_answer,
    mean_verdict,
    preferred,
    right_or_wrong,
    verdict_correlation,
)
from analysis.planning.assumptions import DEFAULTS, TEXT, TEXT_METHOD, WORKER
from analysis.planning.designing import Design
from analysis.planning.piloting import PilotError, pilot
from analysis.planning.simulating import rehearse
from analysis.presets.lu2024 import read_lu2024
from analysis.presets.schuff2022 import read_schuff2022
from analysis.study import MARKING, PAIRWISE, RATING, REVEAL, TOPK_GUESS, study_of_judgments
from tests.analysis.published import published


@pytest.mark.parametrize("protocol", [TOPK_GUESS, REVEAL, RATING, "forward_simulation"])
def test_it_works(protocol: str) -> None:
    """Two hundred texts under four methods, five judgments each: shares come back to within 0.06."""
    known = replace(DEFAULTS[protocol], text=0.15, text_method=0.1, worker=0.12)
    found = pilot(rehearse(known, Design(200, 5, methods=4, steps=known.steps), seed=3))
    got = found.assumptions
    assert (got.text, got.text_method, got.worker) == pytest.approx((0.15, 0.1, 0.12), abs=0.06)
    assert got.base == pytest.approx(known.base, abs=0.3 if protocol == RATING else 0.06)
    assert got.spread == pytest.approx(known.spread, rel=0.06) and got.seconds == pytest.approx(known.seconds)
    assert (got.votes, got.steps) == (known.votes, known.steps)
    assert found.best[0] == "m1" and found.unknown == () and found.n_texts == 200


def test_of_pairs_the_base_is_an_even_chance() -> None:
    found = pilot(rehearse(DEFAULTS[PAIRWISE], Design(200, 5, pairs=True), seed=4))
    assert found.assumptions.base == 0.5 and found.assumptions.ties == pytest.approx(0.1, abs=0.02)
    assert found.scores["m1"] == pytest.approx(0.6, abs=0.1)
    assert found.unknown == ("text",)  # One pair: no text under two arms.


def test_the_released_verdicts_of_lu_et_al_give_the_defaults() -> None:
    found = pilot(read_lu2024(published("lu2024/IMDB.csv")))
    got = found.assumptions
    assert got.base == pytest.approx(0.434) and (found.reference, got.votes, got.steps) == ("random", 5, 5)
    assert (got.text, got.text_method) == pytest.approx((TEXT, TEXT_METHOD), abs=0.006)
    assert found.best[0] == "integrated_gradients" and found.best[1] == pytest.approx(0.384)
    assert found.scores["deeplift"] == 0.536
    assert set(found.unknown) == {"worker", "seconds", "votes"} and "4,000 verdicts on 100 texts" in got.source


def test_the_released_ratings_of_schuff_et_al_give_the_defaults() -> None:
    got = pilot(read_schuff2022(published("schuff2022/responses_en.csv"))).assumptions
    assert got.worker == pytest.approx(WORKER, abs=0.006) and got.seconds == pytest.approx(4.927)
    assert got.spread == pytest.approx(DEFAULTS["word_importance"].spread, abs=0.05)
    assert got.base == pytest.approx(4.478, abs=0.001) and got.scale == (1, 7)


def test_marked_words_and_a_single_text_tell_nothing() -> None:
    study = rehearse(DEFAULTS[RATING], Design(1, 5), seed=1)
    with pytest.raises(PilotError, match="fewer than two texts"):
        pilot(study)
    assert study.judgments is not None
    with pytest.raises(PilotError, match="cannot be made from rationale_marking"):
        pilot(study_of_judgments(MARKING, study.judgments))


def test_latent_means_give_their_scores_back() -> None:
    mu = latent_mean(lambda value: mean_verdict(value, 0.2, 5), 0.7)
    assert mean_verdict(mu, 0.2, 5) == pytest.approx(0.7, abs=1e-4)
    assert mean_answer(right_or_wrong(), 0.0) == pytest.approx(0.5)
    assert mean_answer(preferred(0.2), 0.0) == pytest.approx(0.5)
    assert latent_mean(lambda value: mean_answer(right_or_wrong(), value), 1.0) == 40.0


def test_latent_shares_give_their_correlations_back() -> None:
    """Of right and wrong at even chances r = 2 asin(share) / pi (Sheppard 1899)."""
    assert answer_correlation(right_or_wrong(), 0.0, 0.3) == pytest.approx(2 * np.arcsin(0.3) / np.pi, abs=2e-3)
    share = latent_share(lambda value: answer_correlation(right_or_wrong(), 0.0, value), 0.19397)
    assert share == pytest.approx(0.3, abs=5e-3)
    assert latent_share(lambda value: value, -0.1) == 0.0 and latent_share(lambda value: value / 2, 0.9) == 0.95
    assert verdict_correlation(0.0, 0.3, 0.3, 1) == pytest.approx(2 * np.arcsin(0.3) / np.pi, abs=2e-3)
