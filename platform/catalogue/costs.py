"""What a method or metric costs, in forward passes over the text; a backward pass counts as two."""

from collections.abc import Callable, Mapping
from typing import Any

from catalogue.metrics import METHOD, METRICS, RATIONALE

Params = Mapping[str, Any]
GRADIENT = 3.0
# Left-out words make shorter texts: half of one, on average.
LEFT_OUT = 0.5
# What integrated gradients take on texts of ordinary length, where they decide by themselves.
ADAPTIVE_NODES = 16

# By the parameters and the text's number of words; a method that is not here costs one gradient.
_PASSES: dict[str, Callable[[Params, float], float]] = {
    "attention_all": lambda params, words: 1.0,
    "attention_last": lambda params, words: 1.0,
    "attention_rollout": lambda params, words: 1.0,
    "attention_flow": lambda params, words: 1.0 + words,
    "attn_lrp": lambda params, words: 1.4 * GRADIENT,
    "integrated_gradients": lambda params, words: GRADIENT * (_count(params, "nodes") or ADAPTIVE_NODES),
    "ding2021_integrated_gradients": lambda params, words: GRADIENT * _count(params, "steps"),
    "smoothgrad": lambda params, words: GRADIENT * _count(params, "samples"),
    "vargrad": lambda params, words: GRADIENT * _count(params, "samples"),
    "gradient_shap": lambda params, words: GRADIENT * _count(params, "samples"),
    "deeplift": lambda params, words: 2.5 * GRADIENT,
    "lu2024_deeplift": lambda params, words: 2.5 * GRADIENT,
    "occlusion": lambda params, words: words,
    "lime": lambda params, words: LEFT_OUT * _count(params, "samples"),
    "lu2024_lime": lambda params, words: _count(params, "samples"),
    "kernel_shap": lambda params, words: LEFT_OUT * min(_count(params, "samples"), 2.0 ** min(words, 30)),
    "shapley_sampling": lambda params, words: LEFT_OUT * 2 * _count(params, "pairs") * words,
    "contextual_decomposition": lambda params, words: words,
    "random": lambda params, words: 0.0,
    "comprehensiveness": lambda params, words: _shares(params),
    "sufficiency": lambda params, words: _shares(params),
    "log_odds": lambda params, words: _shares(params),
    "aopc": lambda params, words: min(_count(params, "words"), words),
    "deletion_auc": lambda params, words: LEFT_OUT * _steps(params, words),
    "insertion_auc": lambda params, words: LEFT_OUT * _steps(params, words),
    "decision_flip": lambda params, words: LEFT_OUT * words,
    "monotonicity": lambda params, words: LEFT_OUT * _steps(params, words),
    "tau_loo": lambda params, words: words,
    "infidelity": lambda params, words: LEFT_OUT * _count(params, "samples"),
}
# Metrics that run the method again, by the parameter that says how often: for each there is the method's own time.
_REPEATING = {"max_sensitivity": "samples", "model_randomisation": "steps"}
# What they run of a text serves all its explanations.
SHARED = frozenset({"tau_loo", "infidelity"})


def passes(name: str, params: Params, words: float) -> float:
    """Forward passes that one text of so many words takes, besides what it runs a method again for."""
    if name in METRICS and METRICS[name].needs in (METHOD, RATIONALE):
        return 0.0
    return _PASSES[name](params, words) if name in _PASSES else GRADIENT


def repeats(name: str, params: Params) -> float:
    """How often a metric runs the method of each map again."""
    return _count(params, _REPEATING[name]) if name in _REPEATING else 0.0


def _shares(params: Params) -> float:
    return float(10 if params.get("profile") == "ferret" else len(params.get("shares", ())))


def _steps(params: Params, words: float) -> float:
    return min(_count(params, "steps") or words, words)


def _count(params: Params, name: str) -> float:
    """How many points or samples; none where a stored map does not say."""
    value = params.get(name, 0)
    return float(value) if isinstance(value, int | float) else 0.0
