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


STEPS = Parameter("steps", 20, "how many points the curve has at most, evenly over the words; 0: one a word", minimum=0)
ABSOLUTE = Parameter("absolute", False, "compare the sizes of scores, for methods whose scores have no sign")
SEED = Parameter("seed", 0, "another seed is another draw of the same metric", minimum=0)
OUTPUTS = ("score", "probability")
K = Parameter("k", 0, "how many of the highest scored words are compared; 0: as many as people marked", minimum=0)
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
    Metric(
        "log_odds",
        "Log-odds",
        "faithfulness",
        "Chen et al. 2020, arXiv:2004.02015; Shrikumar et al. 2017, arXiv:1704.02685",
        "How much the logarithm of the class's probability changes when the most salient words are removed.",
        higher_is_better=False,
        parameters=(
            Parameter(
                "of",
                "probability",
                "log p as in Chen et al., or log (p / (1 - p)) as in Shrikumar et al.",
                choices=("probability", "odds"),
            ),
            PROFILE,
            SHARES,
            ABSENT,
        ),
    ),
    Metric(
        "aopc",
        "AOPC",
        "faithfulness",
        "Samek et al. 2017, arXiv:1509.06321; Nguyen 2018, aclanthology.org/N18-1097",
        "How far the probability of the class falls on average while the most salient words are removed one by one.",
        higher_is_better=True,
        parameters=(Parameter("words", 10, "how many words are removed one by one", minimum=1), ABSENT),
    ),
    Metric(
        "deletion_auc",
        "Deletion AUC",
        "faithfulness",
        "Petsiuk et al. 2018, arXiv:1806.07421",
        "The area under the probability of the class while all words are removed, the most salient first.",
        higher_is_better=False,
        parameters=(STEPS, ABSENT),
    ),
    Metric(
        "insertion_auc",
        "Insertion AUC",
        "faithfulness",
        "Petsiuk et al. 2018, arXiv:1806.07421",
        "The area under the probability of the class while all words are put back, the most salient first.",
        higher_is_better=True,
        parameters=(STEPS, ABSENT),
    ),
    Metric(
        "decision_flip",
        "Decision flip",
        "faithfulness",
        "Serrano & Smith 2019, arXiv:1906.03731; Chrysostomou & Aletras 2021, arXiv:2105.02657",
        "The smallest share of words, the most salient first, whose removal changes the prediction.",
        higher_is_better=False,
        parameters=(ABSENT,),
    ),
    Metric(
        "monotonicity",
        "Monotonicity",
        "faithfulness",
        "Luss et al. 2019, arXiv:1905.12698; Arya et al. 2019, arXiv:1909.03012",
        "How often the probability of the class does not fall while words are added, the least salient first.",
        higher_is_better=True,
        parameters=(
            Parameter(
                "added",
                "positive",
                "which words are added: those that score above zero, or all as in Arya et al.",
                choices=("positive", "all"),
            ),
            STEPS,
            ABSENT,
        ),
    ),
    Metric(
        "tau_loo",
        "Tau-LOO",
        "faithfulness",
        "Jain & Wallace 2019, arXiv:1902.10186; Attanasio et al. 2023, arXiv:2208.01575",
        "How alike the scores and the probability's falls without each single word rank the words (Kendall's tau-b).",
        higher_is_better=True,
        parameters=(ABSOLUTE, ABSENT),
    ),
    Metric(
        "infidelity",
        "Infidelity",
        "faithfulness",
        "Yeh et al. 2019, arXiv:1901.09392",
        "How far the sum of the scores of randomly removed words is from what their removal takes from the output.",
        higher_is_better=False,
        parameters=(
            Parameter("samples", 50, "how many random sets of words are removed", minimum=1),
            Parameter("scaled", True, "scale the scores as fits best: methods have units of their own"),
            Parameter("output", "score", "what removal takes from: the class's output or probability", choices=OUTPUTS),
            ABSENT,
            SEED,
        ),
    ),
    Metric(
        "max_sensitivity",
        "Max-sensitivity",
        "robustness",
        "Yeh et al. 2019, arXiv:1901.09392",
        "How far the map moves at most, by its own size, when the embeddings of the text are a little off.",
        higher_is_better=False,
        parameters=(
            Parameter("samples", 10, "how often the embeddings are put off and the method is run again", minimum=1),
            Parameter("radius", 0.02, "how far off, as a share of the range of the text's embeddings", minimum=0.0),
            SEED,
        ),
        needs=METHOD,
    ),
    Metric(
        "model_randomisation",
        "Model randomisation",
        "robustness",
        "Adebayo et al. 2018, arXiv:1810.03292",
        "How alike the method ranks the words when the model has forgotten what it learnt (Spearman's rho).",
        higher_is_better=False,
        parameters=(
            Parameter(
                "order",
                "cascading",
                "parts of the model are drawn anew one after the other from the top, or each alone",
                choices=("cascading", "independent"),
            ),
            Parameter("steps", 4, "in how many parts the layers are drawn anew", minimum=1),
            ABSOLUTE,
            SEED,
        ),
        needs=METHOD,
    ),
    Metric(
        "token_f1",
        "Token F1",
        "plausibility",
        ERASER,
        "How well the highest scored words are those that people marked, as the F1 of words.",
        higher_is_better=True,
        parameters=(K,),
        needs=RATIONALE,
    ),
    Metric(
        "token_iou",
        "Token IoU",
        "plausibility",
        ERASER,
        "How well the highest scored words are those that people marked, as intersection over union of words.",
        higher_is_better=True,
        parameters=(K,),
        needs=RATIONALE,
    ),
    Metric(
        "iou_f1",
        "IoU F1",
        "plausibility",
        ERASER,
        "How many marked spans the runs of highest scored words cover by half or more, as the F1 of spans.",
        higher_is_better=True,
        parameters=(K,),
        needs=RATIONALE,
    ),
    Metric(
        "auprc",
        "AUPRC",
        "plausibility",
        ERASER,
        "How well the scores separate marked words from others: the area under the precision-recall curve.",
        higher_is_better=True,
        parameters=(
            Parameter(
                "interpolation",
                "step",
                "step: average precision; linear: points joined by straight lines, as ERASER and ferret do",
                choices=("step", "linear"),
            ),
        ),
        needs=RATIONALE,
    ),
    Metric(
        "pointing_game",
        "Pointing game",
        "plausibility",
        "Zhang et al. 2016, arXiv:1608.00507",
        "Whether the highest scored word is one that people marked, 1 or 0.",
        higher_is_better=True,
        needs=RATIONALE,
    ),
    Metric(
        "rank_correlation",
        "Rank correlation with human importance",
        "plausibility",
        "Kendall 1945, Biometrika 33:239-251; Spearman 1904",
        "How alike the scores and the importance that people gave rank the words.",
        higher_is_better=True,
        parameters=(
            Parameter("coefficient", "kendall_tau_b", "of rank correlation", choices=("kendall_tau_b", "spearman")),
        ),
        needs=RATIONALE,
    ),
)
# As far from its best at -1 as at 1: a map that the altered model turns round depends on the weights no less.
NEARER_ZERO = frozenset({"model_randomisation"})
# What a campaign computes unless somebody chooses otherwise.
USUAL = ("comprehensiveness", "sufficiency")
METRICS = {metric.name: metric for metric in _METRICS}
