"""How far a drawn sample is balanced over what the model says, and over where that is surprising."""

from collections import Counter

from campaigns.balancing import wrong_texts
from campaigns.models import Campaign, SampledText
from campaigns.recognising import protocol_of
from materials.counting import counted
from materials.models import Prediction, Text

SHOWN = {SampledText.Role.EXAMPLE: "Solved examples", SampledText.Role.ITEM: "Texts"}


def reached(campaign: Campaign) -> list[tuple[str, str]]:
    """A line for the examples and one for the texts to judge; none where the protocol does not balance so."""
    protocol = protocol_of(campaign)
    if not (protocol.learning or protocol.edits):
        return []
    sample = list(campaign.sample.filter(role__in=SHOWN).order_by("position"))
    surprising = _turned(campaign, sample) if protocol.edits else _wrong(campaign)
    word = "turned by the edit" if protocol.edits else "wrong"
    return [
        (name, _line([one for one in sample if one.role == role], surprising, word))
        for role, name in SHOWN.items()
        if any(one.role == role for one in sample)
    ]


def _wrong(campaign: Campaign) -> set[int] | None:
    """None where no gold label tells."""
    texts = Text.objects.filter(pk__in=campaign.sample.values("text"))
    return wrong_texts(texts, campaign.classifier) if texts.exclude(label="").exists() else None


def _turned(campaign: Campaign, sample: list[SampledText]) -> set[int]:
    own = Prediction.objects.filter(classifier=campaign.classifier, text__in=[one.text_id for one in sample])
    predicted = dict(own.values_list("text_id", "label"))
    return {one.text_id for one in sample if predicted.get(one.text_id) != one.expected}


def _line(sample: list[SampledText], surprising: set[int] | None, word: str) -> str:
    counts = Counter(one.expected for one in sample)
    if surprising is None:
        said = ", ".join(f"{n} “{label}”" for label, n in sorted(counts.items()))
        return f"{counted(len(sample), 'text')}: {said}; which are wrong is not known without gold labels."
    odd = Counter(one.expected for one in sample if one.text_id in surprising)
    said = ", ".join(f"{n} “{label}” ({odd[label]} {word})" for label, n in sorted(counts.items()))
    return f"{counted(len(sample), 'text')}: {said}."
