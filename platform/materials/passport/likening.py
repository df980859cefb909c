"""Maps beside maps of one method: under another seed, of another classifier of the team, of a text made alike."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES
from analysis.consistency.saliency import Consistency, Pair, mean_likeness
from analysis.consistency.stability import Stability, stability
from materials.agreeing import same_label
from materials.models import Classifier, Explanation
from materials.passport.loading import Arm, Evidence
from materials.picturing import label_of

# Maps are long: so many texts tell how alike they are.
MOST_TEXTS = 50
MOST_CLASSIFIERS = 3
Pairs = list[tuple[int, int, int]]  # (text, one map, the other)


@dataclass(frozen=True)
class Likenesses:
    """By the number of the arm; `consistency` also by the other classifier's slug.

    `templates` is input consistency, of the arms that have maps of two texts of one template; `other_label` counts
    their pairs of texts that were given different labels: such maps explain different things, and are not compared.
    """

    stability: Mapping[int, Stability]
    consistency: Mapping[int, Mapping[str, Consistency]]
    templates: Mapping[int, Consistency]
    other_label: Mapping[int, int]


def liken(evidence: Evidence, replicates: int = REPLICATES, seed: int = 0) -> Likenesses:
    """Over at most `MOST_TEXTS` texts each, the first ones that have both maps."""
    redrawn = {at: _redrawn(arm) for at, arm in enumerate(evidence.arms) if arm.is_of_chance}
    elsewhere = _elsewhere(evidence)
    alike = {at: _within_templates(evidence, arm) for at, arm in enumerate(evidence.arms)}
    same = {at: pairs for at, (pairs, others) in alike.items() if pairs or others}
    every = [*redrawn.values(), *same.values(), *(pairs for found in elsewhere.values() for pairs in found.values())]
    scores = _scores(pk for pairs in every for _, *both in pairs for pk in both)
    stable = {
        at: stability(_maps(pairs, scores), _texts(pairs), replicates=replicates, seed=seed)
        for at, pairs in redrawn.items()
    }

    def consistent(pairs: Pairs) -> Consistency:
        return mean_likeness(_seen(_maps(pairs, scores)), _texts(pairs), replicates=replicates, seed=seed)

    return Likenesses(
        stable,
        {at: {slug: consistent(pairs) for slug, pairs in found.items()} for at, found in elsewhere.items()},
        {at: consistent(pairs) for at, pairs in same.items()},
        {at: alike[at][1] for at in same},
    )


def _redrawn(arm: Arm) -> Pairs:
    return _first([(text, arm.maps[text].pk, pk) for text, _, pk in arm.redrawn if text in arm.maps])


def _elsewhere(evidence: Evidence) -> dict[int, dict[str, Pairs]]:
    """The same method's maps of the same label, of the classifiers of the team that have most of them."""
    arms = {(arm.method.name, _frozen(arm.params)): at for at, arm in enumerate(evidence.arms)}
    others = Classifier.objects.filter(team=evidence.classifier.team_id).exclude(pk=evidence.classifier.pk)
    methods = {name for name, _ in arms}
    rows = Explanation.objects.filter(classifier__in=others, text__in=list(evidence.predicted), method__in=methods)
    found: dict[str, dict[int, Pairs]] = {}
    columns = "pk", "text", "method", "params", "target", "classifier__slug", "classifier__label_names"
    for pk, text, method, params, target, slug, names in rows.values_list(*columns).order_by("text", "pk"):
        at = arms.get((method, _frozen(params)))
        same = same_label(label_of(names, target), evidence.predicted[text])
        if at is not None and same and text in evidence.arms[at].maps:
            found.setdefault(slug, {}).setdefault(at, []).append((text, evidence.arms[at].maps[text].pk, pk))
    most = sorted(found, key=lambda slug: (-sum(map(len, found[slug].values())), slug))[:MOST_CLASSIFIERS]
    return {
        at: {slug: _first(found[slug][at]) for slug in most if at in found[slug]} for at in range(len(evidence.arms))
    }


def _within_templates(evidence: Evidence, arm: Arm) -> tuple[Pairs, int]:
    """The first text of each template with each other one of its label, and how many others have another label."""
    members: dict[str, list[int]] = {}
    for text in sorted(arm.maps):
        if text in evidence.templates:
            members.setdefault(evidence.templates[text], []).append(text)
    pairs, others = [], 0
    for reference, *rest in members.values():
        for text in rest:
            if evidence.predicted[text] == evidence.predicted[reference]:
                pairs.append((reference, arm.maps[reference].pk, arm.maps[text].pk))
            else:
                others += 1
    return _first(pairs), others


def _first(pairs: Pairs) -> Pairs:
    texts = set(sorted({text for text, _, _ in pairs})[:MOST_TEXTS])
    return [pair for pair in pairs if pair[0] in texts]


def _frozen(params: Mapping[str, object]) -> str:
    return repr(sorted(params.items()))


def _scores(pks: Iterable[int]) -> dict[int, FloatArray]:
    """NaN where the model never saw the word."""
    rows = Explanation.objects.filter(pk__in=set(pks)).values_list("pk", "scores")
    return {pk: np.array([np.nan if one is None else one for one in scores], dtype=float) for pk, scores in rows}


def _maps(pairs: Pairs, scores: Mapping[int, FloatArray]) -> list[Pair]:
    return [(scores[one], scores[other]) for _, one, other in pairs]


def _texts(pairs: Pairs) -> list[int]:
    return [text for text, _, _ in pairs]


def _seen(maps: Iterable[Pair]) -> list[Pair]:
    """The words that both models saw."""
    return [_both(one, other) if len(one) == len(other) else (one, other) for one, other in maps]


def _both(one: FloatArray, other: FloatArray) -> Pair:
    seen = np.isfinite(one) & np.isfinite(other)
    return one[seen], other[seen]
