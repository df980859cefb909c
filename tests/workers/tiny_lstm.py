"""Tiny random LSTM classifiers, as ordinary folders."""

from pathlib import Path
from typing import Any

import torch

from tests.workers.tiny import WORDS
from workers.classifiers.lstm_files import LSTMConfig, Vocabulary, write_lstm

PIECES = ["<pad>", "<unk>", *WORDS, "café", "👍🏽", ".", ","]


def save_tiny_lstm(folder: Path, seed: int = 1, labels: int = 2, **more: Any) -> Path:
    """A random LSTM whose logits really move with its words; most of `tiny`'s words are known to it."""
    names = ("negative", "positive", "neither", "both")[:labels]
    config = LSTMConfig(names, **{"embedding_size": 5, "hidden_size": 4, "most_pieces": 60} | more)
    torch.manual_seed(seed)
    network = config.network(len(PIECES), pad_id=0)
    with torch.no_grad():
        for weight in network.parameters():
            weight.normal_(0, 0.7)
        network.embedding.weight[0] = 0
    folder.mkdir(parents=True, exist_ok=True)
    write_lstm(folder, config, Vocabulary(PIECES, config.lower_case), network)
    return folder
