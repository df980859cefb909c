"""Texts in, predictions and explanations out, a batch at a time; one bad text fails alone."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import islice
from typing import Any, TypeVar

import captum
import torch
import transformers
from torch import Tensor

from catalogue.choosing import complete
from catalogue.methods import METHODS as CATALOGUE
from language.words import rule
from workers.classifiers.batching import TOKEN_BUDGET, Batch, group_by_length
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.classifiers.errors import ClassifierError
from workers.records import Explained, Failed, Predicted, SourceText
from workers.saliency import function_of
from workers.saliency.passes import completeness_errors, forward
from workers.saliency.seeding import seed_for

# Texts are sorted by length within a window, and come out in the order they went in.
WINDOW = 256
# Below so many tokens at once, a device without memory for a text has none for it at all.
LEAST_BUDGET = 32
PEEKAWORD = version("peekaword")
NOT_FINITE = "The classifier's output is not a finite number (NaN or infinite)."
Made = TypeVar("Made")
Item = tuple[Encoded, SourceText]
Compute = Callable[[list[Item], int], list[list[Made | Failed]]]
# Hears of a method as it begins, with 0, and when it is done, with how many texts.
Watch = Callable[[str, int], None]


def predict(
    classifier: TextClassifier, texts: Iterable[SourceText], budget: int = TOKEN_BUDGET
) -> Iterator[Predicted | Failed]:
    """The predicted class and all probabilities of each text."""

    def run(items: list[Item], budget: int) -> list[list[Predicted | Failed]]:
        return [[predicted] for predicted in _predict(classifier, items, budget)]

    return _in_windows(classifier, texts, budget, run)


def explain(
    classifier: TextClassifier,
    texts: Iterable[SourceText],
    methods: Mapping[str, Mapping[str, Any]],
    budget: int = TOKEN_BUDGET,
    watch: Watch = lambda method, texts: None,
) -> Iterator[Explained | Failed]:
    """One record for each text and method; `methods` maps names to the parameters that differ."""
    params = complete("method", CATALOGUE, methods)
    if unfit := [name for name in params if classifier.kind not in CATALOGUE[name].classifier_kinds]:
        kinds = " or ".join(CATALOGUE[unfit[0]].classifier_kinds)
        raise ClassifierError(
            f"{unfit[0]} explains a {kinds}, and {classifier.name} is a {classifier.kind}: leave it out."
        )

    def run(items: list[Item], budget: int) -> list[list[Explained | Failed]]:
        return _explain(classifier, items, params, budget, watch)

    return _in_windows(classifier, texts, budget, run)


def versions(classifier: TextClassifier) -> dict[str, str]:
    """What else decides the numbers, beside the text, the method and the classifier."""
    return {
        "peekaword": PEEKAWORD,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "captum": captum.__version__,
        "dtype": str(classifier.dtype).removeprefix("torch."),
        "device": classifier.device,
    }


def _in_windows(
    classifier: TextClassifier,
    texts: Iterable[SourceText],
    budget: int,
    run: Compute[Made],
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
            made = _in_parts_if_it_must_be(run, [ready[place] for place in chosen], budget)
            done.update(zip(chosen, made, strict=True))
        for index in range(len(window)):
            yield from done[index]


def _encode(classifier: TextClassifier, text: SourceText) -> Encoded | Failed:
    try:
        encoded = classifier.encode(text.text_id, text.content, text.language)
    except Exception as error:  # whatever a tokenizer makes of it, the other texts go on
        return Failed(text.text_id, f"The text cannot be tokenized: {error}")
    if not encoded.seen:
        return Failed(text.text_id, "The classifier sees no word in this text.")
    return encoded


def _in_parts_if_it_must_be(run: Compute[Made], items: list[Item], budget: int) -> list[list[Made | Failed]]:
    """Run a batch; without memory for it, in halves; if it fails, each text by itself, so that only culprits fall."""
    try:
        return run(items, budget)
    except ClassifierError:
        raise  # the classifier is at fault, not a text
    except torch.OutOfMemoryError:
        parts = [items[: len(items) // 2], items[len(items) // 2 :]] if len(items) > 1 else [items]
        budget //= 2
        if budget < LEAST_BUDGET:
            return [[Failed(items[0][0].text_id, "The device has not enough memory for this text.")]]
        torch.cuda.empty_cache()
    except Exception as error:  # a method may fail in any way; its message goes to the researcher
        if len(items) == 1:
            return [[Failed(items[0][0].text_id, f"{type(error).__name__}: {error}")]]
        parts = [[item] for item in items]
    return [made for part in parts for made in _in_parts_if_it_must_be(run, part, budget)]


def _predict(classifier: TextClassifier, items: list[Item], budget: int) -> list[Predicted | Failed]:
    logits = classifier.logits_of([encoded.input_ids for encoded, _ in items], budget)
    rows = classifier.probabilities(logits).tolist()
    best = logits.argmax(-1).tolist()
    return [
        Predicted(encoded.text_id, label, row) if all(map(math.isfinite, row)) else Failed(encoded.text_id, NOT_FINITE)
        for (encoded, _), label, row in zip(items, best, rows, strict=True)
    ]


def _explain(
    classifier: TextClassifier, items: list[Item], params: Mapping[str, dict[str, Any]], budget: int, watch: Watch
) -> list[list[Explained | Failed]]:
    batch = classifier.batch([encoded for encoded, _ in items], budget, frozenset(params))
    logits = forward(classifier, batch).logits.detach()
    predicted = logits.argmax(-1)
    target = _targets(predicted, [source.target for _, source in items])
    probabilities = classifier.probabilities(logits).tolist()
    made: list[list[Explained | Failed]] = [
        [] if all(map(math.isfinite, row)) else [Failed(text.text_id, NOT_FINITE)]
        for text, row in zip(batch.texts, probabilities, strict=True)
    ]
    sound = [index for index, records in enumerate(made) if not records]
    about = [(int(target[index]), int(predicted[index]), row) for index, row in enumerate(probabilities)]
    for name, chosen in params.items():
        watch(name, 0)
        started = time.perf_counter()
        scores = _scores(classifier, batch, target, name, chosen)
        seconds = (time.perf_counter() - started) / len(batch)
        watch(name, len(batch))
        if isinstance(scores, str):
            for index in sound:
                made[index].append(Failed(batch.texts[index].text_id, scores, name))
            continue
        errors = completeness_errors(batch, scores)
        for index in sound:
            text, error = batch.texts[index], errors[index]
            row: list[float] = scores[index, : len(text.input_ids)].tolist()
            made[index].append(_record(classifier, text, name, chosen, about[index], row, error, seconds))
    return made


def _targets(predicted: Tensor, wanted: list[int | None]) -> Tensor:
    """The label to explain of each text: the one that is asked for, or the predicted one."""
    given = torch.tensor([-1 if label is None else label for label in wanted], device=predicted.device)
    return torch.where(given < 0, predicted, given)


def _scores(
    classifier: TextClassifier, batch: Batch, target: Tensor, name: str, chosen: Mapping[str, Any]
) -> Tensor | str:
    """Scores (texts, pieces) on the CPU, or why this method has none: the others go on.

    How pieces make words is not the method's business. One text that fails among many is found by trying each.
    """
    params = {key: value for key, value in chosen.items() if key != "pieces"}
    try:
        made = function_of(CATALOGUE[name])(classifier, batch, target, **params)
        if problem := _shape_problem(made, batch):
            return problem
        scores: Tensor = made.detach().float().cpu()
    except ClassifierError as error:
        return str(error)
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # a method may fail in any way; its message goes to the researcher
        if len(batch) > 1:
            raise
        return f"{type(error).__name__}: {error}"
    return scores


def _shape_problem(made: object, batch: Batch) -> str:
    """Scores of another shape would be laid on other pieces."""
    expected = " x ".join(map(str, batch.input_ids.shape))
    if not isinstance(made, Tensor):
        return f"The method gave a {type(made).__name__}: expected a tensor of {expected}, a score a piece."
    if made.shape == batch.input_ids.shape:
        return ""
    return f"The method gave a tensor of {' x '.join(map(str, made.shape))}: expected {expected}, a score a piece."


def _special(classifier: TextClassifier, text: Encoded, row: list[float]) -> list[tuple[str, float]]:
    names = classifier.piece_names([text.input_ids[piece] for piece in text.special])
    return [(name, row[piece]) for name, piece in zip(names, text.special, strict=True)]


def _record(
    classifier: TextClassifier,
    text: Encoded,
    method: str,
    params: dict[str, Any],
    about: tuple[int, int, list[float]],
    row: list[float],
    error: float | None,
    seconds: float,
) -> Explained | Failed:
    """`about`: target, predicted label and probabilities; `row`: one score a piece."""
    if not all(map(math.isfinite, row)):
        return Failed(text.text_id, "A score is not a finite number (NaN or infinite).", method)
    target, predicted, probabilities = about
    return Explained(
        text_id=text.text_id,
        method=method,
        params=params,
        target=target,
        predicted=predicted,
        probabilities=probabilities,
        offsets=[(word.start, word.end) for word in text.words],
        words=[text.content[word.start : word.end] for word in text.words],
        scores=text.to_words(row, params.get("pieces", "sum")),
        special=_special(classifier, text, row),
        completeness_error=error,
        seconds=seconds,
        seed=seed_for(text.content, method, classifier.weights_hash, params.get("seed", 0)),
        versions=versions(classifier) | {"words": rule(text.content, text.language), "language": text.language},
    )
