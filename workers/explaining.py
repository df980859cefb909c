"""Texts in, predictions and explanations out, a batch at a time; one bad text fails alone."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import captum
import torch
import transformers
from torch import Tensor

from catalogue.choosing import complete
from catalogue.methods import METHODS as CATALOGUE
from workers.classifiers.batching import TOKEN_BUDGET, Batch, group_by_length
from workers.classifiers.encoding import Encoded
from workers.classifiers.errors import ClassifierError
from workers.classifiers.transformer import TransformerClassifier
from workers.records import Explained, Failed, Predicted, SourceText
from workers.saliency import METHODS
from workers.saliency.passes import completeness_errors, forward
from workers.saliency.seeding import seed_for

# Texts are sorted by length within a window, and come out in the order they went in.
WINDOW = 256
Made = TypeVar("Made")
Item = tuple[Encoded, SourceText]


def predict(
    classifier: TransformerClassifier, texts: Iterable[SourceText], budget: int = TOKEN_BUDGET
) -> Iterator[Predicted | Failed]:
    """The predicted class and all probabilities of each text."""

    def run(items: list[Item]) -> list[list[Predicted | Failed]]:
        return [[predicted] for predicted in _predict(classifier, items, budget)]

    return _in_windows(classifier, texts, budget, run)


def explain(
    classifier: TransformerClassifier,
    texts: Iterable[SourceText],
    methods: Mapping[str, Mapping[str, Any]],
    budget: int = TOKEN_BUDGET,
) -> Iterator[Explained | Failed]:
    """One record for each text and method; `methods` maps names to the parameters that differ."""
    params = complete("method", CATALOGUE, methods)

    def run(items: list[Item]) -> list[list[Explained | Failed]]:
        return _explain(classifier, items, params, budget)

    return _in_windows(classifier, texts, budget, run)


def versions(classifier: TransformerClassifier) -> dict[str, str]:
    """What else decides the numbers, beside the text, the method and the classifier."""
    return {
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "captum": captum.__version__,
        "dtype": str(next(classifier.model.parameters()).dtype).removeprefix("torch."),
        "device": classifier.device,
    }


def _in_windows(
    classifier: TransformerClassifier,
    texts: Iterable[SourceText],
    budget: int,
    run: Callable[[list[Item]], list[list[Made | Failed]]],
) -> Iterator[Made | Failed]:
    source = iter(texts)
    while window := list(islice(source, WINDOW)):
        done: dict[int, list[Made | Failed]] = {}
        ready: dict[int, Item] = {}
        for index, text in enumerate(window):
            encoded = _encode(classifier, text)
            if isinstance(encoded, Failed):
                done[index] = [encoded]
            else:
                ready[index] = (encoded, text)
        places = list(ready)
        for group in group_by_length([len(ready[place][0].input_ids) for place in places], budget):
            chosen = [places[index] for index in group]
            made = _alone_if_it_must_be(run, [ready[place] for place in chosen])
            done.update(zip(chosen, made, strict=True))
        for index in range(len(window)):
            yield from done[index]


def _encode(classifier: TransformerClassifier, text: SourceText) -> Encoded | Failed:
    try:
        encoded = classifier.encode(text.text_id, text.content, text.language)
    except Exception as error:  # whatever a tokenizer makes of it, the other texts go on
        return Failed(text.text_id, f"The text cannot be tokenized: {error}")
    if not encoded.seen:
        return Failed(text.text_id, "The classifier sees no word in this text.")
    return encoded


def _alone_if_it_must_be(
    run: Callable[[list[Item]], list[list[Made | Failed]]], items: list[Item]
) -> list[list[Made | Failed]]:
    """Run a batch; if it fails, each text by itself, so that only the culprits are lost."""
    try:
        return run(items)
    except ClassifierError:
        raise  # the classifier is at fault, not a text
    except Exception as error:  # a method may fail in any way; its message goes to the researcher
        if len(items) == 1:
            return [[Failed(items[0][0].text_id, f"{type(error).__name__}: {error}")]]
        return [made for item in items for made in _alone_if_it_must_be(run, [item])]


def _predict(classifier: TransformerClassifier, items: list[Item], budget: int) -> list[Predicted | Failed]:
    logits = classifier.logits_of([encoded.input_ids for encoded, _ in items], budget)
    rows = classifier.probabilities(logits).tolist()
    best = logits.argmax(-1).tolist()
    return [
        Predicted(encoded.text_id, label, row)
        if all(map(math.isfinite, row))
        else Failed(encoded.text_id, "The classifier's output is not a finite number.")
        for (encoded, _), label, row in zip(items, best, rows, strict=True)
    ]


def _explain(
    classifier: TransformerClassifier, items: list[Item], params: Mapping[str, dict[str, Any]], budget: int
) -> list[list[Explained | Failed]]:
    batch = classifier.batch([encoded for encoded, _ in items], budget)
    logits = forward(classifier, batch).logits.detach()
    predicted = logits.argmax(-1)
    target = predicted.clone()
    for index, (_, text) in enumerate(items):
        if text.target is not None:
            target[index] = text.target
    probabilities = classifier.probabilities(logits).tolist()
    made: list[list[Explained | Failed]] = [[] for _ in items]
    for name, chosen in params.items():
        started = time.perf_counter()
        scores = METHODS[name](classifier, batch, target, **chosen)
        seconds = (time.perf_counter() - started) / len(batch)
        errors: Sequence[float | None] = [None] * len(batch)
        if CATALOGUE[name].complete:
            errors = completeness_errors(classifier, batch, target, scores)
        for index, row in enumerate(_word_scores(batch, scores)):
            if any(score is not None and not math.isfinite(score) for score in row):
                reason = "A score is not a finite number (NaN or infinite)."
                made[index].append(Failed(batch.texts[index].text_id, reason, name))
                continue
            made[index].append(
                Explained(
                    target=int(target[index]),
                    predicted=int(predicted[index]),
                    probabilities=probabilities[index],
                    scores=row,
                    completeness_error=errors[index],
                    seconds=seconds,
                    **_described(classifier, batch.texts[index], name, chosen),
                )
            )
    return made


def _described(classifier: TransformerClassifier, text: Encoded, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {
        "text_id": text.text_id,
        "method": method,
        "params": params,
        "offsets": [(word.start, word.end) for word in text.words],
        "words": [text.content[word.start : word.end] for word in text.words],
        "seed": seed_for(text.content, method, classifier.weights_hash),
        "versions": versions(classifier),
    }


def _word_scores(batch: Batch, scores: Tensor) -> list[list[float | None]]:
    rows = scores.detach().tolist()
    return [text.to_words(row[: len(text.input_ids)]) for text, row in zip(batch.texts, rows, strict=True)]
