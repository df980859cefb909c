"""The known-answer tasks, as plain data: what each asks of a method, what it measures, and when a method passes."""

from dataclasses import dataclass

from catalogue.parameters import Parameter

PASSED, FAILED, UNDEFINED = "passed", "failed", "undefined"
ARRAS_2019 = "Arras et al. 2019, arXiv:1904.11829"
# Methods that are judged once with each value of a parameter, where all of them serve a kind.
VARIANTS = {"lrp_lstm": ("rule", ("all", "prop", "abs", "half"))}


@dataclass(frozen=True)
class Measure:
    """`low` and `high` end its axis; what is not `drawn` stands in tables alone."""

    name: str
    label: str
    low: float = 0.0
    high: float = 1.0
    drawn: bool = True


@dataclass(frozen=True)
class Task:
    """`interval` says what the bars about a value are, `pass_line` when a method passes.

    `absent`: how words are left out by methods that do so.
    """

    name: str
    label: str
    citation: str
    question: str
    classifier_kind: str
    measures: tuple[Measure, ...]
    interval: str
    pass_line: str
    parameters: tuple[Parameter, ...]
    absent: str = "remove"


SEED = Parameter("seed", 0, "another seed is other data and other models", minimum=0)
_TASKS = (
    Task(
        "arithmetic",
        "Sums and differences",
        ARRAS_2019,
        "Does the relevance of the two numbers that an LSTM adds or subtracts follow these numbers?",
        "lstm",
        (
            Measure("corr_a", "correlation of the first number with its relevance", -1),
            Measure("corr_b", "correlation of the second number with its relevance", -1),
            Measure("squared_error", "mean of (R_a + R_b - y)^2", drawn=False),
        ),
        "the middle 95 % of networks",
        "The mean correlation of each number with its relevance, in the direction of the right answer, is above "
        "0.71: more than half of the variance of a number's relevance is the number.",
        (
            Parameter("models", 50, "networks that are trained for each kind of sums", minimum=1),
            Parameter("cells", 1, "memory cells of each network", minimum=1),
            Parameter("texts", 50, "sequences that are explained", minimum=10),
            SEED,
        ),
        absent="zero",
    ),
    Task(
        "planted",
        "Planted word",
        "Bastings et al. 2022, arXiv:2111.07367",
        "Where one rare word decides the prediction, does that word rank first?",
        "transformer",
        (
            Measure("precision", "texts with the planted word on top"),
            Measure("percentile", "share of the other words that rank below it"),
            Measure("chance", "precision by chance", drawn=False),
        ),
        "95 % Wilson intervals over texts; for ranks the range of models",
        "The planted word is on top in more than half of the share of texts that chance leaves over.",
        (
            Parameter("models", 3, "encoders that are trained", minimum=1),
            Parameter("texts", 60, "texts with a planted word for each of them", minimum=10),
            SEED,
        ),
    ),
)
TASKS = {task.name: task for task in _TASKS}
