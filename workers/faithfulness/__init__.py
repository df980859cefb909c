"""The faithfulness metrics: one file each, one signature, one line here and one entry in the catalogue.

`metric(classifier, batch, word_scores, target, **params) -> values`: one row of the batch is one
explanation, with one score a word (None where the model never saw the word) and its target class.
"""

from collections.abc import Callable

from workers.faithfulness.comprehensiveness import comprehensiveness
from workers.faithfulness.erasing import Value
from workers.faithfulness.sufficiency import sufficiency

METRICS: dict[str, Callable[..., list[Value]]] = {
    "comprehensiveness": comprehensiveness,
    "sufficiency": sufficiency,
}
