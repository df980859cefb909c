"""docs/own_methods.md: its examples run as they stand, and what it names is there."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

from catalogue import external
from catalogue.methods import ALL_KINDS, METHODS, Method
from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.explaining import explain
from workers.records import Explained, SourceText
from workers.saliency import passes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "own_methods.md").read_text(encoding="utf-8")
TEXT = "a great film, not boring"
NAMES = ("halfway_gradients", "fall_of_two")


@pytest.fixture
def methods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Method]]:
    code = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "mine_of_the_docs.py").write_text("\n\n".join(code), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found: dict[str, Method] = {}
    external.add_methods([f"mine_of_the_docs:{name}" for name in NAMES], found)
    for name, method in found.items():
        monkeypatch.setitem(METHODS, name, method)
    yield found


@pytest.fixture
def module(methods: dict[str, Method]) -> ModuleType:
    return importlib.import_module("mine_of_the_docs")


def batch_and_target(classifier: TextClassifier) -> tuple[Batch, torch.Tensor]:
    texts = [classifier.encode(str(number), text) for number, text in enumerate([TEXT, "bad"])]
    return classifier.batch(texts), torch.tensor([1, 0])


def test_it_works(methods: dict[str, Method], any_classifier: TextClassifier) -> None:
    made = list(explain(any_classifier, [SourceText("1", TEXT)], {name: {} for name in NAMES}))
    assert [type(one) for one in made] == [Explained, Explained]
    gradients, falls = (one for one in made if isinstance(one, Explained))
    assert gradients.words == ["a", "great", "film", ",", "not", "boring"]
    assert all(gradients.scores) and all(falls.scores)
    assert gradients.completeness_error is not None and falls.completeness_error is None


def test_the_gradients_are_those_of_one_pass_at_the_point(module: ModuleType, classifier: TextClassifier) -> None:
    batch, target = batch_and_target(classifier)
    scores = module.halfway_gradients(classifier, batch, target, share=0.25)
    whole = classifier.embed(batch.input_ids).detach()
    point = (0.25 * whole).requires_grad_()
    logits = classifier.logits(batch.input_ids, batch.attention_mask, point)
    (gradient,) = torch.autograd.grad(logits[0, 1] + logits[1, 0], point)
    torch.testing.assert_close(scores, (whole * gradient).sum(-1) * batch.attention_mask)


def test_the_falls_are_those_of_the_class(module: ModuleType, classifier: TextClassifier) -> None:
    batch, target = batch_and_target(classifier)
    scores = module.fall_of_two(classifier, batch, target)
    text = batch.texts[0]
    outputs = classifier.logits_of([text.input_ids, text.without({0, 1}), text.without({5})])[:, 1]
    words = text.to_words(scores[0].tolist())
    assert (words[0], words[5]) == pytest.approx(((outputs[0] - outputs[1]).item(), (outputs[0] - outputs[2]).item()))
    assert not scores[1, len(batch.texts[1].input_ids) :].any()


def test_the_web_reads_what_they_say(methods: dict[str, Method]) -> None:
    one = methods["halfway_gradients"]
    assert (one.label, one.signed, one.complete) == ("Halfway gradients", True, True)
    assert [parameter.name for parameter in one.parameters] == ["share", "pieces"]


def test_what_the_page_names_is_there(classifier: TextClassifier) -> None:
    batch, _ = batch_and_target(classifier)
    sections = dict(re.findall(r"^`([\w.]+)`[^\n]*:\n\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL))
    owners = {"classifier": classifier, "batch": batch, "workers.saliency.passes": passes}
    assert set(sections) >= set(owners)
    for name, owner in owners.items():
        cells = re.findall(r"^\| (`.*?) \|", sections[name], re.MULTILINE)
        offered = [offer for cell in cells for offer in re.findall(r"`(\w+)", cell)]
        assert len(offered) > 5 and [offer for offer in offered if not hasattr(owner, offer)] == []
    of_text = re.findall(r"`(\w+)(?:\(\w+\))?` \(|`(content|words|input_ids)`", sections["batch"].split("\n")[2])
    assert {one or other for one, other in of_text} >= {"content", "words", "seen", "pieces_of", "special"}
    assert all(hasattr(batch.texts[0], one or other) for one, other in of_text)


def test_every_fact_that_can_be_told_is_documented() -> None:
    assert all(f"| `{key}` |" in PAGE for key in external.KNOWN) and all(f"`{kind}`" in PAGE for kind in ALL_KINDS)
