"""Labelled texts as an LSTM reads them, with unknown words in the place of those that were removed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from language.words import segment
from workers.classifiers.classifier import SINGLE
from workers.classifiers.encoding import Encoded
from workers.classifiers.lstm import LSTMClassifier
from workers.classifiers.lstm_files import LSTMConfig, Vocabulary, as_piece
from workers.classifiers.lstm_network import LSTMNetwork
from workers.classifiers.training import Example, hold_out
from workers.classifiers.training_lstm import Rows, learn_vocabulary, split_validation

Removed = Sequence[frozenset[int]]


@dataclass(frozen=True, eq=False)
class Corpus:
    """`texts` with their `labels`, and which of them are learnt from, stop the training in time, and judge it."""

    config: LSTMConfig
    vocabulary: Vocabulary
    texts: Sequence[Encoded]
    labels: Sequence[int]
    training: Sequence[int]
    validation: Sequence[int]
    held_out: Sequence[int]

    def rows(self, removed: Removed) -> Rows:
        """An unknown word stands for each word that is gone, so that lengths and places stay as they were."""
        unknown = self.vocabulary.unk_id
        changed = [text.replaced(set(gone), unknown) for text, gone in zip(self.texts, removed, strict=True)]
        return Rows(changed, list(self.labels))


@dataclass(frozen=True, eq=False)
class Reader(LSTMClassifier):
    """The LSTM classifier that reads its texts as they are by now, by their ids."""

    known: Mapping[str, Encoded] | None = None

    def encode(self, text_id: str, content: str, language: str = "") -> Encoded:
        assert self.known is not None
        return self.known[text_id]


def read_corpus(examples: Sequence[Example], config: LSTMConfig, seed: int) -> Corpus:
    """Another seed holds out other texts; the words that are known come from the training texts alone."""
    held_out, others = hold_out(len(examples), seed)
    validation, training = split_validation(others)
    segmented = [tuple(segment(one.content, one.language)) for one in examples]
    pieces = [
        [as_piece(one.content[word.start : word.end], config.lower_case) for word in words[: config.most_pieces]]
        for one, words in zip(examples, segmented, strict=True)
    ]
    vocabulary = learn_vocabulary([pieces[at] for at in training], config.lower_case)
    texts = [
        Encoded(
            str(at), one.content, words, vocabulary.ids(found), tuple((n, n) for n in range(len(found))), one.language
        )
        for at, (one, words, found) in enumerate(zip(examples, segmented, pieces, strict=True))
    ]
    return Corpus(config, vocabulary, texts, [one.label for one in examples], training, validation, held_out)


def as_reader(corpus: Corpus, network: LSTMNetwork, removed: Removed, name: str) -> Reader:
    """The trained network as a classifier; `name` stands for its weights, from which chance is drawn."""
    unknown = corpus.vocabulary.unk_id
    changed: Iterable[Encoded] = (
        replace(text, input_ids=text.replaced(set(gone), unknown))
        for text, gone in zip(corpus.texts, removed, strict=True)
    )
    return Reader(
        name=name,
        revision="",
        weights_hash=name,
        label_names=corpus.config.label_names,
        problem_type=SINGLE,
        most_pieces=corpus.config.most_pieces,
        pad_id=corpus.vocabulary.pad_id,
        tokenizer=corpus.vocabulary,
        model=network.eval().requires_grad_(False),
        unk_id=unknown,
        known={text.text_id: text for text in changed},
    )
