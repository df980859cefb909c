"""The kinds of classifier, as people read them."""

KINDS = {
    "transformer": "Sequence classifier",
    "lstm": "LSTM",
    "causal-lm": "Language model",
}
