"""Cues and attractors: does the saliency of a prefix point at the words that decide its continuation?

A prefix has cues, which call for its expected class ("the *keys* to the cabinet": plural), and attractors, which call
for the other ("cabinet"). A model's two saliency maps, for the expected and for the other class, pass if they point at
the words that its own preference follows from.

Source: Ding and Koehn 2021, Evaluating Saliency Methods for Neural Language Models (arXiv 2104.05824).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import FloatArray

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Prefix:
    """The words of a prefix; spans are word numbers from 0, their ends included."""

    words: tuple[str, ...]
    cues: Spans
    attractors: Spans


@dataclass(frozen=True)
class ModelSaliency:
    """One model's maps of every prefix, one score a word: `verum` for the expected class, `malum` for the other.

    prefers_expected: for every prefix whether p(expected class) > p(other class).
    """

    model: str
    verum: list[FloatArray]
    malum: list[FloatArray]
    prefers_expected: list[bool]


@dataclass(frozen=True)
class CueStudy:
    """A set of prefixes with the maps of one or more models.

    groups: prefixes made from one template, each a list of line numbers from 0 with the reference first; None where no
    templates are known.
    """

    prefixes: list[Prefix]
    models: list[ModelSaliency]
    groups: list[list[int]] | None = None
    meta: dict[str, Any] = field(default_factory=dict)


class Verdict(NamedTuple):
    """What one model's maps of one prefix say. `passed`, `cue` and `attractor` are None where `status` is not "ok".

    expected: the case, True where the model prefers the expected class; cue and attractor: the phrase saliencies that
    were compared.
    status: ok, no_cue_or_attractor.
    """

    line: int
    expected: bool
    passed: bool | None
    cue: float | None
    attractor: float | None
    status: str


def phrase_saliency(scores: FloatArray, spans: Spans) -> float:
    """The greatest score within any of the spans, ends included. Raises ValueError where a span holds no score."""
    return max(float(scores[start : end + 1].max()) for start, end in spans)


def points_at_cue(model: ModelSaliency, line: int, prefix: Prefix) -> Verdict:
    """Whether one model's maps of one prefix pass.

    Expected case, p(y+) > p(y-): max over cues of S(y+) > max over attractors of S(y+). Alternative case:
    max over cues of S(y-) < max over attractors of S(y-). Equal saliencies pass in neither.
    """
    expected = model.prefers_expected[line]
    if not prefix.cues or not prefix.attractors:
        return Verdict(line, expected, None, None, None, "no_cue_or_attractor")
    scores = (model.verum if expected else model.malum)[line]
    cue, attractor = phrase_saliency(scores, prefix.cues), phrase_saliency(scores, prefix.attractors)
    passed = cue > attractor if expected else cue < attractor
    return Verdict(line, expected, passed, cue, attractor, "ok")


def judge_cues(study: CueStudy, model: ModelSaliency) -> list[Verdict]:
    """One verdict a prefix, in their order."""
    return [points_at_cue(model, line, prefix) for line, prefix in enumerate(study.prefixes)]


def chance_of_passing(prefixes: Sequence[Prefix], prefers_expected: Sequence[bool]) -> float | None:
    """Mean chance of passing of scores drawn at random, which is what a method has to beat; None without a prefix.

    Of the c words in cues and a words in attractors each is equally likely the greatest, so the expected case passes
    with chance c / (c + a) and the alternative case with a / (c + a). Words in both never decide strictly: where the
    greatest is one of them, the prefix does not pass.
    """
    chances = []
    for prefix, expected in zip(prefixes, prefers_expected, strict=True):
        cues, attractors = _covered(prefix.cues), _covered(prefix.attractors)
        if cues and attractors:
            wanted = cues - attractors if expected else attractors - cues
            chances.append(len(wanted) / len(cues | attractors))
    return float(np.mean(chances)) if chances else None


def _covered(spans: Spans) -> set[int]:
    return {word for start, end in spans for word in range(start, end + 1)}
