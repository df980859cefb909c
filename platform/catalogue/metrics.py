"""Every automatic metric of an explanation, as plain data: the web knows them all without torch."""

from dataclasses import dataclass

from catalogue.methods import ABSENT, ALL_KINDS
from catalogue.parameters import Parameter

ERASER = "DeYoung et al. 2020, arXiv:1911.03429"
PROFILE = Parameter(
    "profile",
    "eraser",
    "eraser: each of the shares, words rounded up; ferret: 10, 20, .. 100 %, of which only words that score above zero",
    choices=("eraser", "ferret"),
)
SHARES = Parameter(
    "shares",
    (0.01, 0.05, 0.1, 0.2, 0.5),
    "shares of the words over which the mean is taken, in profile eraser",
    minimum=0.001,
    maximum=1,
)


MODEL, METHOD, RATIONALE = "model", "method", "rationale"


@dataclass(frozen=True)
class Metric:
    """`needs`: what it reads beside the text and its scores. The classifier's `model`; the `method` too, to run it
    again; or the text's human `rationale`, and no model at all.
    """

    name: str
    label: str
    family: str
    citation: str
    description: str
    higher_is_better: bool
    classifier_kinds: tuple[str, ...] = ALL_KINDS
    parameters: tuple[Parameter, ...] = ()
    needs: str = MODEL


_METRICS = (
    Metric(
        "comprehensiveness",
        "Comprehensiveness",
        "faithfulness",
        ERASER,
        "How far the probability of the class falls when the most salient words are removed.",
        higher_is_better=True,
        parameters=(PROFILE, SHARES, ABSENT),
    ),
    Metric(
        "sufficiency",
        "Sufficiency",
        "faithfulness",
        ERASER,
        "How far the probability of the class falls when only the most salient words are kept.",
        higher_is_better=False,
        parameters=(PROFILE, SHARES, ABSENT),
    ),
)
METRICS = {metric.name: metric for metric in _METRICS}
