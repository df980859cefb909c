"""Cues and attractors in a language of our own. Ding & Koehn 2021, https://arxiv.org/abs/2104.05824

A language model reads sentences in which one noun alone decides the number of the verb or the gender of the pronoun
(`grammar`), and a linear head on its last state says which class a prefix goes on with. Every prefix has a cue, its
subject, and an attractor, a noun of the other class; the expected class is the cue's. A map passes
(analysis.plausibility.cues) if it points at what the model's own preference follows from: at the cue for the expected
class where the model prefers that, and at the attractor for the other class where the model prefers that one.

Both cases occur, and both answers are known: in two frames of seven the sentences agree with the attractor, so that a
model that has learnt the language is wrong there, and wrong because of the attractor. `as_said` counts the prefixes on
which it does as the language does.

A method passes if its pass rate is more than half of the way from chance to 1. With one word in the cue and one in the
attractor chance is 1/2, so the line is 3/4; Random is judged as any other, and `random` is its rate on the same
prefixes. The rates of the expected and the alternative case stand beside the whole, each with its n; where the model is
never wrong or never right, one of them is missing, with n = 0.

Consistency is shown and not judged, for it has no known answer: the mean Pearson correlation of maps of the model and
of its distilled copy on one prefix (model), and of the model's maps of prefixes that differ in their nouns alone, each
with the first of its group (input).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import FloatArray
from analysis.consistency.saliency import Pair, mean_likeness
from analysis.plausibility.cues import CueStudy, ModelSaliency, Verdict, chance_of_passing, judge_cues
from analysis.scoring.accuracy import wilson
from catalogue.methods import METHODS
from catalogue.parameters import complete_params
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.training import Example
from workers.classifiers.training_head import train_head
from workers.explaining import predict
from workers.records import Predicted, SourceText
from workers.sanity.grammar import CLASSES, FEATURES, Case, cases, draw_groups
from workers.sanity.mapping import maps_of, reason_of
from workers.sanity.outcome import Arm, Outcome, Progress, Row, Value, judge
from workers.sanity.speaking import teach

MODELS = ("language model", "distilled copy")
RANDOM = Arm("random", complete_params("random", METHODS["random"].parameters, {}))


class Judged(NamedTuple):
    """The prefixes of one feature, in groups, and the classifiers of the model and its copy."""

    groups: list[list[Case]]
    classifiers: tuple[TextClassifier, ...]
    prefers_expected: tuple[list[bool], ...]

    @property
    def as_said(self) -> list[int]:
        """For each model on how many prefixes it prefers what the language goes on with."""
        said = [case.said == case.label for case in self.cases]
        return [
            sum(one == other for one, other in zip(said, prefers, strict=True)) for prefers in self.prefers_expected
        ]

    @property
    def cases(self) -> list[Case]:
        return [case for group in self.groups for case in group]

    @property
    def group_lines(self) -> list[list[int]]:
        lines = iter(range(len(self.cases)))
        return [[next(lines) for _ in group] for group in self.groups]


def run(arms: Sequence[Arm], progress: Progress, texts: int = 5, seed: int = 0) -> Outcome:
    """Every method on the number of verbs and the gender of pronouns; `texts` prefixes a template and class."""
    rows: list[Row] = []
    about: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder:
        language_models = Path(folder) / "model", Path(folder) / "copy"
        teach(*language_models, seed, progress)
        for feature in FEATURES:
            judged = _prepare(feature, language_models, texts, seed)
            about += _describe(feature, judged)
            by_chance = _row(judged, RANDOM, feature, {}).values["pass_rate"]
            for done, arm in enumerate(arms):
                progress(f"explaining {feature}", done, len(arms))
                rows.append(_row(judged, arm, feature, {"random": by_chance}))
            progress(f"explaining {feature}", len(arms), len(arms))
    return Outcome(rows, about)


def _prepare(feature: str, language_models: Sequence[Path], size: int, seed: int) -> Judged:
    """Heads learn from all prefixes: what is asked is what they rest on, not how they do on new ones."""
    groups = draw_groups(feature, size, seed)
    examples = [Example(case.content, case.said) for case in cases(feature)]
    classifiers, prefers = [], []
    for folder in language_models:
        head = folder.parent / f"{folder.name}-{feature}"
        train_head(str(folder), examples, CLASSES[feature], head, seed=seed)
        classifier = load_classifier(str(head))
        predicted = predict(classifier, [SourceText("", case.content) for group in groups for case in group])
        labels = [one.predicted for one in predicted if isinstance(one, Predicted)]
        expected = [case.label for group in groups for case in group]
        prefers.append([label == right for label, right in zip(labels, expected, strict=True)])
        classifiers.append(classifier)
    return Judged(groups, tuple(classifiers), tuple(prefers))


def _describe(feature: str, judged: Judged) -> Iterator[dict[str, Any]]:
    for name, prefers, as_said in zip(MODELS, judged.prefers_expected, judged.as_said, strict=True):
        yield {"setting": feature, "model": name, "prefixes": len(prefers), "prefers_expected": sum(prefers),
               "as_said": as_said}  # fmt: skip


def _row(judged: Judged, arm: Arm, feature: str, beside: dict[str, Value]) -> Row:
    models = []
    for at, classifier in enumerate(judged.classifiers):
        maps = [_maps(judged.cases, classifier, arm, expected) for expected in (True, False)]
        if reason := next((one for one in maps if isinstance(one, str)), ""):
            return judge(arm, feature, {}, [], reason)
        verum, malum = (one for one in maps if not isinstance(one, str))
        models.append(ModelSaliency(MODELS[at], verum, malum, judged.prefers_expected[at]))
    study = CueStudy([case.prefix for case in judged.cases], models, judged.group_lines)
    values = {**_rates(judge_cues(study, models[0])), **_consistencies(study), **beside}
    chance = chance_of_passing(study.prefixes, models[0].prefers_expected)
    values["chance"] = Value(chance, None, None, len(study.prefixes))
    line, rate = (1 + (chance or 0)) / 2, values["pass_rate"].value or 0.0
    return judge(arm, feature, values, [] if rate > line else [f"passes {rate:.0%}, not {line:.0%}, of the prefixes"])


def _maps(cases: Sequence[Case], classifier: TextClassifier, arm: Arm, expected: bool) -> list[FloatArray] | str:
    """Maps for the expected class, or for the other; or why there are none."""
    labels = [case.label if expected else 1 - case.label for case in cases]
    texts = [
        SourceText(str(at), case.content, target=label)
        for at, (case, label) in enumerate(zip(cases, labels, strict=True))
    ]
    maps = maps_of(classifier, texts, arm)
    found = [one for one in maps if not isinstance(one, str)]
    # The prefixes are alike: what fails on one fails on all but by a fault of the method.
    return found if len(found) == len(maps) else reason_of(maps) or next(one for one in maps if isinstance(one, str))


def _rates(verdicts: Sequence[Verdict]) -> dict[str, Value]:
    parts = {
        "pass_rate": list(verdicts),
        "expected": [one for one in verdicts if one.expected],
        "alternative": [one for one in verdicts if not one.expected],
    }
    return {name: _rate([one.passed is True for one in part]) for name, part in parts.items()}


def _rate(passed: Sequence[bool]) -> Value:
    if not passed:
        return Value(None, None, None, 0)
    share = wilson(sum(passed), len(passed))
    return Value(share.value, share.low, share.high, len(passed))


def _consistencies(study: CueStudy) -> dict[str, Value]:
    """Both classes' maps together, resampled by prefix or by group."""
    model, copy = study.models
    pairs: list[Pair] = [*zip(model.verum, copy.verum, strict=True), *zip(model.malum, copy.malum, strict=True)]
    lines = np.tile(np.arange(len(study.prefixes)), 2).tolist()
    within = [
        (unit, maps[group[0]], maps[line])
        for maps in (model.verum, model.malum)
        for unit, group in enumerate(study.groups or [])
        for line in group[1:]
    ]
    return {
        "model_consistency": _likeness(pairs, lines),
        "input_consistency": _likeness([(one, other) for _, one, other in within], [unit for unit, _, _ in within]),
    }


def _likeness(pairs: Sequence[Pair], units: Sequence[int]) -> Value:
    found = mean_likeness(pairs, units)
    low, high = found.ci or (None, None)
    return Value(found.value, low, high, found.n)
