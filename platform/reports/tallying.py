"""The judgments of a study as ratings: stimuli are the units, workers the raters, and intervals resample texts."""

from dataclasses import dataclass

import pandas as pd

from analysis.agreement.counting import Ratings, count_ratings
from analysis.agreement.marking import Marks, count_marks
from analysis.study import MARKING, STIMULUS, Study
from protocols import KNOWN
from protocols.rationale_marking import words_of


@dataclass(frozen=True)
class Tally:
    """`units` are stimuli or words; `stimuli` are the answers' keys by number, as the units of the ratings are.

    repeated: judgments left out because their worker had judged the stimulus already.
    """

    ratings: Ratings
    level: str
    units: str
    stimuli: pd.DataFrame
    repeated: int = 0


def tally(study: Study) -> Tally | None:
    """None where nobody knows who answered what. Of marked words over words, where it is known how many there were."""
    answers = study.answers
    if answers is None or answers.empty:
        return None
    if study.protocol == MARKING and not answers["words_in_all"].isna().any():
        return _of_words(answers)
    numbers = answers.groupby(STIMULUS, dropna=False, sort=True).ngroup()
    told = answers.assign(stimulus=numbers)
    first = told.drop_duplicates(["stimulus", "worker"])
    level = study.level or KNOWN[study.protocol].level
    ratings = count_ratings(
        first["stimulus"], first["worker"], first["label"], numeric=level != "nominal", clusters=first["text"]
    )
    stimuli = first.drop_duplicates("stimulus").set_index("stimulus")[STIMULUS]
    return Tally(ratings, level, "stimuli", stimuli, len(told) - len(first))


def _of_words(answers: pd.DataFrame) -> Tally:
    """Every word a unit, marked or not."""
    stimuli: list[Marks] = [
        (int(own["words_in_all"].max()), [words_of(label) for label in own["label"]])
        for _, own in answers.groupby(STIMULUS, dropna=False, sort=True)
    ]
    ratings = count_marks(stimuli, int(answers["worker"].nunique()))
    return Tally(ratings, "nominal", "words", answers[STIMULUS].iloc[:0])
