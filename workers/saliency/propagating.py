"""One forward pass of the model as it is, whose backward follows rules instead of derivatives.

A function mode sees every operation of the pass. Values stay the model's own; what a rule returns has another
slope. Operations that are linear in what depends on the text need no rule, and anything else without one is
refused. Nothing in the model is changed: only activations that are written out of several operations are
hooked while the pass runs, so that a rule sees them whole.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, handle_torch_function

from workers.classifiers.errors import ClassifierError

# A rule takes the function with its arguments, and answers in its place.
Rule = Callable[..., Any]


def _names(words: str) -> frozenset[str]:
    """Without underscores: `__add__`, `add_` and `add` are one operation."""
    return frozenset(words.split())


LINEAR = _names(
    "get view view_as reshape reshape_as transpose swapaxes permute movedim t contiguous expand expand_as unsqueeze "
    "squeeze flatten unflatten getitem select narrow index_select gather take_along_dim chunk split unbind cat concat "
    "stack repeat repeat_interleave roll flip pad tril triu sum mean cumsum neg positive to float double half bfloat16 "
    "type type_as clone dropout masked_fill where pack_padded_sequence pad_packed_sequence iter"
)
SUMS = _names("add radd iadd sub rsub isub")
PRODUCTS = _names("mul rmul matmul rmatmul bmm mm mv")
QUOTIENTS = _names("div truediv")
CURVES = _names(
    "exp expm1 log log1p log2 sqrt reciprocal sigmoid logsigmoid softplus sin cos abs clamp clamp_min clamp_max"
)
ACTIVATIONS = _names(
    "activation gelu silu relu relu6 leaky_relu elu selu celu mish hardswish hardtanh tanh softsign erf pow square"
)
BLANKS = _names(
    "expand_as view_as reshape_as type_as zeros_like ones_like full_like empty_like "
    "new_zeros new_ones new_full new_empty held"
)


class Propagation(TorchFunctionMode):
    """`method` is who asks, for messages; `rules` maps names of operations to what is done in their place."""

    def __init__(self, method: str, rules: Mapping[str, Rule]) -> None:
        super().__init__()
        self.method = method
        self.rules = rules

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name, given = name_of(func), kwargs or {}
        count = count_tracked((*args, *given.values()))
        rule = self.rules.get(name) if count else None
        made = rule(func, *args, **given) if rule else func(*args, **given)
        if not count:
            return made
        if count_tracked((made,)):
            passes = rule is not None or name in LINEAR or (name in PRODUCTS and count == 1)
        else:
            passes = _holds_nothing(name, made) or (rule is not None and torch.is_grad_enabled())
        if not passes:
            raise refusal(self.method, name if torch.is_grad_enabled() else f"{name} cut off from gradients")
        return made


def _holds_nothing(name: str, made: Any) -> bool:
    """Whether the text left no numbers in what came out without a slope: flags and places, or a blank."""
    return not (isinstance(made, Tensor) and made.is_floating_point()) or name in BLANKS


def refusal(method: str, operation: str) -> ClassifierError:
    return ClassifierError(f"{method} has no rule for {operation}, which this model computes: choose another method.")


def name_of(func: Callable[..., Any]) -> str:
    return str(getattr(func, "__name__", func)).strip("_")


def tracked(value: Any) -> bool:
    """Whether it depends on the text: the embeddings need gradients, the model's weights do not."""
    return isinstance(value, Tensor) and value.requires_grad


def count_tracked(values: Any) -> int:
    """How many of the values, and of those in lists among them, depend on the text."""
    return sum(count_tracked(value) if isinstance(value, list | tuple) else tracked(value) for value in values)


def of_one(
    func: Callable[..., Tensor], args: tuple[Any, ...], more: dict[str, Any]
) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """The argument that depends on the text, and the call as a function of it alone."""
    place = next(place for place, value in enumerate(args) if tracked(value))

    def apply(value: Tensor) -> Tensor:
        return func(*args[:place], value, *args[place + 1 :], **more)

    return args[place], apply


def without_text(values: Any) -> Any:
    """The same arguments with zeros in place of what depends on the text."""
    if isinstance(values, list | tuple):
        return type(values)(without_text(value) for value in values)
    return torch.zeros_like(values) if tracked(values) else values


def known(more: dict[str, Any]) -> dict[str, Any]:
    """Without the arguments that say nothing, for they are not those of every spelling of the function."""
    return {name: value for name, value in more.items() if value is not None and not name.startswith("_")}


class _Grafted(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: Tensor, slope: Tensor) -> Tensor:
        # A view could not be written over, as some models do.
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        return None, gradients[0]


def grafted(value: Tensor, slope: Tensor) -> Tensor:
    """The value of one tensor with the gradient of another of its shape."""
    made: Tensor = _Grafted.apply(value.detach(), slope)  # type: ignore[no-untyped-call]
    return made


def activation(forward: Callable[[Tensor], Tensor], given: Tensor) -> Tensor:
    """A whole activation as one operation, for the rules."""
    return forward(given)


def held(given: Tensor) -> Tensor:
    return given.detach()


def hide(given: Tensor) -> Tensor:
    """For what is seen as a whole, or in another way: operations inside are none on the text."""
    hidden: Tensor = handle_torch_function(held, (given,), given)
    return hidden


@contextmanager
def whole_activations(model: nn.Module) -> Iterator[None]:
    """For one pass, let the mode see the library's activations as wholes, not their multiplications and powers."""
    waiting: list[Tensor] = []

    def enter(module: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        waiting.append(args[0])
        return (hide(args[0]),)

    def leave(module: nn.Module, args: tuple[Tensor, ...], made: Tensor) -> Tensor:
        given = waiting.pop()
        if not tracked(given):
            return made
        ruled: Tensor = handle_torch_function(activation, (given,), module.forward, given)
        return ruled

    handles = []
    for module in model.modules():
        if type(module).__module__ == "transformers.activations":
            handles += [module.register_forward_pre_hook(enter), module.register_forward_hook(leave)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
