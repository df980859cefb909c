"""Words that are forms of each other, and texts that are nearly the same."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

# Of the languages whose words change at their ends, what is added most; enough to find, not to analyse.
ENDINGS = frozenset(
    {
        *("", "s", "es", "ed", "d", "ing", "er", "ers", "est", "ly", "y", "ies", "ied", "ier", "iest", "ily", "ness"),
        *("e", "en", "em", "n", "a", "o", "as", "os"),
    }
)
SHORTEST = 3
# Three words in a row: two texts that share many of them were copied from each other.
RUN = 3
ALIKE = 0.5


def is_form_of(word: str, of: str) -> bool:
    """Whether `word` is `of` in any case or inflection: “Sports” of “sport”, “positively” of “positive”."""
    word, of = word.casefold(), of.casefold()
    if word == of or len(of) < SHORTEST:
        return word == of
    stems = {of, of.removesuffix("e"), of.removesuffix("y")}
    return any(word.startswith(stem) and word[len(stem) :] in ENDINGS for stem in stems)


def near_duplicates(texts: Sequence[Sequence[str]], alike: float = ALIKE) -> list[list[int]]:
    """Groups of texts, each given by its words, that share at least `alike` of their runs of three words.

    Share: Jaccard index of the sets of runs (Broder 1997, doi:10.1109/SEQUEN.1997.666900), with the first text of the
    group. Positions from 0, in order; texts that are like no other are left out.
    """
    groups: dict[int, list[int]] = {}
    where: dict[Hashable, list[int]] = defaultdict(list)
    runs = [_runs(words) for words in texts]
    for at, own in enumerate(runs):
        shared = Counter(first for run in own for first in where.get(run, ()))
        likest = max(shared, key=lambda first: _jaccard(shared[first], own, runs[first]), default=None)
        if likest is not None and _jaccard(shared[likest], own, runs[likest]) >= alike:
            groups[likest].append(at)
            continue
        groups[at] = [at]
        for run in own:
            where[run].append(at)
    return [group for group in groups.values() if len(group) > 1]


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    """A text of fewer words is one run."""
    folded = [word.casefold() for word in words]
    return {tuple(folded[at : at + RUN]) for at in range(max(1, len(folded) - RUN + 1))}


def _jaccard(shared: int, first: set[tuple[str, ...]], second: set[tuple[str, ...]]) -> float:
    return shared / (len(first) + len(second) - shared)
