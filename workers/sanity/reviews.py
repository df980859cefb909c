"""The LSTM that deletion, negation and sentence representations are tried on: it learns from the demo's reviews."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.demo_data import LABEL_NAMES, Review, read_reviews
from workers.classifiers.encoding import Encoded
from workers.classifiers.training import Example
from workers.classifiers.training_lstm import train_lstm
from workers.records import SourceText
from workers.sanity.outcome import Progress

LONGEST = 40


class Reviews(NamedTuple):
    """The classifier, and reviews that it did not learn from, as it reads them."""

    classifier: TextClassifier
    texts: list[Encoded]
    labels: list[int]
    predicted: list[int]

    @property
    def sources(self) -> list[SourceText]:
        return [SourceText(text.text_id, text.content) for text in self.texts]

    def at(self, chosen: Sequence[int]) -> "Reviews":
        labels, predicted = ([part[at] for at in chosen] for part in (self.labels, self.predicted))
        return Reviews(self.classifier, [self.texts[at] for at in chosen], labels, predicted)


def split(training: int, seed: int) -> tuple[list[Review], list[Review]]:
    """So many reviews to learn from, and the others, in random order; ValueError where there are not so many."""
    others, first = read_reviews(seed=seed)
    if training > len(others):
        raise ValueError(f"training is {training}, and there are {len(others)} reviews to learn from: ask for fewer.")
    return others[:training], first + others[training:]


def train(
    training: int, seed: int, progress: Progress, beside: Sequence[Example] = ()
) -> tuple[TextClassifier, list[Review]]:
    """The classifier of so many reviews and what is to be learnt `beside` them, and the reviews that it never saw."""
    known, unseen = split(training, seed)
    with tempfile.TemporaryDirectory() as folder:
        train_lstm(
            [*(Example(review.content, review.label) for review in known), *beside],
            LABEL_NAMES,
            Path(folder) / "lstm",
            seed=seed,
            progress=lambda done, total: progress("training", done, total),
        )
        return load_classifier(str(Path(folder) / "lstm")), unseen


def read(classifier: TextClassifier, reviews: Sequence[Review], fewest_words: int = 1) -> Reviews:
    """Reviews of at least so many words, and not too many, with what the classifier makes of them."""
    pairs = [(classifier.encode(str(at), review.content), review.label) for at, review in enumerate(reviews)]
    kept = [(text, label) for text, label in pairs if fewest_words <= len(text.words) <= LONGEST]
    logits = classifier.logits_of([text.input_ids for text, _ in kept])
    return Reviews(classifier, [text for text, _ in kept], [label for _, label in kept], logits.argmax(-1).tolist())
