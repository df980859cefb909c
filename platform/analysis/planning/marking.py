"""How narrow the interval of alpha over marked words will be."""

import numpy as np

from analysis.arrays import FloatArray
from analysis.planning.answering import answer_correlation, latent_mean, latent_share, mean_answer, right_or_wrong
from analysis.planning.assumptions import Assumptions
from analysis.planning.designing import Design, place_workers

CHUNK = 4_000_000


def simulate_alpha(assumed: Assumptions, design: Design, studies: int, rng: np.random.Generator) -> FloatArray:
    """Krippendorff's nominal alpha over all words of each simulated study, (studies,); NaN where nobody differs.

    A word is marked where mu + text + word + worker + rest is above 0. Two workers' marks of one word correlate as the
    expected alpha says (with many words alpha is that correlation), which gives the share of text and word together.
    """
    mark = right_or_wrong()
    mu = latent_mean(lambda value: mean_answer(mark, value), assumed.marked)
    shared = latent_share(lambda share: answer_correlation(mark, mu, share), assumed.base)
    # The more workers agree, the less is left for what is their own.
    text, worker = min(assumed.text, shared / 2), min(assumed.worker, (1 - shared) / 2)
    shares = text, shared - text, worker, 1 - shared - worker
    step = max(1, CHUNK // (design.total * assumed.words))
    rows = [min(step, studies - start) for start in range(0, studies, step)]
    return np.concatenate([_alphas(_counts(design, assumed.words, mu, shares, n, rng), design.judgments) for n in rows])


def _counts(
    design: Design, words: int, mu: float, shares: tuple[float, ...], studies: int, rng: np.random.Generator
) -> FloatArray:
    """How many workers mark each word, (studies, texts, words)."""
    text, word, worker, rest = (np.float32(np.sqrt(share)) for share in shares)
    placed = place_workers(design, rng)[:, 0]  # (texts, judgments)
    people = worker * rng.standard_normal((studies, int(placed.max()) + 1), dtype=np.float32)
    values = rest * rng.standard_normal((studies, design.texts, words, design.judgments), dtype=np.float32)
    values += people[:, placed][:, :, None, :]
    values += word * rng.standard_normal((studies, design.texts, words, 1), dtype=np.float32)
    values += text * rng.standard_normal((studies, design.texts, 1, 1), dtype=np.float32)
    return np.asarray((values > -mu).sum(axis=-1), dtype=float)


def _alphas(marks: FloatArray, workers: int) -> FloatArray:
    """1 - (n - 1) sum c (m - c) / (m - 1) / (n_0 n_1), with c of m workers marking a word, n marks and non-marks."""
    total = marks[0].size * workers
    ones = marks.sum(axis=(1, 2))
    unlike = (marks * (workers - marks)).sum(axis=(1, 2)) / (workers - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1 - (total - 1) * unlike / (ones * (total - ones)))
