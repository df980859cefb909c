"""The majority verdict of a cell's votes."""

import pandas as pd


def majority_verdicts(judgments: pd.DataFrame) -> pd.DataFrame:
    """One row per (text, method, k): `recognised` 1 where the expected label has more votes than any other answer.

    "Cannot tell" is an answer like any other, so it can win or tie; a tie is not recognised.
    Source: Lu et al. 2024 (arXiv 2405.10767): five workers a cell, majority vote.

    judgments: columns text, method, k, label, expected. Returns columns text, method, k, recognised, n,
    sorted by text, method, k.
    """
    keys = ["text", "method", "k"]
    votes = judgments.groupby([*keys, "expected", "label"], sort=True).size().rename("votes").reset_index()
    votes["right"] = votes["votes"].where(votes["label"] == votes["expected"], 0)
    votes["wrong"] = votes["votes"].where(votes["label"] != votes["expected"], 0)
    cells = votes.groupby(keys, sort=True).agg(right=("right", "max"), wrong=("wrong", "max"), n=("votes", "sum"))
    cells["recognised"] = (cells["right"] > cells["wrong"]).astype(int)
    return cells.reset_index()[[*keys, "recognised", "n"]]
