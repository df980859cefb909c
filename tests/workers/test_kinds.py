"""The kinds of classifier are the same to the web, which knows their names alone, and to the workers."""

from catalogue.kinds import KINDS as CATALOGUE
from catalogue.methods import ALL_KINDS
from workers.classifiers import KINDS
from workers.classifiers.causal_lm import CausalLMClassifier
from workers.classifiers.lstm import LSTMClassifier
from workers.classifiers.transformer import TransformerClassifier


def test_catalogue_and_loaders_are_equal() -> None:
    assert list(KINDS) == list(CATALOGUE) == list(ALL_KINDS)
    assert [one.kind for one in (TransformerClassifier, LSTMClassifier, CausalLMClassifier)] == list(KINDS)
