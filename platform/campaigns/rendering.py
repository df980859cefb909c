"""From a text and the maps of a condition to exactly what a worker sees."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from campaigns.arming import arms
from campaigns.models import Campaign, Condition, SampledText
from catalogue.baselines import BASELINES
from catalogue.methods import Method
from language.words import segment
from materials.models import Explanation, Prediction
from materials.resolving import params_of
from protocols import PROTOCOLS, Content, Edited, Map, Source


@dataclass(frozen=True)
class Rendered:
    sampled: SampledText
    condition: Condition
    explanations: tuple[Explanation, ...]
    content: Content


class _Known(NamedTuple):
    """What is computed of one text: the predicted label, and its maps by method."""

    predicted: str
    maps: Mapping[str, Explanation]


def render_all(
    campaign: Campaign, sample: Iterable[SampledText], conditions: Iterable[Condition]
) -> Iterator[Rendered]:
    """Every given text under every given condition whose maps are there, a text at a time."""
    conditions = list(conditions)
    methods = arms(campaign)
    for sampled in sample:
        known = _known(campaign, sampled.text_id, methods)
        for condition in conditions:
            names = shown_methods(campaign, sampled, condition)
            if all(name in known.maps for name in names):
                explanations = tuple(known.maps[name] for name in names)
                signs = [methods[name].signed for name in names]
                content = render(campaign, sampled, condition, known.predicted, explanations, signs)
                yield Rendered(sampled, condition, explanations, content)


def shown_methods(campaign: Campaign, sampled: SampledText, condition: Condition) -> list[str]:
    """Whose maps are on screen; none for a baseline, nor where maps are for learning and the text is a test."""
    tested = PROTOCOLS[campaign.protocol].learning and sampled.role != SampledText.Role.EXAMPLE
    if tested or condition.method in BASELINES:
        return []
    return [name for name in (condition.method, condition.other) if name]


def _known(campaign: Campaign, text_id: int, methods: Mapping[str, Method]) -> _Known:
    """Maps are of the predicted label."""
    prediction = Prediction.objects.filter(classifier=campaign.classifier, text=text_id).first()
    if prediction is None or prediction.label not in campaign.classifier.label_names:
        return _Known("", {})
    target = campaign.classifier.label_names.index(prediction.label)
    wanted = {name: params_of(method) for name, method in methods.items()}
    rows = Explanation.objects.filter(
        classifier=campaign.classifier, text=text_id, target=target, method__in=campaign.methods
    )
    return _Known(prediction.label, {row.method: row for row in rows if row.params == wanted[row.method]})


def render(
    campaign: Campaign,
    sampled: SampledText,
    condition: Condition,
    predicted: str,
    explanations: tuple[Explanation, ...],
    signs: Iterable[bool],
) -> Content:
    source = _source(campaign, sampled, condition, predicted, explanations, signs)
    protocol = PROTOCOLS[campaign.protocol]
    solved = protocol.example if sampled.role == SampledText.Role.EXAMPLE else None
    content = (solved or protocol.stimulus)(source)
    return content | {"warning": sampled.text.warning} if sampled.text.warning else content


def _source(
    campaign: Campaign,
    sampled: SampledText,
    condition: Condition,
    predicted: str,
    explanations: tuple[Explanation, ...],
    signs: Iterable[bool],
) -> Source:
    text = sampled.text
    language = text.language or campaign.dataset.language
    starts, ends = _words(text.content, language, explanations)
    return Source(
        content=text.content,
        starts=starts,
        ends=ends,
        maps=[Map(one.scores, signed) for one, signed in zip(explanations, signs, strict=True)],
        predicted=predicted,
        labels=campaign.classifier.label_names,
        question=campaign.question,
        expected=sampled.expected,
        cannot_tell=campaign.cannot_tell,
        k=condition.k,
        baseline=condition.method if condition.method in BASELINES else "",
        display=condition.display or "colour",
        language=language,
        edited=Edited(sampled.edited.content, sampled.expected) if sampled.edited else None,
        settings=PROTOCOLS[campaign.protocol].complete_settings(campaign.protocol_settings),
        seed=f"{campaign.sample_seed}/{text.key}",
    )


def _words(content: str, language: str, explanations: tuple[Explanation, ...]) -> tuple[list[int], list[int]]:
    """Of the maps, which all have the same; of the text itself where there is no map."""
    if explanations:
        return explanations[0].starts, explanations[0].ends
    words = segment(content, language)
    return [word.start for word in words], [word.end for word in words]
