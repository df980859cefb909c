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


TRAINING = Parameter("training", 4000, "reviews that the LSTM learns from; it is tried on others", minimum=50)
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
    Task(
        "agreement",
        "Agreement",
        "Ding & Koehn 2021, arXiv:2104.05824",
        "Does saliency point at the word that decides how a sentence goes on, and not at one that would mislead?",
        "causal-lm",
        (
            Measure("pass_rate", "prefixes that pass"),
            Measure("expected", "pass, model prefers the expected class"),
            Measure("alternative", "pass, model prefers the other class"),
            Measure("random", "Random's pass rate", drawn=False),
            Measure("chance", "pass rate by chance", drawn=False),
            Measure("model_consistency", "likeness to maps of a copy", -1),
            Measure("input_consistency", "likeness within a template", -1),
        ),
        "95 % intervals: Wilson for rates, bootstrap over prefixes or templates for mean Pearson correlations",
        "More than 75 % of the prefixes pass: half of what chance, 50 %, leaves over.",
        (Parameter("texts", 5, "prefixes for each template and class", minimum=2), SEED),
    ),
    Task(
        "deletion",
        "Word deletion",
        ARRAS_2019,
        "Does an LSTM go wrong without the most relevant words, and right without those that speak against?",
        "lstm",
        (
            Measure("effect", "mean change of accuracy over 1 to 5 deleted words", -0.25, 1),
            Measure("above_random", "the same above random deletion", -0.25, 1),
            *(Measure(f"accuracy_{count}", f"accuracy with {count} words deleted", drawn=False) for count in range(6)),
        ),
        "95 % bootstrap intervals over texts",
        "The change of accuracy, in the right direction, is more than twice that of random deletion, and above it by "
        "more than chance.",
        (Parameter("texts", 150, "texts of each part", minimum=10), TRAINING, SEED),
        absent="zero",
    ),
    Task(
        "negation",
        "Negation",
        ARRAS_2019,
        'Do sentiment words speak less for their class after "not"?',
        "lstm",
        (
            Measure("fall", "fall of relevance after a negation", -1, 3),
            Measure("plain", "relevance without negation", drawn=False),
            Measure("negated", "relevance after a negation", drawn=False),
        ),
        "95 % bootstrap intervals over occurrences",
        "The fall is above zero by more than chance, where the model itself negates. In reviews, where it does so a "
        "little, an interval that holds zero is undefined.",
        (
            Parameter("texts", 120, "sentences and reviews, with negation and without each", minimum=10),
            TRAINING,
            Parameter("sentences", 3000, "sentences with and without negation that it learns from too", minimum=0),
            SEED,
        ),
        absent="zero",
    ),
    Task(
        "representations",
        "Sentence representations",
        ARRAS_2019,
        "Do sums of word embeddings, weighted by relevance, tell what an LSTM predicts?",
        "lstm",
        (
            Measure("accuracy", "accuracy of a simple classifier"),
            Measure("above_random", "the same above Random's weights", -0.5, 0.5),
            Measure("plain", "accuracy without weights", drawn=False),
        ),
        "95 % bootstrap intervals over held-out texts",
        "The simple classifier is right more often than with Random's weights, by more than chance.",
        (Parameter("texts", 400, "reviews, half of them held out", minimum=20), TRAINING, SEED),
        absent="zero",
    ),
)
TASKS = {task.name: task for task in _TASKS}
