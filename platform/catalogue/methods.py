"""Every saliency method, as plain data: the web knows them all without torch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalogue.parameters import Parameter

LU_2024 = "Lu et al. 2024, arXiv:2405.10767"
DING_2021 = "Ding & Koehn 2021, arXiv:2104.05824"
TRANSFORMER = ("transformer",)
LSTM = ("lstm",)
ALL_KINDS = ("transformer", "lstm", "causal-lm")
# Beyond these a typing error would keep a worker for days, or take all its memory.
MOST_SAMPLES, MOST_POINTS = 100_000, 1000
WITH_ATTENTION = ("transformer", "causal-lm")
# Of every method that scores word pieces: the driver reads it, the method's function does not.
PIECES = Parameter("pieces", "sum", "how the scores of a word's pieces make its own", choices=("sum", "mean", "max"))
SEED = Parameter("seed", 0, "another seed is another draw of the same method", minimum=0)
BASELINE = Parameter(
    "baseline",
    "zero",
    "the empty input: zero embeddings for all pieces, or that token in place of every word",
    choices=("zero", "pad", "mask", "unk"),
)
ABSENT = Parameter(
    "absent",
    "remove",
    "how words are left out: pieces removed, or replaced by the mask token, padding or zero embeddings",
    choices=("remove", "mask", "pad", "zero"),
)
OF = Parameter(
    "of",
    "gradient",
    "the method whose maps at noisy embeddings are taken",
    choices=("gradient", "input_x_gradient", "integrated_gradients"),
)
SIGMA = Parameter("sigma", 0.15, "the noise's deviation, as a share of the range of the text's embeddings", minimum=0.0)


def _many(name: str, default: int, description: str, minimum: int) -> Parameter:
    return Parameter(name, default, description, minimum=minimum, maximum=MOST_SAMPLES)


@dataclass(frozen=True)
class Method:
    """`signed`: scores speak for and against. `complete`: they should sum to f(text) - f(baseline), or to the part
    of f(text) that the method says it hands to words.

    `signed_by` names the values of a parameter that make scores signed which are not by default.

    `function` is the package.module:function of a method from outside; ours are found by their names.
    """

    name: str
    label: str
    family: str
    citation: str
    description: str
    signed: bool
    complete: bool
    classifier_kinds: tuple[str, ...] = TRANSFORMER
    parameters: tuple[Parameter, ...] = ()
    function: str = ""
    signed_by: tuple[str, tuple[str, ...]] = ("", ())

    def signed_with(self, params: Mapping[str, Any]) -> bool:
        """Whether scores under these parameters speak for and against."""
        parameter, values = self.signed_by
        return self.signed or params.get(parameter) in values


_METHODS = (
    Method(
        "attention_all",
        "Attention (all layers)",
        "attention",
        LU_2024,
        "How much attention a word receives from the whole text, summed over all layers and heads.",
        signed=False,
        complete=False,
        classifier_kinds=WITH_ATTENTION,
        parameters=(PIECES,),
    ),
    Method(
        "attention_last",
        "Attention (last layer)",
        "attention",
        LU_2024,
        "How much attention a word receives from the whole text in the last layer, summed over its heads.",
        signed=False,
        complete=False,
        classifier_kinds=WITH_ATTENTION,
        parameters=(PIECES,),
    ),
    Method(
        "attention_rollout",
        "Attention rollout",
        "attention",
        "Abnar & Zuidema 2020, arXiv:2005.00928",
        "Attention multiplied through the layers, half of each passing unchanged: what reaches the model's output.",
        signed=False,
        complete=False,
        classifier_kinds=WITH_ATTENTION,
        parameters=(PIECES,),
    ),
    Method(
        "attention_flow",
        "Attention flow",
        "attention",
        "Abnar & Zuidema 2020, arXiv:2005.00928",
        "How much could flow from the output to the word through pipes as wide as the attention; slow on long texts.",
        signed=False,
        complete=False,
        classifier_kinds=WITH_ATTENTION,
        parameters=(
            Parameter(
                "most_pieces",
                256,
                "longer texts are refused: with six layers, 120 pieces take about a second and 256 about ten",
                minimum=1,
            ),
            PIECES,
        ),
    ),
    Method(
        "attention_x_gradient",
        "Attention x gradient",
        "attention",
        "Chefer et al. 2021, arXiv:2103.15679",
        "Attention times its gradient where that speaks for the class, carried through the layers.",
        signed=False,
        complete=False,
        classifier_kinds=WITH_ATTENTION,
        parameters=(PIECES,),
    ),
    Method(
        "gradient",
        "Gradient",
        "gradient",
        "Simonyan et al. 2014, arXiv:1312.6034",
        "How strongly a small change of the word's embedding would move the score of the class.",
        signed=False,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(
            Parameter(
                "reduction",
                "l1",
                "how dimensions make one score; signed makes all scores zero where a layer norm reads them, as in BERT",
                choices=("l1", "l2", "squared_l2", "signed", "mean"),
            ),
            PIECES,
        ),
        signed_by=("reduction", ("signed",)),
    ),
    Method(
        "input_x_gradient",
        "Input x gradient",
        "gradient",
        "Shrikumar et al. 2016, arXiv:1605.01713",
        "The gradient times the word's embedding: what the word adds to the score, to a first approximation; "
        "nearly nothing where a model normalises its embeddings first, as BERT and its kin do.",
        signed=True,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(PIECES,),
    ),
    Method(
        "integrated_gradients",
        "Integrated gradients",
        "gradient",
        "Sundararajan et al. 2017, arXiv:1703.01365",
        "The gradient averaged on the way from an empty input to the text, times the word's embedding.",
        signed=True,
        complete=True,
        classifier_kinds=ALL_KINDS,
        parameters=(
            Parameter("tolerance", 0.03, "the relative completeness error that needs no more points", minimum=0.0),
            Parameter("most_nodes", 64, "points after which a text is left as it is", minimum=13, maximum=MOST_POINTS),
            Parameter(
                "nodes",
                0,
                "points for every text alike; 0 takes as many as the tolerance asks for",
                minimum=0,
                maximum=MOST_POINTS,
            ),
            BASELINE,
            PIECES,
        ),
    ),
    Method(
        "smoothgrad",
        "SmoothGrad",
        "gradient",
        "Smilkov et al. 2017, arXiv:1706.03825",
        "The mean of a gradient method's scores over slightly different embeddings, which evens out their noise.",
        signed=False,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(OF, _many("samples", 30, "noisy copies of the text", 1), SIGMA, SEED, PIECES),
        signed_by=("of", ("input_x_gradient", "integrated_gradients")),
    ),
    Method(
        "vargrad",
        "VarGrad",
        "gradient",
        "Adebayo et al. 2018, arXiv:1810.03292",
        "How much a gradient method's score of the word varies over slightly different embeddings.",
        signed=False,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(OF, _many("samples", 30, "noisy copies of the text", 2), SIGMA, SEED, PIECES),
    ),
    Method(
        "gradient_shap",
        "Gradient SHAP",
        "gradient",
        "Lundberg & Lee 2017, arXiv:1705.07874; Erion et al. 2021, arXiv:1906.10670",
        "Integrated gradients by chance: at random points between an empty input and noisy copies of the text.",
        signed=True,
        complete=True,
        classifier_kinds=ALL_KINDS,
        parameters=(
            _many("samples", 30, "random points at which the gradient is taken", 1),
            Parameter(
                "sigma", 0.01, "the noise's deviation, as a share of the range of the text's embeddings", minimum=0.0
            ),
            BASELINE,
            SEED,
            PIECES,
        ),
    ),
    Method(
        "ding2021_integrated_gradients",
        "Integrated gradients (Ding & Koehn 2021)",
        "gradient",
        DING_2021,
        "The variant released with that paper, which weighs the late part of the path more: for comparison with it.",
        signed=True,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(_many("steps", 50, "points on the path; the paper took 100 for LSTMs", 1), PIECES),
    ),
    Method(
        "ding2021_gradient_norm",
        "Gradient norm (Ding & Koehn 2021)",
        "gradient",
        DING_2021,
        "The mean size of the gradient of the log-probability at the word, as a share of that of all words.",
        signed=False,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(PIECES,),
    ),
    Method(
        "deeplift",
        "DeepLIFT",
        "propagation",
        "Shrikumar et al. 2017, arXiv:1704.02685",
        "What changes from an empty input to the text, handed back through every operation of the model.",
        signed=True,
        complete=True,
        classifier_kinds=ALL_KINDS,
        parameters=(PIECES,),
    ),
    Method(
        "lu2024_deeplift",
        "DeepLIFT (Lu et al. 2024)",
        "propagation",
        LU_2024,
        "DeepLIFT as captum computes it: on transformers nearly Input x gradient, and far from adding up.",
        signed=True,
        complete=True,
        parameters=(PIECES,),
    ),
    Method(
        "attn_lrp",
        "AttnLRP",
        "propagation",
        "Achtibat et al. 2024, arXiv:2402.05602",
        "The score handed back through every layer by rules for attention; biases and positions keep a part of it.",
        signed=True,
        complete=True,
        classifier_kinds=WITH_ATTENTION,
        parameters=(PIECES,),
    ),
    Method(
        "occlusion",
        "Occlusion",
        "perturbation",
        "Li et al. 2016, arXiv:1612.08220",
        "How far the score of the class falls when this word alone is left out.",
        signed=True,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(
            Parameter(
                "output",
                "score",
                "whose fall counts: the class's score or its probability",
                choices=("score", "probability"),
            ),
            ABSENT,
        ),
    ),
    Method(
        "lime",
        "LIME",
        "perturbation",
        "Ribeiro et al. 2016, arXiv:1602.04938",
        "A small linear model of how the score changes as words are left out at random.",
        signed=True,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(
            _many("samples", 200, "texts with words left out that are tried", 2),
            Parameter("kernel_width", 0.25, "how fast samples far from the text lose weight", minimum=1e-6),
            Parameter("ridge", 1.0, "strength of the linear model's penalty", minimum=0.0),
            ABSENT,
            SEED,
        ),
    ),
    Method(
        "kernel_shap",
        "Kernel SHAP",
        "perturbation",
        "Lundberg & Lee 2017, arXiv:1705.07874; Covert & Lee 2021, arXiv:2012.01536",
        "The word's Shapley value, its fair share of the score, from a weighted linear model over coalitions of words.",
        signed=True,
        complete=True,
        classifier_kinds=ALL_KINDS,
        parameters=(
            _many("samples", 512, "coalitions that are tried; all of them where there are no more", 4),
            ABSENT,
            SEED,
        ),
    ),
    Method(
        "shapley_sampling",
        "Shapley values (sampled orders)",
        "perturbation",
        "Castro et al. 2009, doi:10.1016/j.cor.2008.04.004; Strumbelj & Kononenko 2014, doi:10.1007/s10115-013-0679-x",
        "What the word adds to the score when words come in one by one, as a mean over random orders.",
        signed=True,
        complete=True,
        classifier_kinds=ALL_KINDS,
        parameters=(
            _many("pairs", 5, "random orders, each taken forwards and backwards", 1),
            ABSENT,
            SEED,
        ),
    ),
    Method(
        "lu2024_lime",
        "LIME (Lu et al. 2024)",
        "perturbation",
        LU_2024,
        "The flawed variant of that paper, which fits every cell of the embeddings to few samples: for comparison.",
        signed=True,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(_many("samples", 40, "texts with half of all cells set to zero", 2), SEED, PIECES),
    ),
    Method(
        "lrp_lstm",
        "LRP (LSTM)",
        "propagation",
        "Arras et al. 2017, arXiv:1706.07206",
        "The score handed back from the output, step by step, to the words that it came from; a rule shares it between "
        "each signal and the gate that let it through.",
        signed=True,
        complete=False,
        classifier_kinds=LSTM,
        parameters=(
            Parameter(
                "rule",
                "all",
                "what a signal and its gate receive: all gives all to the signal and none to the gate, half gives half "
                "to each, prop shares by their values, abs by the values' sizes; half, prop and abs can explode",
                choices=("all", "prop", "abs", "half"),
            ),
            Parameter("eps", 0.001, "keeps divisors away from zero; what it absorbs is lost", minimum=1e-9),
            Parameter("bias_factor", 0.0, "share of biases and eps that is handed on; 1 loses nothing", 0.0, 1.0),
            PIECES,
        ),
    ),
    Method(
        "contextual_decomposition",
        "Contextual decomposition",
        "decomposition",
        "Murdoch et al. 2018, arXiv:1801.05453",
        "What the word brought to the score by itself, apart from what it did together with other words.",
        signed=True,
        complete=False,
        classifier_kinds=LSTM,
        parameters=(PIECES,),
    ),
    Method(
        "random",
        "Random",
        "baseline",
        LU_2024,
        "Words in a random order that is fixed for each text: what any method must beat.",
        signed=False,
        complete=False,
        classifier_kinds=ALL_KINDS,
        parameters=(SEED,),
    ),
)
METHODS = {method.name: method for method in _METHODS}
# The arms of Lu et al. 2024, and what LSTMs have beside them: what a new campaign starts with.
PROPOSED = frozenset(
    {
        "attention_all",
        "attention_last",
        "gradient",
        "input_x_gradient",
        "integrated_gradients",
        "deeplift",
        "lime",
        "lrp_lstm",
        "contextual_decomposition",
        "random",
    }
)


def methods_for(kind: str) -> list[str]:
    """The names of the methods that serve a kind of classifier."""
    return [name for name, method in METHODS.items() if kind in method.classifier_kinds]
