"""Occlusion: what is lost with one word, worked out by hand."""

from typing import Any

import pytest
import torch

from tests.workers.linear import batch_of, linear_classifier, scores_of
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError

TEXT = "a great unwatchable film"


def by_hand(classifier: TextClassifier, content: str, absent: str) -> list[float]:
    """The fall of logit 1 with each word, from the ids and embeddings themselves."""
    text = classifier.encode("1", content)
    falls = []
    for pieces in text.pieces_of.values():
        ids, mask = torch.tensor([text.input_ids]), torch.ones(1, len(text.input_ids), dtype=torch.long)
        whole = classifier.logits(ids, mask)[0, 1]
        embeddings = None
        if absent == "remove":
            kept = [at for at in range(ids.shape[1]) if at not in pieces]
            ids, mask = ids[:, kept], mask[:, kept]
        elif absent == "zero":
            embeddings = classifier.embed(ids).clone()
            embeddings[0, pieces] = 0
        else:
            ids = ids.clone()
            filler = classifier.mask_id if absent == "mask" else classifier.pad_id
            assert filler is not None
            ids[0, pieces] = filler
        falls.append(float(whole - classifier.logits(ids, mask, embeddings)[0, 1]))
    return falls


@pytest.mark.parametrize("absent", ["remove", "mask", "pad", "zero"])
def test_it_works(classifier: TextClassifier, absent: str) -> None:
    scores = scores_of(classifier, "occlusion", TEXT, label=1, absent=absent)[0].tolist()
    words = classifier.encode("1", TEXT).to_words(scores)
    assert words == pytest.approx(by_hand(classifier, TEXT, absent), abs=1e-5)


@pytest.mark.parametrize("absent", ["remove", "zero"])
def test_on_a_linear_model_it_is_what_the_word_adds(absent: str) -> None:
    linear = linear_classifier()
    text = linear.encode("1", TEXT)
    worth = linear.worth(text, 0)
    expected = [sum(worth[piece] for piece in pieces) for pieces in text.pieces_of.values()]
    scores = scores_of(linear, "occlusion", TEXT, absent=absent)[0].tolist()
    assert text.to_words(scores) == pytest.approx(expected, abs=1e-5)
    assert scores[0] == scores[-1] == 0


def test_the_probability_falls_as_well(classifier: TextClassifier) -> None:
    text = classifier.encode("1", "great film")
    probabilities = classifier.logits_of([text.input_ids, text.without({0}), text.without({1})]).softmax(-1)[:, 1]
    scores = scores_of(classifier, "occlusion", "great film", label=1, output="probability")[0].tolist()
    expected = [float(probabilities[0] - probabilities[word]) for word in (1, 2)]
    assert text.to_words(scores) == pytest.approx(expected, abs=1e-6)


def test_what_is_known_is_not_computed_again(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    first = scores_of(classifier, "occlusion", TEXT, label=1)
    monkeypatch.setattr(type(classifier), "run", lambda *_: pytest.fail("the model ran again"))
    assert torch.equal(first, scores_of(classifier, "occlusion", TEXT, label=1))
    scores_of(classifier, "occlusion", TEXT, label=0, output="probability")


def test_one_word_is_all_there_is_to_lose(classifier: TextClassifier) -> None:
    batch = batch_of(classifier, "film")
    nothing = classifier.logits_of([batch.texts[0].without({0})])[0, 0]
    whole = classifier.logits(batch.input_ids, batch.attention_mask)[0, 0]
    assert scores_of(classifier, "occlusion", "film")[0, 1].item() == pytest.approx(float(whole - nothing), abs=1e-5)


@pytest.mark.parametrize("name", ["occlusion", "lime", "kernel_shap", "shapley_sampling"])
def test_without_a_mask_token_it_says_what_to_do(classifier: TextClassifier, name: str) -> None:
    object.__setattr__(classifier, "mask_id", None)
    params: dict[str, Any] = {"absent": "mask"}
    with pytest.raises(ClassifierError, match="no mask token: leave words out by remove, pad or zero"):
        scores_of(classifier, name, TEXT, **params)
