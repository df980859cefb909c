"""What planning takes for granted, by protocol: documented defaults with their sources, or what a pilot shows."""

from dataclasses import dataclass
from functools import cached_property

from analysis.planning.answering import (
    Answering,
    latent_mean,
    mean_answer,
    mean_verdict,
    on_a_scale,
    preferred,
    right_or_wrong,
    uncovered,
)
from analysis.study import MARKING, PAIRWISE, RATING, REVEAL, SIMULATION, TOPK_GUESS, WORD_IMPORTANCE

# Of texts and of texts under methods, fitted to how the released verdicts go together; of workers, who are not in them,
# from Schuff et al. 2022 (docs/planning.md says how).
TEXT, TEXT_METHOD, WORKER = 0.11, 0.11, 0.08


@dataclass(frozen=True)
class Assumptions:
    """What is known, or taken for granted, of a protocol's answers.

    base: score of the lesser method as the report counts it (a share, or points); effect: how much higher the better
    one's is. text, text_method, worker: shares of the latent variance, together below 1; what is left scatters from
    answer to answer. votes: judgments whose majority `base` and `effect` are of; 0 where scores are means.
    spread: of the latent value, in points or shares; scale: its ends; ties: share of ties between equals.
    seconds: of an item. between: whether workers usually stay with one method. source: where the figures come from.
    Of marked words `base` is the expected alpha; words: in a text; marked: their share that a worker marks.
    """

    protocol: str
    base: float
    effect: float
    text: float = TEXT
    text_method: float = TEXT_METHOD
    worker: float = WORKER
    votes: int = 0
    steps: int = 1
    scale: tuple[int, int] = (1, 7)
    spread: float = 1.0
    ties: float = 0.0
    seconds: float = 20.0
    between: bool = False
    words: int = 40
    marked: float = 0.15
    source: str = ""

    @property
    def cell(self) -> float:
        """Share of the variance that all judgments of one text under one method have in common."""
        return self.text + self.text_method

    @property
    def rest(self) -> float:
        return 1 - self.cell - self.worker

    @cached_property
    def answering(self) -> Answering:
        if self.protocol in GRADED:
            return on_a_scale(*self.scale, self.spread)
        if self.protocol == PAIRWISE:
            return preferred(self.ties)
        return uncovered(self.spread) if self.protocol == REVEAL else right_or_wrong()

    def latent(self, score: float) -> float:
        """The latent mean of a method with this score."""
        if self.votes:
            return latent_mean(lambda mu: mean_verdict(mu, self.cell, self.votes), score)
        return latent_mean(lambda mu: mean_answer(self.answering, mu), score)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which scores lie."""
        return (float(self.scale[0]), float(self.scale[1])) if self.protocol in GRADED else (0.0, 1.0)


GRADED = (RATING, WORD_IMPORTANCE)
# Where there is no comparison of methods to plan: why, as a status.
WITHOUT_POWER = {WORD_IMPORTANCE: "methods_not_ranked", MARKING: "no_methods_compared"}


_LU = (
    "Lu et al. 2024, released IMDB verdicts of five: Random is recognised 43 % of the time, DeepLIFT 54 %; shares of "
    "texts and methods fitted to the verdicts, the share of workers from Schuff et al. 2022"
)
_SCHUFF = (
    "Schuff et al. 2022, 7,500 English ratings of words: mean, standard deviation, seconds and all shares of variance"
)
_RATING = "spread of ratings and share of workers: Schuff et al. 2022; other shares: Lu et al. 2024; the rest is chosen"
_CHOSEN = "shares of variance: Lu et al. 2024 and Schuff et al. 2022; base, effect and seconds are chosen"

DEFAULTS: dict[str, Assumptions] = {
    one.protocol: one
    for one in (
        Assumptions(TOPK_GUESS, 0.43, 0.10, votes=5, steps=5, source=_LU),
        Assumptions(REVEAL, 0.40, 0.08, spread=0.4, seconds=30, source=_CHOSEN),
        Assumptions(RATING, 4.0, 0.5, spread=2.3, source=_RATING),
        Assumptions(PAIRWISE, 0.5, 0.10, TEXT, 0.0, ties=0.1, seconds=30, source=_CHOSEN),
        Assumptions(WORD_IMPORTANCE, 4.5, 0.0, 0.0, 0.03, spread=2.3, seconds=5, source=_SCHUFF),
        *(Assumptions(name, 0.65, 0.10, seconds=25, between=True, source=_CHOSEN) for name in SIMULATION),
        Assumptions(MARKING, 0.4, 0.0, seconds=60, source=_CHOSEN),
    )
}


def problem(assumed: Assumptions) -> str:
    """Why nothing can be planned from these; empty where all is well."""
    low, high = assumed.bounds
    shares = (assumed.text, assumed.text_method, assumed.worker)
    if assumed.protocol == PAIRWISE and assumed.base != 0.5:
        return "the base of pairs is an even chance, 0.5: the effect is by how much one method wins more often"
    if not low < assumed.base < high:
        return f"the base must lie between {low:g} and {high:g}, and is {assumed.base:g}: give another"
    if assumed.protocol not in WITHOUT_POWER and not (assumed.effect and low < assumed.base + assumed.effect < high):
        limit = f"base + effect must lie between {low:g} and {high:g}, and is {assumed.base + assumed.effect:g}"
        return limit if assumed.effect else "the effect is 0: there is nothing to find"
    if min(shares) < 0 or sum(shares) >= 1:
        return f"the shares of variance must be 0 or more and together below 1, and are {', '.join(map(str, shares))}"
    return ""
