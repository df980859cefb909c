"""The saliency methods: one file each, one signature, one line here and one entry in the catalogue.

`method(classifier, batch, target, **params) -> scores`: `target` holds the class to explain for each text,
the scores are one float per piece, batch first, zero on the padding. The model is left as found.
"""

from collections.abc import Callable

from torch import Tensor

from workers.saliency.attention_all import attention_all
from workers.saliency.attention_last import attention_last
from workers.saliency.attention_rollout import attention_rollout
from workers.saliency.attention_x_gradient import attention_x_gradient
from workers.saliency.deeplift import deeplift
from workers.saliency.gradient import gradient
from workers.saliency.input_x_gradient import input_x_gradient
from workers.saliency.integrated_gradients import integrated_gradients
from workers.saliency.lime import lime
from workers.saliency.random import random

METHODS: dict[str, Callable[..., Tensor]] = {
    "attention_all": attention_all,
    "attention_last": attention_last,
    "attention_rollout": attention_rollout,
    "attention_x_gradient": attention_x_gradient,
    "gradient": gradient,
    "input_x_gradient": input_x_gradient,
    "integrated_gradients": integrated_gradients,
    "deeplift": deeplift,
    "lime": lime,
    "random": random,
}
