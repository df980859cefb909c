import numpy as np
import pandas as pd
import pytest

from analysis.scoring.flipping import count_flips, flipped_steps_from_noise


def test_it_works() -> None:
    verdicts = np.array([[[1, 0, 1, 0]], [[0, 0, 1, 1]]], dtype=float)
    flips = count_flips(verdicts)
    assert (flips.steps, flips.flipped_steps) == (6, 2)
    assert (flips.sequences, flips.flipped_sequences) == (2, 1)
    assert flips.rates.tolist() == [0.5]


def test_steps_next_to_an_unjudged_cell_do_not_count() -> None:
    flips = count_flips(np.array([[[1, np.nan, 0, 0]]], dtype=float))
    assert (flips.steps, flips.flipped_steps, flips.sequences) == (1, 0, 0)
    assert np.isnan(flips.rates[0])


def test_one_k_has_no_steps() -> None:
    flips = count_flips(np.ones((3, 2, 1)))
    assert (flips.steps, flips.sequences) == (0, 0)


def votes(*shares: tuple[int, int]) -> pd.DataFrame:
    rows = [
        {"text": "t", "method": "m", "k": k, "score": int(i < right)}
        for k, (right, n) in enumerate(shares)
        for i in range(n)
    ]
    return pd.DataFrame(rows)


def test_unanimous_votes_flip_by_no_noise() -> None:
    assert flipped_steps_from_noise(votes((0, 5), (5, 5))) == 0.0


def test_split_votes_flip_by_noise_alone() -> None:
    # One vote a cell with chance 1/2 at both ks: a flip (1, then 0) has chance 1/4.
    found = flipped_steps_from_noise(votes((1, 1), (0, 1)), replicates=20_000)
    assert found == pytest.approx(0.25, abs=0.01)


def test_a_text_with_one_k_has_no_noise_to_speak_of() -> None:
    assert flipped_steps_from_noise(votes((3, 5))) is None


def test_steps_never_reach_into_the_next_text() -> None:
    frame = pd.concat([votes((5, 5)), votes((0, 5)).assign(text="u"), votes((0, 5)).assign(text="u", k=1)])
    assert flipped_steps_from_noise(frame) == 0.0
