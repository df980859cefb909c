"""One colour a method, the same on every chart and page.

Every colour keeps 3:1 contrast on the light and on the dark ground, so that one drawing serves both.
"""

from zlib import crc32

from catalogue.imported import imported_label, is_imported
from catalogue.methods import METHODS
from catalogue.metrics import METRICS

PALETTE = {
    "integrated_gradients": "#2f78c4",
    "gradient": "#c8590a",
    "attention_all": "#0b8a68",
    "attention_last": "#1f8fa8",
    "deeplift": "#9b55a8",
    "input_x_gradient": "#a97a0c",
    "lime": "#c2476b",
    "random": "#7d838c",
}
# For methods that have no colour of their own; the name picks, so that a method keeps its colour.
SPARE = ("#6f63c9", "#728223", "#b0625a", "#4a8a3a", "#8c6f4f", "#4b7f96")
COEFFICIENTS = {"krippendorff_alpha": "Krippendorff's alpha", "percent_agreement": "Per cent agreement"}


def colour(method: str) -> str:
    return PALETTE.get(method) or SPARE[crc32(method.encode()) % len(SPARE)]


def method_label(method: str) -> str:
    if is_imported(method):
        return imported_label(method)
    known = METHODS.get(method)
    return known.label if known else method.replace("_", " ").capitalize()


def metric_label(metric: str) -> str:
    known = METRICS.get(metric)
    return known.label if known else metric.replace("_", " ").capitalize()


def metric_in_sentence(metric: str) -> str:
    """The label as it stands within a sentence: acronyms keep their capitals."""
    label = metric_label(metric)
    return label[0].lower() + label[1:] if label.split()[0][1:].islower() else label


def coefficient_label(coefficient: str) -> str:
    return COEFFICIENTS.get(coefficient, coefficient.replace("_", " ").capitalize())
