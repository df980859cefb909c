"""What holds for the methods: equal to captum, untouched by batch and padding, nothing left behind."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from captum.attr import DeepLift, InputXGradient, IntegratedGradients, Saliency
from torch import Tensor, nn

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import PIECES, methods_for
from workers.classifiers import load_classifier
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.faithfulness import METRICS
from workers.saliency import METHODS
from workers.saliency.passes import Forward
from workers.saliency.seeding import seed_for

TEXTS = [
    "a great film , really great .",
    "an awful , boring , unwatchable film that does not end and does not stop , ever .",
    "café 👍🏽",
    "tests of tokens and words",
]
EXACT_IG = {"nodes": 16}
# Every method on every kind of classifier that it serves.
FOLDERS = {"bert": "transformer", "roberta": "transformer", "distilbert": "transformer", "lstm": "lstm"}
CASES = [(folder, name) for folder, kind in FOLDERS.items() for name in methods_for(kind)]
Case = tuple[TextClassifier, str]


@pytest.fixture(params=CASES, ids="-".join)
def case(request: pytest.FixtureRequest, folders: Callable[[str], Path]) -> Case:
    folder, name = request.param
    return load_classifier(str(folders(folder))), name


def batch_of(classifier: TextClassifier, contents: list[str], budget: int = 2048) -> Batch:
    return classifier.batch([classifier.encode(str(at), text) for at, text in enumerate(contents)], budget)


def predicted(classifier: TextClassifier, batch: Batch) -> Tensor:
    return classifier.logits(batch.input_ids, batch.attention_mask).argmax(-1)


def run(classifier: TextClassifier, name: str, contents: list[str], **params: Any) -> Tensor:
    batch = batch_of(classifier, contents)
    return METHODS[name](classifier, batch, predicted(classifier, batch), **params)


class ByEmbeddings(nn.Module):
    """The model through its own `inputs_embeds` argument: another way in than ours."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, embeddings: Tensor) -> Tensor:
        logits: Tensor = self.model(inputs_embeds=embeddings).logits
        return logits


CAPTUM: dict[str, Callable[[nn.Module, Tensor, int], Tensor]] = {
    "gradient": lambda model, x, label: Saliency(model).attribute(x, target=label, abs=True),
    "input_x_gradient": lambda model, x, label: InputXGradient(model).attribute(x, target=label),
    "integrated_gradients": lambda model, x, label: IntegratedGradients(model).attribute(
        x, baselines=torch.zeros_like(x), target=label, n_steps=16, method="gausslegendre"
    ),
    "lu2024_deeplift": lambda model, x, label: DeepLift(model).attribute(x, torch.zeros_like(x), target=label),
}


def test_catalogue_and_functions_are_equal() -> None:
    assert list(METHODS) == list(CATALOGUE)
    for name, method in METHODS.items():
        own = [parameter for parameter in CATALOGUE[name].parameters if parameter is not PIECES]
        accepted = method.__code__.co_varnames[3 : method.__code__.co_argcount]
        assert accepted == tuple(parameter.name for parameter in own)
        assert (method.__defaults__ or ()) == tuple(parameter.default for parameter in own)


def test_it_works(case: Case) -> None:
    classifier, name = case
    scores = run(classifier, name, TEXTS)
    batch = batch_of(classifier, TEXTS)
    assert scores.shape == batch.input_ids.shape
    assert torch.isfinite(scores).all()
    assert (scores[batch.attention_mask == 0] == 0).all()
    assert (scores != 0).any(1).all()
    if not CATALOGUE[name].signed:
        assert (scores >= 0).all()


@pytest.mark.parametrize("name", CAPTUM)
def test_it_equals_captum_one_text_at_a_time(any_classifier: TextClassifier, name: str) -> None:
    params = EXACT_IG if name == "integrated_gradients" else {}
    ours = run(any_classifier, name, TEXTS, **params)
    batch = batch_of(any_classifier, TEXTS)
    labels = predicted(any_classifier, batch).tolist()
    model = ByEmbeddings(any_classifier.model)
    for row, (text, label) in enumerate(zip(batch.texts, labels, strict=True)):
        embeddings = any_classifier.embed(torch.tensor([text.input_ids])).requires_grad_()
        theirs = CAPTUM[name](model, embeddings, label).sum(-1)[0].detach()
        assert torch.allclose(ours[row, : len(theirs)], theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("layer", ["attention_all", "attention_last"])
def test_attention_received_is_summed_over_heads_and_queries(any_classifier: TextClassifier, layer: str) -> None:
    ours = run(any_classifier, layer, TEXTS)
    for row, text in enumerate(batch_of(any_classifier, TEXTS).texts):
        ids = torch.tensor([text.input_ids])
        attentions = any_classifier.model(input_ids=ids, output_attentions=True).attentions
        layers = attentions if layer == "attention_all" else attentions[-1:]
        expected = sum(a[0].sum((0, 1)) for a in layers)
        assert torch.allclose(ours[row, : ids.shape[1]], expected, atol=1e-5)
        heads = len(layers) * attentions[0].shape[1]
        assert ours[row].sum().item() == pytest.approx(heads * ids.shape[1], rel=1e-4)


def test_batch_and_padding_change_nothing(case: Case) -> None:
    classifier, name = case
    together = run(classifier, name, TEXTS)
    for row, content in enumerate(TEXTS):
        alone = run(classifier, name, [content])[0]
        assert torch.allclose(together[row, : len(alone)], alone, atol=1e-5, rtol=1e-4)


def hooks(model: nn.Module) -> list[int]:
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return [key for module in model.modules() for kind in kinds for key in getattr(module, kind)]


def test_the_model_is_left_as_found(case: Case) -> None:
    classifier, name = case
    model = classifier.model
    # The library hooks its own layers, for good, when it is first asked for attentions.
    classifier.run(torch.tensor([[5, 6]]), torch.ones(1, 2, dtype=torch.long), attentions=True)
    before, hooked = {key: value.clone() for key, value in model.state_dict().items()}, hooks(model)
    run(classifier, name, TEXTS)
    assert hooks(model) == hooked
    assert not any(module.training for module in model.modules())
    for key, weight in model.named_parameters():
        assert weight.grad is None and not weight.requires_grad
        assert torch.equal(weight, before[key])


def test_the_same_call_gives_the_same_scores(case: Case) -> None:
    classifier, name = case
    first = run(classifier, name, TEXTS)
    torch.manual_seed(99)
    assert torch.equal(first, run(classifier, name, TEXTS))


@pytest.mark.parametrize("name", ["lime", "random"])
def test_chance_depends_on_the_text_alone_not_on_its_place(classifier: TextClassifier, name: str) -> None:
    first, second = run(classifier, name, TEXTS[:2]), run(classifier, name, TEXTS[1::-1])
    assert torch.allclose(first[0], second[1], atol=1e-6)


def test_seeds_differ_by_text_method_and_classifier() -> None:
    seeds = {seed_for(text, method, weights) for text in "ab" for method in "cd" for weights in "ef"}
    assert len(seeds) == 8 and all(0 <= seed < 2**63 for seed in seeds)


def test_the_target_is_what_is_explained(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS)
    first, second = (METHODS["input_x_gradient"](classifier, batch, torch.full((4,), label)) for label in (0, 1))
    assert not torch.allclose(first, second)


def test_random_is_an_order_of_the_words(classifier: TextClassifier) -> None:
    text = classifier.encode("1", TEXTS[1])
    words = text.to_words(run(classifier, "random", [TEXTS[1]])[0].tolist())
    count = len(words)
    assert sorted(score or 0.0 for score in words) == pytest.approx([(at + 1) / count for at in range(count)])


def test_missing_attentions_fail_loudly(classifier: TextClassifier) -> None:
    classifier.model.set_attn_implementation("sdpa")
    with pytest.raises(ClassifierError, match="attn_implementation='eager'"):
        run(classifier, "attention_all", TEXTS)


def test_attention_in_windows_is_refused(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, ["a great film"])
    narrow = torch.zeros(1, 2, batch.input_ids.shape[1], 2)
    batch.memo["forward"] = Forward(classifier.embed(batch.input_ids), torch.zeros(1, 2), (narrow,))
    with pytest.raises(ClassifierError, match=r"its weights are \(1, 2, 5, 2\) for 5 pieces"):
        METHODS["attention_all"](classifier, batch, torch.tensor([0]))


def test_methods_and_metrics_know_neither_django_nor_each_other() -> None:
    root = Path(__file__).resolve().parents[2] / "workers"
    for kind, names in (("saliency", METHODS), ("faithfulness", METRICS)):
        plugins = {f"workers.{kind}.{name}" for name in names}
        for path in (root / kind).glob("[!_]*.py"):
            nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
            imported = {node.module or "" for node in nodes}
            assert not any(name.startswith(("django", "materials")) for name in imported)
            assert not imported & plugins
