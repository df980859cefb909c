"""The aggregations by name: one module each, one signature, one line here.

`aggregation(votes, *, seed) -> Aggregated`: deterministic for a seed, whatever the order of rows.
"""

from dataclasses import dataclass
from typing import Protocol

from analysis.aggregation.dawid_skene import dawid_skene
from analysis.aggregation.dawid_skene_one_coin import dawid_skene_one_coin
from analysis.aggregation.estimating import Aggregated
from analysis.aggregation.glad import glad
from analysis.aggregation.mace import mace
from analysis.aggregation.majority import majority
from analysis.aggregation.votes import Votes
from analysis.aggregation.wawa import wawa


class Aggregate(Protocol):
    def __call__(self, votes: Votes, *, seed: int = 0) -> Aggregated: ...


@dataclass(frozen=True)
class Aggregation:
    """`competence` says on which scale workers are measured."""

    label: str
    aggregate: Aggregate
    citation: str
    competence: str


AGGREGATIONS = {
    "majority": Aggregation("Majority vote", majority, "", "agreement with the majority, 0 to 1"),
    "wawa": Aggregation("Vote weighted by skill", wawa, "Ustalov et al. 2024", "agreement with the majority, 0 to 1"),
    "dawid_skene_one_coin": Aggregation(
        "One-coin Dawid-Skene", dawid_skene_one_coin, "Dawid & Skene 1979; Zhang et al. 2016", "chance to be right"
    ),
    "dawid_skene": Aggregation("Dawid-Skene", dawid_skene, "Dawid & Skene 1979", "chance to be right"),
    "glad": Aggregation("GLAD", glad, "Whitehill et al. 2009", "ability: 0 is guessing, higher is better"),
    "mace": Aggregation("MACE", mace, "Hovy et al. 2013", "chance to know and say the truth"),
}
