"""From an explanation to exactly what a worker sees of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from campaigns.arming import arms
from campaigns.models import Campaign, Condition, SampledText
from catalogue.methods import Method
from materials.models import Explanation, Prediction
from materials.resolving import params_of
from protocols import PROTOCOLS, Content, Source


@dataclass(frozen=True)
class Rendered:
    sampled: SampledText
    condition: Condition
    explanation: Explanation
    content: Content


def render_all(
    campaign: Campaign, sample: Iterable[SampledText], conditions: Iterable[Condition]
) -> Iterator[Rendered]:
    """Every given text under every given condition that is explained, a text at a time."""
    conditions = list(conditions)
    methods = arms(campaign)
    for sampled in sample:
        explanations = _explanations(campaign, sampled.text_id, methods)
        for condition in conditions:
            if explanation := explanations.get(condition.method):
                content = render(campaign, sampled, condition, explanation, methods[condition.method].signed)
                yield Rendered(sampled, condition, explanation, content)


def _explanations(campaign: Campaign, text_id: int, methods: Mapping[str, Method]) -> dict[str, Explanation]:
    """Of the predicted label, by method."""
    prediction = Prediction.objects.filter(classifier=campaign.classifier, text=text_id).first()
    if prediction is None or prediction.label not in campaign.classifier.label_names:
        return {}
    target = campaign.classifier.label_names.index(prediction.label)
    wanted = {name: params_of(method) for name, method in methods.items()}
    rows = Explanation.objects.filter(
        classifier=campaign.classifier, text=text_id, target=target, method__in=campaign.methods
    )
    return {row.method: row for row in rows if row.params == wanted[row.method]}


def render(
    campaign: Campaign, sampled: SampledText, condition: Condition, explanation: Explanation, signed: bool
) -> Content:
    text, names = sampled.text, campaign.classifier.label_names
    source = Source(
        content=text.content,
        starts=explanation.starts,
        ends=explanation.ends,
        scores=explanation.scores,
        signed=signed,
        predicted=names[explanation.target],
        labels=names,
        question=campaign.question,
        cannot_tell=campaign.cannot_tell,
        k=condition.k,
        language=text.language or campaign.dataset.language,
    )
    return PROTOCOLS[campaign.protocol].stimulus(source)
