"""Verdicts as one array, so that every score is a few array operations."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray


@dataclass(frozen=True)
class Grid:
    """Verdicts of shape (texts, methods, ks): 1 recognised, 0 not, NaN where the cell was never judged."""

    texts: list[str]
    methods: list[str]
    ks: list[int]
    verdicts: FloatArray


def verdict_grid(cells: pd.DataFrame) -> Grid:
    """Lay out cells (columns text, method, k, recognised). Raises ValueError where a cell comes twice."""
    repeated = cells.duplicated(["text", "method", "k"])
    if repeated.any():
        first = cells[repeated].iloc[0]
        raise ValueError(f"Two verdicts for text {first.text}, method {first.method}, k {first.k}.")
    rows, texts = pd.factorize(cells["text"], sort=True)
    columns, methods = pd.factorize(cells["method"], sort=True)
    layers, ks = pd.factorize(cells["k"].astype(int), sort=True)
    verdicts = np.full((len(texts), len(methods), len(ks)), np.nan)
    verdicts[rows, columns, layers] = cells["recognised"].to_numpy(dtype=float)
    return Grid([str(t) for t in texts], [str(m) for m in methods], [int(k) for k in ks], verdicts)
