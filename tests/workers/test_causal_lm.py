"""Next words and class heads on causal language models: hand-made log-probabilities, and what holds for every kind."""

import json
import shutil
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import torch
from captum.attr import InputXGradient, IntegratedGradients, Saliency
from django.core.management import call_command
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from catalogue.methods import methods_for
from tests.workers.tiny import save_language_model, save_tiny
from workers.classifiers import find_kind, load_classifier
from workers.classifiers.batching import Batch
from workers.classifiers.causal_lm import NextWord
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.classifiers.heads import write_head
from workers.classifiers.language_models import load_language_model
from workers.explaining import explain, predict
from workers.records import Explained, Predicted, SourceText
from workers.saliency import METHODS as FUNCTIONS
from workers.saliency.passes import attentions_of, forward, gradient_of

TEXTS = ["a great film , really great .", "an awful unwatchable film that does not end", "café 👍🏽", "film"]
# Pieces of one and of several: the tiny vocabularies spell out what they do not know.
WORDS = ["great", "awful", "was"]


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_language_model(tmp_path_factory.mktemp(request.param) / "lm", request.param)


@pytest.fixture(scope="module")
def head_folder(folder: Path) -> Path:
    made = folder.parent / "head"
    made.mkdir()
    language_model = load_language_model(str(folder))
    generator = torch.Generator().manual_seed(3)
    weight, bias = torch.randn(3, 16, generator=generator), torch.randn(3, generator=generator)
    write_head(made, language_model, str(folder), ("one", "two", "three"), weight, bias)
    return made


@pytest.fixture(params=["words", "contrast", "head"])
def classifier(request: pytest.FixtureRequest, folder: Path, head_folder: Path) -> TextClassifier:
    if request.param == "head":
        return load_classifier(str(head_folder))
    options = {"words": WORDS} if request.param == "words" else {"words": ["was", "great"], "contrast": True}
    return load_classifier(str(folder), options=options)


def batch_of(classifier: TextClassifier, contents: list[str]) -> Batch:
    return classifier.batch([classifier.encode(str(at), text) for at, text in enumerate(contents)])


def next_word(classifier: TextClassifier, ids: list[int], word: list[int]) -> float:
    """log P(word | ids), one piece after another, one pass each."""
    total = 0.0
    for piece in word:
        total += classifier.model(input_ids=torch.tensor([ids])).logits[0, -1].log_softmax(-1)[piece].item()
        ids = [*ids, piece]
    return total


def test_it_works(folder: Path) -> None:
    classifier = load_classifier(str(folder), options={"words": WORDS})
    assert isinstance(classifier, NextWord)
    assert (classifier.kind, classifier.problem_type) == ("causal-lm", "next_word")
    assert classifier.label_names == ("great", "awful", "was")
    assert [len(word) > 1 for word in classifier.words] == [False, False, True]
    records = list(predict(classifier, [SourceText(str(at), text) for at, text in enumerate(TEXTS)]))
    for record, content in zip(records, TEXTS, strict=True):
        assert isinstance(record, Predicted)
        ids = list(classifier.encode("1", content).input_ids)
        expected = [next_word(classifier, ids, list(word)) for word in classifier.words]
        assert [log(share) for share in record.probabilities] == pytest.approx(expected, abs=1e-4)
        assert sum(record.probabilities) < 1
        assert record.predicted == expected.index(max(expected))


def test_contrast_sets_one_word_against_the_other(folder: Path) -> None:
    plain = load_classifier(str(folder), options={"words": ["was", "great"]})
    against = load_classifier(str(folder), options={"words": ["was", "great"], "contrast": True})
    batch = batch_of(plain, TEXTS)
    was, great = plain.logits(batch.input_ids, batch.attention_mask).unbind(1)
    logits = against.logits(batch.input_ids, batch.attention_mask)
    assert torch.allclose(logits, torch.stack([was - great, great - was], 1), atol=1e-5)
    assert torch.allclose(against.probabilities(logits)[:, 0], was.exp() / (was.exp() + great.exp()), atol=1e-5)


def test_a_head_gives_log_probabilities_of_its_classes(head_folder: Path) -> None:
    classifier = load_classifier(str(head_folder))
    head = load_file(head_folder / "head.safetensors")
    assert (classifier.kind, classifier.label_names) == ("causal-lm", ("one", "two", "three"))
    (made,) = predict(classifier, [SourceText("1", TEXTS[0])])
    assert isinstance(made, Predicted)
    ids = torch.tensor([classifier.encode("1", TEXTS[0]).input_ids])
    state = classifier.model.language_model(input_ids=ids).last_hidden_state[0, -1]
    expected = (head["weight"] @ state + head["bias"]).softmax(-1)
    assert made.probabilities == pytest.approx(expected.tolist(), abs=1e-5)
    batch = batch_of(classifier, TEXTS)
    totals = classifier.logits(batch.input_ids, batch.attention_mask).exp().sum(-1)
    assert torch.allclose(totals, torch.ones(4))


def test_batch_and_padding_change_neither_logits_nor_gradients(classifier: TextClassifier) -> None:
    together = batch_of(classifier, TEXTS)
    target = torch.tensor([0, 1, 0, 1])
    logits, gradients = forward(classifier, together).logits, gradient_of(classifier, together, target)
    for row, content in enumerate(TEXTS):
        alone = batch_of(classifier, [content])
        assert torch.allclose(logits[row], forward(classifier, alone).logits[0], atol=1e-4)
        own = gradient_of(classifier, alone, target[row : row + 1])[0]
        assert torch.allclose(gradients[row, : len(own)], own, atol=1e-4, rtol=1e-3)
        assert not gradients[row, len(own) :].any()


def test_embeddings_stand_in_for_those_of_the_ids(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS)
    own = classifier.embed(batch.input_ids)
    usual = classifier.logits(batch.input_ids, batch.attention_mask)
    assert torch.allclose(classifier.logits(batch.input_ids, batch.attention_mask, own), usual, atol=1e-5)
    other = classifier.logits(batch.input_ids, batch.attention_mask, own.flip(1))
    assert not torch.allclose(other, usual, atol=1e-2)


class ByEmbeddings(nn.Module):
    """The model through its own `inputs_embeds`, read at the end: another way in than ours."""

    def __init__(self, classifier: Any) -> None:
        super().__init__()
        self.model, self.classifier = classifier.model, classifier

    def forward(self, embeddings: Tensor) -> Tensor:
        if not isinstance(self.classifier, NextWord):
            state = self.model.language_model(inputs_embeds=embeddings).last_hidden_state[:, -1]
            heads: Tensor = self.model.head(state).log_softmax(-1)
            return heads
        columns = [self.word(embeddings, word) for word in self.classifier.words]
        logits = torch.stack(columns, 1)
        return logits - logits.flip(1) if self.classifier.contrast else logits

    def word(self, embeddings: Tensor, word: tuple[int, ...]) -> Tensor:
        total: Any = 0
        for piece in word:
            total = total + self.model(inputs_embeds=embeddings).logits[:, -1].log_softmax(-1)[:, piece]
            added = self.classifier.embed(torch.tensor([[piece]])).expand(len(embeddings), -1, -1)
            embeddings = torch.cat([embeddings, added], 1)
        return total  # type: ignore[no-any-return]


CAPTUM: dict[str, Callable[[nn.Module, Tensor], Tensor]] = {
    "gradient": lambda model, x: Saliency(model).attribute(x, target=1),
    "input_x_gradient": lambda model, x: InputXGradient(model).attribute(x, target=1),
    "integrated_gradients": lambda model, x: IntegratedGradients(model).attribute(
        x, torch.zeros_like(x), target=1, n_steps=12, method="gausslegendre"
    ),
}


@pytest.mark.parametrize("name", CAPTUM)
def test_scores_are_those_of_captum(classifier: TextClassifier, name: str) -> None:
    params = {"nodes": 12} if name == "integrated_gradients" else {}
    batch = batch_of(classifier, TEXTS[:2])
    ours = FUNCTIONS[name](classifier, batch, torch.tensor([1, 1]), **params).float()
    for row, text in enumerate(batch.texts):
        embeddings = classifier.embed(torch.tensor([text.input_ids])).detach().requires_grad_()
        theirs = CAPTUM[name](ByEmbeddings(classifier), embeddings).sum(-1)[0]
        assert torch.allclose(ours[row, : len(text.input_ids)], theirs, atol=1e-4, rtol=1e-3)


def test_every_method_that_serves_the_kind_explains_it(classifier: TextClassifier) -> None:
    names = methods_for("causal-lm")
    assert {"gradient", "integrated_gradients", "lime", "random", "attention_all"} <= set(names)
    texts = [SourceText(str(at), text) for at, text in enumerate(TEXTS[:2])]
    records = list(explain(classifier, texts, {name: {} for name in names}))
    assert len(records) == 2 * len(names)
    for record in records:
        assert isinstance(record, Explained), record
        assert len(record.scores) == len(record.words)
        assert None not in record.scores and any(record.scores), record.method


def test_attention_looks_back_only(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, TEXTS)
    width = batch.input_ids.shape[1]
    layers = attentions_of(classifier, batch)
    assert [layer.shape for layer in layers] == [(4, 2, width, width)] * 2
    for layer in layers:
        assert not layer.triu(1).any()


def test_missing_attentions_fail_loudly(folder: Path, head_folder: Path) -> None:
    for classifier in (load_classifier(str(folder), options={"words": WORDS}), load_classifier(str(head_folder))):
        language_model = getattr(classifier.model, "language_model", classifier.model)
        language_model.set_attn_implementation("sdpa")
        with pytest.raises(ClassifierError, match="attn_implementation='eager'"):
            attentions_of(classifier, batch_of(classifier, TEXTS))


def test_half_precision_stays_close(folder: Path, head_folder: Path) -> None:
    for name, options in ((folder, {"words": WORDS}), (head_folder, {})):
        full, half = (load_classifier(str(name), options=options, dtype=one) for one in ("float32", "bfloat16"))
        first, second = (next(iter(predict(one, [SourceText("1", TEXTS[0])]))) for one in (full, half))
        assert isinstance(first, Predicted) and isinstance(second, Predicted)
        assert second.probabilities == pytest.approx(first.probabilities, rel=0.5, abs=0.05)


def test_the_model_is_left_as_found(classifier: TextClassifier) -> None:
    attentions_of(classifier, batch_of(classifier, TEXTS))
    hooked = [len(module._forward_hooks) for module in classifier.model.modules()]
    for name in ("gradient", "integrated_gradients", "attention_all", "lime"):
        FUNCTIONS[name](classifier, batch_of(classifier, TEXTS), torch.tensor([0, 1, 0, 1]))
    assert [len(module._forward_hooks) for module in classifier.model.modules()] == hooked
    assert not any(module.training for module in classifier.model.modules())
    assert not any(weight.requires_grad or weight.grad is not None for weight in classifier.model.parameters())


def test_a_text_is_read_up_to_its_last_word(classifier: TextClassifier) -> None:
    first, second = classifier.encode("1", "a great film"), classifier.encode("1", "a great film \n")
    assert first.input_ids == second.input_ids
    assert second.content == "a great film \n"
    batch = classifier.batch([first])
    assert classifier.readout(batch.attention_mask)[0].tolist() == [0.0] * (len(first.input_ids) - 1) + [1.0]
    assert len(first.input_ids) - 1 in first.words_of


def test_closing_tokens_are_left_off(tmp_path: Path) -> None:
    folder = save_language_model(tmp_path, "gpt2")
    usual = load_classifier(str(folder), options={"words": WORDS}).encode("1", "a great film")
    shutil.copy(save_tiny(tmp_path / "roberta", "roberta") / "tokenizer.json", folder)
    closed = load_classifier(str(folder), options={"words": WORDS})
    assert closed.encode("1", "a great film").input_ids == (0, *usual.input_ids)
    long = closed.encode("1", "great film " * 60)
    assert len(long.input_ids) == closed.most_pieces and 2 not in long.input_ids


def test_long_texts_leave_room_for_the_pieces_of_a_word(folder: Path) -> None:
    one, several = (load_classifier(str(folder), options={"words": [word]}) for word in ("great", "unwatchable"))
    assert isinstance(several, NextWord)
    assert several.most_pieces == one.most_pieces - len(several.words[0]) + 1
    (record,) = explain(several, [SourceText("1", "great film " * 60)], {"gradient": {}})
    assert isinstance(record, Explained)
    assert record.scores[0] is not None and record.scores[-1] is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, r"predicts any next word: say which ones to compare.*\"words\": \[\"was\", \"were\"\]"),
        ({"words": "was,were"}, "words is a list of words"),
        ({"words": ["was", 1]}, "words is a list of words"),
        ({"words": ["was", "Was"]}, "Output 1 has no name of its own in the option words"),
        ({"words": ["was", " "]}, "Output 1 has no name of its own in the option words"),
        ({"words": ["was"], "contrast": True}, "Contrast sets one word against another, and 1 are given"),
        ({"words": ["was", "were"], "contrast": "yes"}, "contrast is true or false"),
        ({"word": ["was"]}, "has no option 'word'"),
        ({"words": ["was", "字"]}, "cannot write the word '字'"),
    ],
)
def test_options_that_make_no_sense_are_named(tmp_path: Path, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ClassifierError, match=says):
        load_classifier(str(save_language_model(tmp_path, "llama")), options=options)


def test_a_head_takes_no_options(head_folder: Path) -> None:
    with pytest.raises(ClassifierError, match="has classes of its own and takes no options"):
        load_classifier(str(head_folder), options={"words": ["was"]})


def test_the_kind_is_read_from_the_files(folder: Path, head_folder: Path, tmp_path: Path) -> None:
    assert find_kind(folder) == find_kind(head_folder) == "causal-lm"
    assert find_kind(save_tiny(tmp_path, "gpt2")) == "transformer"


def test_other_words_make_another_classifier(folder: Path) -> None:
    hashes = {
        load_classifier(str(folder), options=options).weights_hash
        for options in ({"words": ["was"]}, {"words": ["was", "a"]}, {"words": ["was", "a"], "contrast": True})
    }
    assert len(hashes) == 3


def test_the_hash_of_a_head_follows_head_and_language_model(head_folder: Path, tmp_path: Path) -> None:
    hashes = [load_classifier(str(head_folder)).weights_hash]
    copy = shutil.copytree(head_folder, tmp_path / "copy")
    for path, name in ((copy / "head.safetensors", "bias"), (copy / "language_model" / "model.safetensors", "")):
        weights = load_file(path)
        name = name or next(iter(weights))
        weights[name] = weights[name] + 0.5
        save_file(weights, path, {"format": "pt"})
        hashes.append(load_classifier(str(copy)).weights_hash)
    assert len(set(hashes)) == 3


def test_a_head_for_another_language_model_is_refused(head_folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(head_folder, tmp_path / "copy")
    save_file({"weight": torch.zeros(3, 8), "bias": torch.zeros(3)}, copy / "head.safetensors")
    with pytest.raises(ClassifierError, match="holds 3 x 8 as weight, and .* ask for 3 x 16"):
        load_classifier(str(copy))
    (copy / "config.json").write_text(json.dumps({"kind": "causal-lm", "language_model": "language_model"}))
    with pytest.raises(ClassifierError, match="must hold language_model .* and label_names"):
        load_classifier(str(copy))


def test_a_model_that_looks_ahead_is_refused(tmp_path: Path) -> None:
    save_language_model(tmp_path, "bert")
    with pytest.raises(ClassifierError, match="looks ahead in the text"):
        load_classifier(str(tmp_path), options={"words": ["great"]})


def test_a_text_classifier_is_no_language_model(tmp_path: Path) -> None:
    save_tiny(tmp_path, "gpt2")
    with pytest.raises(ClassifierError, match="GPT2ForSequenceClassification, not a causal language model"):
        load_classifier(str(tmp_path), kind="causal-lm", options={"words": ["great"]})


def test_commands_take_the_words_as_options(folder: Path, tmp_path: Path) -> None:
    texts, out = tmp_path / "texts.csv", tmp_path / "maps.parquet"
    texts.write_text("text\na great film\nthe tests of the people\n")
    given = {"classifier": str(folder), "methods": "input_x_gradient,random", "out": out}
    call_command("explain", texts, **given, options='{"words": ["great", "was"]}')
    rows = pyarrow.parquet.read_table(out).to_pylist()
    assert len(rows) == 4 and all(0 < row["probability"] < 1 for row in rows)
    with pytest.raises(SystemExit) as end:
        call_command("explain", texts, **given)
    assert end.value.code == 1
