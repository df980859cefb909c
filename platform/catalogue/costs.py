"""What a method or metric costs, in forward passes over the text; a backward pass counts as two."""

from collections.abc import Callable, Mapping
from typing import Any

Params = Mapping[str, Any]
GRADIENT = 3.0
# Left-out words make shorter texts: half of one, on average.
LEFT_OUT = 0.5

# By the parameters and the text's number of words; a method that is not here costs one gradient.
_PASSES: dict[str, Callable[[Params, float], float]] = {
    "attention_all": lambda params, words: 1.0,
    "attention_last": lambda params, words: 1.0,
    "attention_rollout": lambda params, words: 1.0,
    "attention_flow": lambda params, words: 1.0 + words,
    "integrated_gradients": lambda params, words: GRADIENT * _count(params, "nodes"),
    "ding2021_integrated_gradients": lambda params, words: GRADIENT * _count(params, "nodes"),
    "smoothgrad": lambda params, words: GRADIENT * _count(params, "samples"),
    "vargrad": lambda params, words: GRADIENT * _count(params, "samples"),
    "gradient_shap": lambda params, words: GRADIENT * _count(params, "samples"),
    "deeplift": lambda params, words: 2 * GRADIENT,
    "lu2024_deeplift": lambda params, words: 2 * GRADIENT,
    "occlusion": lambda params, words: words,
    "lime": lambda params, words: LEFT_OUT * _count(params, "samples"),
    "lu2024_lime": lambda params, words: _count(params, "samples"),
    "kernel_shap": lambda params, words: LEFT_OUT * min(_count(params, "samples"), 2.0 ** min(words, 30)),
    "shapley_sampling": lambda params, words: LEFT_OUT * _count(params, "samples") * words,
    "contextual_decomposition": lambda params, words: words,
    "random": lambda params, words: 0.0,
    "comprehensiveness": lambda params, words: float(len(params.get("shares", ()))),
    "sufficiency": lambda params, words: float(len(params.get("shares", ()))),
}


def passes(name: str, params: Params, words: float) -> float:
    """Forward passes that one text of so many words takes."""
    return _PASSES[name](params, words) if name in _PASSES else GRADIENT


def _count(params: Params, name: str) -> float:
    """How many points or samples; 20 where the method decides by itself."""
    value = params.get(name, 20)
    return float(value) if isinstance(value, int | float) else 20.0
