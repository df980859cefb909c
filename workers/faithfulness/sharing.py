"""How many of the top words count: shares of the words, as the two profiles have them.

eraser   ceil(q n) words for each share q              DeYoung et al. 2020, https://arxiv.org/abs/1911.03429
ferret   floor(q n) words, q = 10 % .. 100 %, and of those only the ones that score above zero; a share of no
         word, and one with the same words as the share before, are left out of the mean
                                                       Attanasio et al. 2023, https://arxiv.org/abs/2208.01575
"""

import math
from collections.abc import Sequence

from catalogue.reasons import NO_POSITIVE
from workers.faithfulness.erasing import Row, Undefined

ERASER_SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
FERRET_SHARES = tuple(step / 10 for step in range(1, 11))


def counts_of(row: Row, profile: str, shares: Sequence[float]) -> list[int]:
    """The numbers of top words; the profile ferret has shares of its own. Undefined where no word is positive."""
    words = len(row.ranked)
    if profile == "eraser":
        return [math.ceil(round(share * words, 9)) for share in shares]
    positive = sum(score > 0 for score in row.scores)
    if not positive:
        raise Undefined(NO_POSITIVE)
    counts = [min(math.floor(round(share * words, 9)), positive) for share in FERRET_SHARES]
    return sorted({count for count in counts if count})
