"""A classifier whose methods are known: eight methods on twelve texts under six metrics, with made-up numbers."""

import random

from accounts.models import Team
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from catalogue.reasons import NEVER_FLIPS
from materials.models import Classifier, Dataset
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

EXPLAINED = (
    "attention_all", "gradient", "input_x_gradient", "integrated_gradients",
    "deeplift", "lime", "kernel_shap", "random",
)  # fmt: skip
SCORED = ("comprehensiveness", "sufficiency", "aopc", "decision_flip", "tau_loo", "model_randomisation")


def known_classifier(team: Team, texts: int = 6) -> tuple[Classifier, Dataset]:
    """The better a method, the earlier it stands in `EXPLAINED`; decisions flip on half of the texts alone."""
    dataset = films(team, {"neg": texts, "pos": texts})
    classifier = judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    draws = random.Random(0)
    for number, text in enumerate(dataset.texts.all()):
        target = ["neg", "pos"].index(text.label)
        for place, method in enumerate(EXPLAINED):
            values = {name: _value(name, place, draws) for name in SCORED}
            values |= {"decision_flip": NEVER_FLIPS} if number % 2 else {}
            error = 0.01 + 0.05 * place * draws.random() if METHODS[method].complete else None
            scores = [draws.gauss(0, 1) for _ in range(8)]
            options = {"target": target, "seconds": 0.02 * (place + 1), "error": error}
            explain(classifier, text, method, scores, values, **options)  # type: ignore[arg-type]
            if method in ("lime", "kernel_shap"):
                again = [score + draws.gauss(0, 0.4) for score in scores]
                explain(classifier, text, method, again, target=target, params={"seed": 1})
    return classifier, dataset


def _value(metric: str, place: int, draws: random.Random) -> float | str:
    good = 0.5 - 0.05 * place + draws.gauss(0, 0.08)
    return good if METRICS[metric].higher_is_better else 0.6 - good
