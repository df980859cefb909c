"""Sentences as relevance-weighted sums of word embeddings. Arras et al. 2019, section 4, https://arxiv.org/abs/1904.11829

    v = sum over words t of R_t e_t / |.|,   R_t the relevance of word t for the predicted class

If R says which words made the prediction, v keeps these and lets the others cancel, so that a simple classifier tells
the predicted classes apart by v better than by a sum in which chance set the weights. The simple classifier is a
logistic regression (`training_head.fit`) on half of the texts; `accuracy` is on the other half.

A method passes if it is right on more held-out texts than Random's weights are, by more than chance: the 95 %
bootstrap interval of the difference, over texts, is above zero. `plain`, the sum without weights, stands beside it.
"""

from collections.abc import Sequence

import numpy as np
import torch

from analysis.arrays import FloatArray
from catalogue.methods import METHODS
from catalogue.parameters import complete_params
from workers.classifiers.training_head import fit
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.outcome import Arm, Outcome, Progress, Row, bootstrapped, judge
from workers.sanity.reviews import Reviews, read, train


def run(arms: Sequence[Arm], progress: Progress, texts: int = 400, training: int = 4000, seed: int = 0) -> Outcome:
    """So many texts at most, of which half teach the simple classifier."""
    classifier, unseen = train(training, seed, progress)
    reviews = read(classifier, unseen[:texts], fewest_words=2)
    plain = right_on(reviews, [np.ones(len(text.words)) for text in reviews.texts])
    by_chance = _right_with(reviews, Arm("random", complete_params("random", METHODS["random"].parameters, {})))
    if isinstance(by_chance, str):
        return Outcome([judge(arm, "", {}, [], by_chance) for arm in arms])
    rows = []
    for done, arm in enumerate(arms):
        progress("explaining", done, len(arms))
        rows.append(_row(reviews, arm, by_chance, plain))
    progress("explaining", len(arms), len(arms))
    return Outcome(rows, [{"texts": len(reviews.texts), "held_out": len(plain), "plain": float(plain.mean())}])


def _row(reviews: Reviews, arm: Arm, by_chance: FloatArray, plain: FloatArray) -> Row:
    right = _right_with(reviews, arm)
    if isinstance(right, str):
        return judge(arm, "", {}, [], right)
    above = bootstrapped(right - by_chance)
    values = {"accuracy": bootstrapped(right), "above_random": above, "plain": bootstrapped(plain)}
    return judge(
        arm, "", values, [] if above.low is not None and above.low > 0 else ["no better than Random's weights"]
    )


def _right_with(reviews: Reviews, arm: Arm) -> FloatArray | str:
    maps = maps_of(reviews.classifier, reviews.sources, arm)
    if any(isinstance(one, str) for one in maps):
        return reason_of(maps) or next(one for one in maps if isinstance(one, str))
    return right_on(reviews, [one for one in maps if not isinstance(one, str)])


def right_on(reviews: Reviews, weights: Sequence[FloatArray]) -> FloatArray:
    """Whether the simple classifier is right on each held-out text, 1 or 0; every second text is held out."""
    vectors = torch.stack([_vector(reviews, at, scores) for at, scores in enumerate(weights)])
    labels = torch.tensor(reviews.predicted)
    weight, bias = fit(vectors[::2], labels[::2], len(reviews.classifier.label_names))
    right: FloatArray = ((vectors[1::2] @ weight.T + bias).argmax(-1) == labels[1::2]).double().numpy()
    return right


def _vector(reviews: Reviews, at: int, scores: FloatArray) -> torch.Tensor:
    """The weighted sum, of length one; words that were never seen have no part."""
    text = reviews.texts[at]
    pieces = torch.tensor(text.to_pieces({word: float(scores[word]) for word in text.seen}))
    total: torch.Tensor = pieces @ reviews.classifier.embed(torch.tensor(text.input_ids))
    direction: torch.Tensor = total / total.norm().clamp(min=1e-12)
    return direction
