"""Occlusion, also called erasure or leave-one-out. Li et al. 2016, https://arxiv.org/abs/1612.08220

    score_w = f(x) - f(x without word w)

f is the target's output (`score`) or its probability. Arras et al. 2019, https://arxiv.org/abs/1904.11829, set
the word's embedding to zero (`absent="zero"`).
"""

from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.saliency.coalitions import outputs_without


def occlusion(
    classifier: TextClassifier, batch: Batch, target: Tensor, output: str = "score", absent: str = "remove"
) -> Tensor:
    """Signed scores (texts, pieces): a word's fall, spread evenly over its pieces."""
    rows = []
    for text, label in zip(batch.texts, target.tolist(), strict=True):
        one_by_one = ({word} for word in text.seen)
        outputs = outputs_without(classifier, batch, text, absent, (set(), *one_by_one))
        if output == "probability":
            outputs = classifier.probabilities(outputs)
        falls = outputs[0, label] - outputs[1:, label]
        rows.append(text.to_pieces(dict(zip(text.seen, falls.tolist(), strict=True))))
    return batch.pad(rows)
