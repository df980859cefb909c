"""The faithfulness metrics: one file each, one signature, one line here and one entry in the catalogue.

`metric(classifier, batch, word_scores, target, **params) -> values`: one row of the batch is one
explanation, with one score a word (None where the model never saw the word) and its target class.
Metrics that run the method again (`needs` in the catalogue) have `makers` after the target: the method
of each row, or None where it cannot be run.
"""

from collections.abc import Callable

from workers.faithfulness.aopc import aopc
from workers.faithfulness.comprehensiveness import comprehensiveness
from workers.faithfulness.decision_flip import decision_flip
from workers.faithfulness.deletion_auc import deletion_auc
from workers.faithfulness.erasing import Value
from workers.faithfulness.infidelity import infidelity
from workers.faithfulness.insertion_auc import insertion_auc
from workers.faithfulness.log_odds import log_odds
from workers.faithfulness.max_sensitivity import max_sensitivity
from workers.faithfulness.model_randomisation import model_randomisation
from workers.faithfulness.monotonicity import monotonicity
from workers.faithfulness.sufficiency import sufficiency
from workers.faithfulness.tau_loo import tau_loo

METRICS: dict[str, Callable[..., list[Value]]] = {
    "comprehensiveness": comprehensiveness,
    "sufficiency": sufficiency,
    "log_odds": log_odds,
    "aopc": aopc,
    "deletion_auc": deletion_auc,
    "insertion_auc": insertion_auc,
    "decision_flip": decision_flip,
    "monotonicity": monotonicity,
    "tau_loo": tau_loo,
    "infidelity": infidelity,
    "max_sensitivity": max_sensitivity,
    "model_randomisation": model_randomisation,
}
