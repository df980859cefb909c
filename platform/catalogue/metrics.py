"""Every automatic metric of an explanation, as plain data: the web knows them all without torch."""

from dataclasses import dataclass

from catalogue.methods import ALL_KINDS
from catalogue.parameters import Parameter

ERASER = "DeYoung et al. 2020, arXiv:1911.03429"
SHARES = Parameter("shares", (0.01, 0.05, 0.1, 0.2, 0.5), "shares of the words, over which the mean is taken")


@dataclass(frozen=True)
class Metric:
    name: str
    label: str
    family: str
    citation: str
    description: str
    higher_is_better: bool
    classifier_kinds: tuple[str, ...] = ALL_KINDS
    parameters: tuple[Parameter, ...] = ()


_METRICS = (
    Metric(
        "comprehensiveness",
        "Comprehensiveness",
        "faithfulness",
        ERASER,
        "How far the probability of the class falls when the most salient words are removed.",
        higher_is_better=True,
        parameters=(SHARES,),
    ),
    Metric(
        "sufficiency",
        "Sufficiency",
        "faithfulness",
        ERASER,
        "How far the probability of the class falls when only the most salient words are kept.",
        higher_is_better=False,
        parameters=(SHARES,),
    ),
)
METRICS = {metric.name: metric for metric in _METRICS}
