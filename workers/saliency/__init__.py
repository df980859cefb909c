"""The saliency methods: one file each, one signature, one line here and one entry in the catalogue.

`method(classifier, batch, target, **params) -> scores`: `target` holds the class to explain for each text,
the scores are one float per piece, batch first, zero on the padding. The model is left as found.
"""

from collections.abc import Callable
from importlib import import_module

from torch import Tensor

from catalogue.methods import Method
from workers.classifiers.errors import ClassifierError
from workers.saliency.attention_all import attention_all
from workers.saliency.attention_flow import attention_flow
from workers.saliency.attention_last import attention_last
from workers.saliency.attention_rollout import attention_rollout
from workers.saliency.attention_x_gradient import attention_x_gradient
from workers.saliency.attn_lrp import attn_lrp
from workers.saliency.contextual_decomposition import contextual_decomposition
from workers.saliency.deeplift import deeplift
from workers.saliency.ding2021_gradient_norm import ding2021_gradient_norm
from workers.saliency.ding2021_integrated_gradients import ding2021_integrated_gradients
from workers.saliency.gradient import gradient
from workers.saliency.gradient_shap import gradient_shap
from workers.saliency.input_x_gradient import input_x_gradient
from workers.saliency.integrated_gradients import integrated_gradients
from workers.saliency.kernel_shap import kernel_shap
from workers.saliency.lime import lime
from workers.saliency.lrp_lstm import lrp_lstm
from workers.saliency.lu2024_deeplift import lu2024_deeplift
from workers.saliency.lu2024_lime import lu2024_lime
from workers.saliency.occlusion import occlusion
from workers.saliency.random import random
from workers.saliency.shapley_sampling import shapley_sampling
from workers.saliency.smoothgrad import smoothgrad
from workers.saliency.vargrad import vargrad

METHODS: dict[str, Callable[..., Tensor]] = {
    "attention_all": attention_all,
    "attention_last": attention_last,
    "attention_rollout": attention_rollout,
    "attention_flow": attention_flow,
    "attention_x_gradient": attention_x_gradient,
    "gradient": gradient,
    "input_x_gradient": input_x_gradient,
    "integrated_gradients": integrated_gradients,
    "smoothgrad": smoothgrad,
    "vargrad": vargrad,
    "gradient_shap": gradient_shap,
    "ding2021_integrated_gradients": ding2021_integrated_gradients,
    "ding2021_gradient_norm": ding2021_gradient_norm,
    "deeplift": deeplift,
    "lu2024_deeplift": lu2024_deeplift,
    "attn_lrp": attn_lrp,
    "occlusion": occlusion,
    "lime": lime,
    "kernel_shap": kernel_shap,
    "shapley_sampling": shapley_sampling,
    "lu2024_lime": lu2024_lime,
    "lrp_lstm": lrp_lstm,
    "contextual_decomposition": contextual_decomposition,
    "random": random,
}


def function_of(method: Method) -> Callable[..., Tensor]:
    """Ours by its name, one from outside by importing it; ClassifierError where that fails."""
    if not method.function:
        return METHODS[method.name]
    module, _, name = method.function.partition(":")
    try:
        found: Callable[..., Tensor] = getattr(import_module(module), name)
    except Exception as error:  # whatever the module does when it is imported
        raise ClassifierError(f"{method.function} cannot be imported: {type(error).__name__}: {error}") from error
    return found
