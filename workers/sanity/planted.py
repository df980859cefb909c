"""A rare word that decides the label. Bastings et al. 2022, https://arxiv.org/abs/2111.07367

    a text of 8 to 24 words has one or two words of praise or blame, which decide its label, and else nothing to say
    one text in ten has a planted word too, one of two that occur nowhere else: then that word alone decides the label

A small encoder is trained on such texts from nothing. The texts that count are new ones in which the planted word
speaks against the other words, and in which the model follows it: it predicts the planted word's label, and the other
one when that word is taken out. Then no other word can be what the prediction rests on, and a method must rank the
planted word first: `precision`, the share of texts with it on top (scores for the predicted class, descending; among
equal scores the first). `percentile` is the mean share of the other words that rank below it.

A method passes if its precision is more than half of the way from chance to 1. Chance is the mean of 1 / words; Random
is judged as any other. Maps whose scores are all equal rank nothing, and count as not found.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch
import transformers
from torch.nn.functional import cross_entropy

from analysis.arrays import FloatArray
from analysis.scoring.accuracy import wilson
from workers.classifiers import load_classifier
from workers.classifiers.batching import pad_ids
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.pretrained import silence
from workers.records import SourceText
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.outcome import Arm, Outcome, Progress, Row, Value, judge, spread
from workers.sanity.vocabulary import tokenizer_of

LABELS = ("blame", "praise")
PLANTED = ("zorp", "quib")
TELLING = (
    ["awful", "boring", "bad", "dreadful", "dull", "weak", "poor", "silly", "empty", "bland"],
    ["great", "lovely", "good", "superb", "vivid", "strong", "rich", "clever", "moving", "fresh"],
)
FILLING = [
    "the",
    "a",
    "an",
    "this",
    "that",
    "film",
    "story",
    "scene",
    "actor",
    "plot",
    "music",
    "end",
    "start",
    "year",
    "house",
    "street",
    "day",
    "night",
    "man",
    "woman",
    "child",
    "town",
    "river",
    "road",
    "and",
    "or",
    "but",
    "with",
    "of",
    "in",
    "on",
    "at",
    "to",
    "from",
    "by",
    "for",
    "it",
    "is",
    "was",
    "has",
    "had",
    "does",
    "did",
    "very",
    "quite",
    "rather",
]
FEWEST, MOST = 8, 24
PLANTED_SHARE = 0.1
TRAINING, EPOCHS, BATCH, LEARNING_RATE = 4000, 4, 32, 1e-3
SIZES: dict[str, Any] = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}


class Planted(NamedTuple):
    """`place` of the planted word among the words, or -1; `label` is what the text is about, or what it decides."""

    words: tuple[str, ...]
    label: int
    place: int

    @property
    def content(self) -> str:
        return " ".join(self.words)


def run(arms: Sequence[Arm], progress: Progress, models: int = 3, texts: int = 60, seed: int = 0) -> Outcome:
    """Several encoders, each with new texts of its own."""
    found: dict[int, list[tuple[FloatArray, FloatArray] | str]] = {at: [] for at in range(len(arms))}
    chance, about = [], []
    for number in range(models):
        with TemporaryDirectory() as folder:
            classifier = train(Path(folder), seed * 1000 + number, progress)
        tried = list(write(texts, seed * 1000 + 500 + number, planted=1.0))
        followed = [text for text in tried if follows(classifier, text)]
        about.append({"model": number, "tried": len(tried), "followed": len(followed)})
        chance += [1 / len(text.words) for text in followed]
        for at, arm in enumerate(arms):
            progress(f"explaining model {number + 1}", at, len(arms))
            found[at].append(_find(classifier, followed, arm) if followed else "the model follows no planted word")
    return Outcome([_row(arm, found[at], chance) for at, arm in enumerate(arms)], about)


def write(count: int, seed: int, planted: float = PLANTED_SHARE) -> Iterator[Planted]:
    """Texts, a share of them with a planted word; it speaks against the others where all are to have one."""
    chance = random.Random(seed)
    for _ in range(count):
        about = chance.randrange(2)
        words = chance.choices(FILLING, k=chance.randint(FEWEST, MOST) - 2) + [chance.choice(TELLING[about])]
        label, extra = about, chance.choice(FILLING)
        if chance.random() < planted:
            label = 1 - about if planted == 1 else chance.randrange(2)
            extra = PLANTED[label]
        words.append(extra)
        chance.shuffle(words)
        place = words.index(extra) if extra in PLANTED else -1
        yield Planted(tuple(words), label, place)


def train(folder: Path, seed: int, progress: Progress) -> TextClassifier:
    """A small BERT that has read the training texts of a seed."""
    texts = list(write(TRAINING, seed))
    tokenizer = tokenizer_of([*PLANTED, *TELLING[0], *TELLING[1], *FILLING], "[CLS] $A [SEP]")
    rows = [tokenizer(text.content)["input_ids"] for text in texts]
    labels = torch.tensor([text.label for text in texts])
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = _small(len(tokenizer), tokenizer.pad_token_id)
        _learn(model, rows, labels, seed, progress)
    with silence():
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return load_classifier(str(folder))


def _small(vocabulary: int, pad_id: int) -> Any:
    config = transformers.BertConfig(
        vocab_size=vocabulary,
        pad_token_id=pad_id,
        max_position_embeddings=64,
        id2label=dict(enumerate(LABELS)),
        label2id={name: at for at, name in enumerate(LABELS)},
        **SIZES,
    )
    auto_class: Any = transformers.AutoModelForSequenceClassification
    return auto_class.from_config(config)


def _learn(model: Any, rows: list[list[int]], labels: torch.Tensor, seed: int, progress: Progress) -> None:
    chance = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    model.train()
    steps = EPOCHS * (len(rows) // BATCH)
    for step in range(steps):
        chosen = chance.sample(range(len(rows)), BATCH)
        ids, mask = pad_ids([rows[at] for at in chosen], model.config.pad_token_id, "cpu")
        loss = cross_entropy(model(input_ids=ids, attention_mask=mask).logits, labels[chosen])
        torch.autograd.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        progress("training", step + 1, steps)


def follows(classifier: TextClassifier, text: Planted) -> bool:
    """Whether the planted word alone makes the model predict its label."""
    encoded = classifier.encode("", text.content)
    both = [encoded.input_ids, classifier.erase(encoded, {text.place}, "remove")]
    return classifier.logits_of(both).argmax(-1).tolist() == [text.label, 1 - text.label]


def _find(classifier: TextClassifier, texts: Sequence[Planted], arm: Arm) -> tuple[FloatArray, FloatArray] | str:
    """For each text whether the planted word is on top, and the share of others below it; or why nothing is known."""
    maps = maps_of(classifier, [SourceText(str(at), text.content) for at, text in enumerate(texts)], arm)
    if reason := reason_of(maps):
        return reason
    pairs = [
        place_of(scores, text.place)
        for text, scores in zip(texts, maps, strict=True)
        if not isinstance(scores, str) and not np.isnan(scores).any()
    ]
    top, below = np.array(pairs, dtype=np.float64).T
    return top, below


def place_of(scores: FloatArray, planted: int) -> tuple[bool, float]:
    """Whether the planted word ranks first, and the share of the other words that score less."""
    constant = bool((scores == scores[0]).all())
    others = np.delete(scores, planted)
    return int(scores.argmax()) == planted and not constant, float((others < scores[planted]).mean())


def _row(arm: Arm, found: Sequence[tuple[FloatArray, FloatArray] | str], chance: list[float]) -> Row:
    judged = [one for one in found if not isinstance(one, str)]
    if not judged:
        return judge(arm, "", {}, [], str(found[0]))
    tops = np.concatenate([top for top, _ in judged])
    share = wilson(int(tops.sum()), len(tops))
    values = {
        "precision": Value(share.value, share.low, share.high, len(tops)),
        "percentile": spread([float(below.mean()) for _, below in judged]),
        "chance": Value(float(np.mean(chance)), None, None, len(chance)),
    }
    line = (1 + float(np.mean(chance))) / 2
    faults = [] if share.value > line else [f"on top in {share.value:.0%} of texts, not in {line:.0%}"]
    return judge(arm, "", values, faults)
