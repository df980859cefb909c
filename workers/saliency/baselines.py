"""The empty inputs that paths start from.

zero             the zero embedding everywhere, special tokens too (Lu et al. 2024)
pad, mask, unk   that token's embedding for every piece of a word; [CLS], [SEP] and their kin keep their own
"""

import torch
from torch import Tensor

from workers.classifiers.batching import Batch
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.saliency.passes import forward


def baseline_of(classifier: TextClassifier, batch: Batch, name: str) -> Tensor:
    """Embeddings (texts, pieces, dimensions) of the empty input that goes by this name."""
    own = forward(classifier, batch).embeddings.detach()
    if name == "zero":
        return torch.zeros_like(own)
    filler = {"pad": classifier.pad_id, "mask": classifier.mask_id, "unk": classifier.unk_id}[name]
    if filler is None:
        raise ClassifierError(f"{classifier.name} has no {name} token to start from: take the zero or pad baseline.")
    empty = classifier.embed(torch.full_like(batch.input_ids, filler)).detach()
    return torch.where(_special(batch)[:, :, None], own, empty)


def _special(batch: Batch) -> Tensor:
    """Where (texts, pieces) no word is."""
    special = torch.zeros(batch.input_ids.shape, dtype=torch.bool)
    for row, text in enumerate(batch.texts):
        special[row, text.special] = True
    return special.to(batch.input_ids.device)
