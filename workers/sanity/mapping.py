"""Maps of a task's texts by one method: one score a word, or why there are none."""

from collections.abc import Sequence

import numpy as np

from analysis.arrays import FloatArray
from workers.classifiers.classifier import TextClassifier
from workers.explaining import explain
from workers.records import Explained, SourceText
from workers.sanity.outcome import Arm


def maps_of(classifier: TextClassifier, texts: Sequence[SourceText], arm: Arm) -> list[FloatArray | str]:
    """Scores (words,) of each text in their order; a text that the method cannot do has the reason instead."""
    made = explain(classifier, texts, {arm.method: arm.params})
    return [_scores(one) if isinstance(one, Explained) else one.reason for one in made]


def _scores(record: Explained) -> FloatArray:
    return np.array([np.nan if score is None else score for score in record.scores])


def reason_of(maps: Sequence[FloatArray | str]) -> str:
    """Why nothing can be said, where no text has a map: the reason of the first; else empty."""
    reasons = [one for one in maps if isinstance(one, str)]
    return reasons[0] if reasons and len(reasons) == len(maps) else ""
