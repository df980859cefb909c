"""What methods are compared on: a mean over easy texts is no better than one over hard ones."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

# So many texts, or metrics, are worth more than one method more.
ENOUGH_TEXTS = 20
ENOUGH_METRICS = 5


@dataclass(frozen=True)
class Shared:
    """`members`: the numbers of the methods that all have every one of `items`."""

    items: frozenset[int]
    members: frozenset[int]


def shared_items(held: Sequence[Collection[int]], enough: int) -> Shared:
    """The items (texts, or metrics) that methods are compared on, from those that each method has.

    Methods come in from the one with most items to the one with fewest (ties as given), each if the items that all of
    them have stay at least `enough`, or as many as the first has if these are fewer.
    """
    order = sorted(range(len(held)), key=lambda at: -len(held[at]))
    items: frozenset[int] = frozenset(held[order[0]]) if order else frozenset()
    least = max(1, min(enough, len(items)))
    members: set[int] = set()
    for at in order:
        common = items & frozenset(held[at])
        if len(common) >= least:
            items, members = common, members | {at}
    return Shared(items if members else frozenset(), frozenset(members))
