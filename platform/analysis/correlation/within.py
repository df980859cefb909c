"""Correlation inside each text, over its methods, averaged over texts.

What makes one text easier than another, for people or for a metric, cannot enter: every text is compared with itself.
"""

import numpy as np

from analysis.arrays import FloatArray, IntArray
from analysis.correlation.coefficients import correlate_rows, correlate_texts

# Replicates times texts times metrics held at a time.
CHUNK_CELLS = 1_000_000


def within_texts(human: FloatArray, metrics: FloatArray) -> tuple[FloatArray, IntArray]:
    """Mean over texts of the text's own correlation, and over how many it is defined: (metrics, coefficients) each.

    human: (texts, methods); metrics: (texts, methods, metrics); NaN where unknown. A text whose people or metric say
    the same of all methods, or that has fewer than three, has no correlation and stays out. NaN where no text has one.
    """
    found = correlate_rows(human[:, None, :], metrics.transpose(0, 2, 1))
    defined = np.isfinite(found)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nansum(found, axis=0) / defined.sum(axis=0)
    return means, defined.sum(axis=0)


def resample_within(human: FloatArray, metrics: FloatArray, weights: FloatArray) -> FloatArray:
    """The mean of `within_texts` over resamples: (replicates, metrics, coefficients), in single precision.

    human: (replicates, texts, methods), or (1, texts, methods) where people's scores stay as they are; weights:
    (replicates, texts), how often each text was drawn.
    """
    if len(human) == 1:
        return _means(correlate_texts(human, metrics), weights)
    step = max(1, CHUNK_CELLS // max(1, human.shape[1] * metrics.shape[2]))
    chunks = [slice(at, at + step) for at in range(0, len(human), step)]
    return np.concatenate([_means(correlate_texts(human[rows], metrics), weights[rows]) for rows in chunks])


def _means(found: tuple[np.ndarray, ...], weights: FloatArray) -> FloatArray:
    """Over drawn texts, of coefficients (texts, replicates or 1, metrics)."""
    drawn = weights.astype(np.float32)
    means = []
    for values in found:
        defined = np.isfinite(values)
        sums, counts = (_summed(part, drawn) for part in (np.where(defined, values, 0), defined.astype(np.float32)))
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append(sums / counts)
    return np.stack(means, axis=-1).astype(np.float64)


def _summed(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    if values.shape[1] == 1:
        return np.asarray(weights @ values[:, 0])
    return np.asarray(weights[:, None, :] @ values.transpose(1, 0, 2))[:, 0]
