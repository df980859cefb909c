"""From a text and the maps of a condition to exactly what a worker sees."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from campaigns.arming import arms
from campaigns.models import Campaign, Condition, SampledText
from catalogue.baselines import BASELINES
from catalogue.methods import Method
from language.words import segment
from materials.models import Explanation, Prediction
from materials.resolving import params_of
from protocols import PROTOCOLS, Content, Edited, Map, Source

# Texts whose maps are read at once: few queries, and no more in memory than the maps of so many.
AT_ONCE = 100


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


NOTHING = _Known("", {})


def render_all(
    campaign: Campaign, sample: Iterable[SampledText], conditions: Iterable[Condition]
) -> Iterator[Rendered]:
    """Every given text under every given condition whose maps are there, a text at a time."""
    conditions = list(conditions)
    methods = arms(campaign)
    iterator = iter(sample)
    while batch := list(islice(iterator, AT_ONCE)):
        known = _known(campaign, [sampled.text_id for sampled in batch], methods)
        for sampled in batch:
            yield from _render_text(campaign, sampled, conditions, known.get(sampled.text_id, NOTHING), methods)


def _render_text(
    campaign: Campaign, sampled: SampledText, conditions: list[Condition], known: _Known, methods: Mapping[str, Method]
) -> Iterator[Rendered]:
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


def _known(campaign: Campaign, texts: Sequence[int], methods: Mapping[str, Method]) -> dict[int, _Known]:
    """By text, of those with a prediction. Maps are of the predicted label."""
    classifier = campaign.classifier
    targets = {label: at for at, label in enumerate(classifier.label_names)}
    rows = Prediction.objects.filter(classifier=classifier, text__in=texts, label__in=targets)
    predicted = dict(rows.values_list("text_id", "label"))
    wanted = {name: params_of(method) for name, method in methods.items()}
    maps: dict[int, dict[str, Explanation]] = defaultdict(dict)
    for row in Explanation.objects.filter(classifier=classifier, text__in=predicted, method__in=wanted):
        if row.target == targets[predicted[row.text_id]] and row.params == wanted[row.method]:
            maps[row.text_id][row.method] = row
    return {text_id: _Known(label, maps[text_id]) for text_id, label in predicted.items()}


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
