"""A table of votes to a table of labels, by every aggregation."""

import pandas as pd

from analysis.aggregation.registry import AGGREGATIONS
from analysis.aggregation.votes import TooManyLabelsError, read_votes


def aggregate(frame: pd.DataFrame, *, seed: int = 0) -> pd.DataFrame:
    """The label of each task by each aggregation.

    frame: columns task, worker, label, one row a vote; more columns are not read. Labels may be numbers or words, and a
    missing label is a gap. Returns one row a task in ascending order: column `task`, then one column an aggregation,
    named as in AGGREGATIONS, with labels as they were given. A task without a vote has missing labels; a column is left
    out where its model does not fit in memory for the number of labels.
    Raises ValueError (also TooManyLabelsError) as `read_votes`.
    """
    votes = read_votes(frame)
    labels = pd.DataFrame({"task": votes.tasks})
    for name, aggregation in AGGREGATIONS.items():
        try:
            labels[name] = votes.labels[aggregation.aggregate(votes, seed=seed).chosen]
        except TooManyLabelsError:
            continue
    return _with_gaps(labels, frame)


def _with_gaps(labels: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Tasks that nobody labelled, too, at the end."""
    missing = frame.loc[~frame["task"].isin(labels["task"]), "task"].dropna().unique()
    if not len(missing):
        return labels
    unlabelled = pd.DataFrame({"task": missing})
    return pd.concat([labels, unlabelled.reindex(columns=labels.columns)], ignore_index=True)
