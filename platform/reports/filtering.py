"""The report of a part of a campaign's judgments: of some methods or texts, or with those whom the rules exclude.

A look that nobody planned: every page and file made of it says so.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pandas as pd
from django.db.models import OuterRef, Subquery

from campaigns.models import Campaign, SampledText
from materials.models import Prediction
from reports.palette import method_label


@dataclass(frozen=True)
class Asked:
    """Which judgments; what is empty asks for all. `output`: whether the model was right on the text."""

    methods: tuple[str, ...] = ()
    label: str = ""
    language: str = ""
    output: str = ""
    everybody: bool = False

    def __bool__(self) -> bool:
        return self != Asked()

    @property
    def digest(self) -> str:
        """The same for the same wishes: caches take no key with any character in it."""
        return sha256(repr(self).encode()).hexdigest() if self else ""

    @property
    def in_words(self) -> str:
        said = []
        if self.methods:
            said.append(", ".join(method_label(name) for name in sorted(self.methods)))
        if self.label:
            said.append(f"texts labelled {self.label}")
        if self.language:
            said.append(f"texts in {self.language}")
        if self.output:
            said.append(f"texts on which the model was {self.output}")
        if self.everybody:
            said.append("with the workers whom the rules exclude")
        return "; ".join(said)


ALL = Asked()


@dataclass(frozen=True)
class Choices:
    """What there is to ask for; of one value there is nothing to choose."""

    methods: list[str]
    labels: list[str]
    languages: list[str]
    outputs: list[str]


def text_facts(campaign: Campaign) -> pd.DataFrame:
    """By the key of each text: its label, its language and whether the model was right; in one query."""
    predicted = Prediction.objects.filter(text=OuterRef("text"), classifier=campaign.classifier_id)
    rows = campaign.sample.filter(role=SampledText.Role.ITEM).annotate(predicted=Subquery(predicted.values("label")))
    facts = pd.DataFrame(
        rows.values_list("text__key", "text__label", "text__language", "predicted"),
        columns=["text", "label", "language", "predicted"],
    ).set_index("text")
    facts["language"] = facts["language"].where(facts["language"] != "", campaign.dataset.language)
    known = facts["predicted"].notna() & (facts["label"] != "")
    right = facts["predicted"] == facts["label"]
    facts["output"] = right.map({True: "right", False: "wrong"}).where(known, "")
    return facts


def choices_of(campaign: Campaign, facts: pd.DataFrame) -> Choices:
    if campaign.imported and campaign.imported["verdicts"]:
        return Choices([], [], [], [])  # There are no judgments to choose from.
    arms = campaign.conditions.values_list("method", "other")
    methods = sorted({name for pair in arms for name in pair if name})
    found = {name: sorted(facts[name].unique()) for name in ("label", "language", "output")}
    several = {name: [value for value in values if value and len(values) > 1] for name, values in found.items()}
    return Choices(methods, several["label"], several["language"], several["output"])


def narrow(rows: pd.DataFrame, asked: Asked, facts: pd.DataFrame) -> pd.DataFrame:
    """Those rows of an export that are asked for. Of a pair both methods must be."""
    kept = rows
    if asked.methods:
        kept = kept[kept["method"].isin(asked.methods) & kept["other"].isin([*asked.methods, ""])]
    for name in ("label", "language", "output"):
        if wanted := getattr(asked, name):
            kept = kept[kept["text_id"].isin(facts.index[facts[name] == wanted])]
    return kept.assign(excluded="") if asked.everybody else kept


def describe_part(asked: Asked, kept: pd.DataFrame, rows: pd.DataFrame) -> dict[str, Any]:
    """What the report says of it."""
    n_texts = int(kept["text_id"].nunique())
    return {"in_words": asked.in_words, "n": int(kept["counted"].sum()), "of": int(rows["counted"].sum()),
            "n_texts": n_texts}  # fmt: skip
