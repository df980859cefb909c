"""One colour a method, the same on every chart and page.

Every colour keeps 3:1 contrast on the light and on the dark ground, so that one drawing serves both.
"""

from zlib import crc32

from catalogue.baselines import BASELINES
from catalogue.imported import imported_label, is_imported
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from protocols.displays import DISPLAYS

PALETTE = {
    "integrated_gradients": "#2f78c4",
    "gradient": "#c8590a",
    "attention_all": "#0b8a68",
    "attention_last": "#1f8fa8",
    "deeplift": "#9b55a8",
    "input_x_gradient": "#a97a0c",
    "lime": "#c2476b",
    "random": "#7d838c",
    "attention_rollout": "#9c72fe",
    "attention_flow": "#d958c0",
    "attention_x_gradient": "#04a322",
    "smoothgrad": "#3295f6",
    "vargrad": "#f44f62",
    "gradient_shap": "#437200",
    "ding2021_integrated_gradients": "#6e50d9",
    "ding2021_gradient_norm": "#bf7f7a",
    "lu2024_deeplift": "#7f6b4d",
    "attn_lrp": "#177678",
    "occlusion": "#a97ec3",
    "kernel_shap": "#6d6a8b",
    "shapley_sampling": "#b52a8e",
    "lu2024_lime": "#91985e",
    "lrp_lstm": "#668815",
    "contextual_decomposition": "#7494c3",
}
OF_BASELINES = {"no_explanation": "#8a8178", "full_text": "#6f8590"}
# For imported methods and those from outside; the name picks, so that a method keeps its colour.
SPARE = ("#6f63c9", "#728223", "#b0625a", "#4a8a3a", "#8c6f4f", "#4b7f96", "#e26b1b", "#b66992")
COEFFICIENTS = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "percent_agreement": "Per cent agreement",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "fleiss_kappa": "Fleiss' kappa",
    "cohen_kappa": "Cohen's kappa",
    "icc_1_1": "ICC(1,1)",
    "icc_1_k": "ICC(1,k)",
    "icc_2_1": "ICC(2,1)",
    "icc_2_k": "ICC(2,k)",
    "icc_3_1": "ICC(3,1)",
    "icc_3_k": "ICC(3,k)",
}


def colour(method: str) -> str:
    return PALETTE.get(method) or OF_BASELINES.get(method) or SPARE[crc32(method.encode()) % len(SPARE)]


def method_label(method: str) -> str:
    if is_imported(method):
        return imported_label(method)
    known = METHODS.get(method) or BASELINES.get(method)
    return known.label if known else method.replace("_", " ").capitalize()


def metric_label(metric: str) -> str:
    known = METRICS.get(metric)
    return known.label if known else metric.replace("_", " ").capitalize()


def metric_in_sentence(metric: str) -> str:
    """The label as it stands within a sentence: acronyms keep their capitals."""
    label = metric_label(metric)
    return label[0].lower() + label[1:] if label.split()[0][1:].islower() else label


def display_label(display: str) -> str:
    return DISPLAYS[display].label if display in DISPLAYS else display.replace("_", " ").capitalize()


def coefficient_label(coefficient: str) -> str:
    return COEFFICIENTS.get(coefficient, coefficient.replace("_", " ").capitalize())
