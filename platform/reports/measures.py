"""What a method's score is called and measured in, protocol by protocol."""

from dataclasses import dataclass

from analysis.study import LABELS, MARKING, PAIRWISE, RATING, REVEAL, SIMULATION, TOPK_GUESS


@dataclass(frozen=True)
class Measure:
    """`unit` says how values are shown: a share of 1, or points of a scale. `note` is how the number is made.

    Methods are `ranked` by it where a higher one is better.
    """

    name: str
    label: str
    unit: str
    note: str
    ranked: bool = True

    @property
    def is_share(self) -> bool:
        return self.unit == "share"

    @property
    def in_sentence(self) -> str:
        return self.label[0].lower() + self.label[1:]


_SIMULATED = (
    "Simulation accuracy is the share of texts whose model output people predicted, the mean over texts of the text's "
    "share of right predictions (Hase & Bansal 2020)."
)
MEASURES: dict[str, Measure] = {
    TOPK_GUESS: Measure(
        "weighted_accuracy",
        "Weighted accuracy",
        "share",
        "A text counts as recognised where the expected label has more votes than any other answer; ties and "
        '"cannot tell" do not count as recognised.',
    ),
    REVEAL: Measure(
        "reveal_score",
        "Score of revealing",
        "share",
        "A judgment scores 1 - ln(n) / ln(1 + N) where the label was right after n of the text's N words, and 0 where "
        "it was wrong; a method's score is the mean over texts of the text's mean.",
    ),
    RATING: Measure(
        "mean_opinion", "Mean opinion", "points", "Mean opinion is the mean over texts of the mean rating of the text."
    ),
    "word_importance": Measure(
        "mean_importance",
        "Mean rated importance",
        "points",
        "Mean rated importance is the mean over texts of the mean rating, from 1 to 7, of the word asked about. It "
        "says how important words look under a method's map, not how good the map is, so methods are not ranked.",
        ranked=False,
    ),
    PAIRWISE: Measure(
        "win_rate",
        "Win rate",
        "share",
        "Win rate is the mean over texts of the share of comparisons that a method's map won; a tie is half a win.",
    ),
    **{name: Measure("simulation_accuracy", "Simulation accuracy", "share", _SIMULATED) for name in SIMULATION},
    LABELS: Measure(
        "share_right",
        "Share right",
        "share",
        "Share right is the mean over texts of the share of labels that were the right one, where it is known.",
    ),
    MARKING: Measure("marks", "Marks", "share", "Workers marked words; no method was judged."),
}
