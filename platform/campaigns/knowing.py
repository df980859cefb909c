"""What is known of each method for a classifier, in a line beside its choice: a constant number of queries."""

from collections.abc import Iterator
from statistics import median

import numpy as np

from catalogue.answering import answers, known_answers
from catalogue.imported import is_imported
from catalogue.methods import METHODS, methods_for
from catalogue.metrics import METRICS
from catalogue.tasks import FAILED, PASSED
from materials.models import Classifier, Dataset
from materials.passport.composing import Figures, key_of, measure, shared_by, texts_of
from materials.passport.loading import Arm, Evidence, load
from materials.picturing import settings_of, shown_error, shown_seconds
from materials.resolving import params_of

# The first of these that is known stands for the others.
HEADLINES = ("comprehensiveness", "sufficiency")


def known_lines(classifier: Classifier, dataset: Dataset) -> dict[str, str]:
    """By method, as it is without parameters; methods of which nothing is known are left out."""
    evidence = load(classifier, dataset, HEADLINES)
    figures = measure(evidence, shared_by(evidence), replicates=0)
    usual = {
        arm.method.name: at for at, arm in enumerate(evidence.arms) if not settings_of(arm.method, arm.params)
    }  # fmt: skip
    names = dict.fromkeys([*methods_for(classifier.kind), *usual])
    lines = {name: _line(name, evidence, figures, usual.get(name)) for name in names}
    return {name: line for name, line in lines.items() if line}


def _line(name: str, evidence: Evidence, figures: Figures, at: int | None) -> str:
    measured = ", ".join(_measured(evidence, figures, at)) if at is not None else ""
    said = "; ".join(part for part in (measured, *_answered(name)) if part)
    return said[:1].upper() + said[1:]


def _measured(evidence: Evidence, figures: Figures, at: int) -> Iterator[str]:
    arm, texts = evidence.arms[at], texts_of(evidence, figures.shared, at)
    yield from _headline(figures, at)
    if not is_imported(arm.method.name):
        yield f"{shown_seconds(median(arm.maps[text].seconds for text in texts))} a text"
    yield from _error(arm, texts)
    yield f"on {len(texts)} text{'' if len(texts) == 1 else 's'}"


def _headline(figures: Figures, at: int) -> Iterator[str]:
    keys = [key_of(one) for one in figures.measures]
    for name in HEADLINES:
        if name in keys and np.isfinite(figures.means[place := keys.index(name), at]):
            rank = figures.ranks[place, at]
            ranked = int(np.isfinite(figures.ranks[place]).sum())
            of = f" (rank {rank:.0f} of {ranked})" if np.isfinite(rank) else ""
            yield f"{METRICS[name].label.lower()} {figures.means[place, at]:.2f}{of}".replace("-", "\N{MINUS SIGN}")
            return


def _error(arm: Arm, texts: list[int]) -> Iterator[str]:
    errors = [abs(one) for one in (arm.maps[text].error for text in texts) if one is not None]
    if errors:
        yield f"completeness error {shown_error(median(errors))}".replace(" %", "\N{NO-BREAK SPACE}%")


def _answered(name: str) -> Iterator[str]:
    """Of the tasks that have this method's answers."""
    params = params_of(METHODS[name]) if name in METHODS else {}
    found = answers(name, params, known_answers())
    for verdict in (PASSED, FAILED):
        tasks = [one.label.lower() for one in found if one.verdict == verdict]
        if tasks:
            yield f"{verdict}: {', '.join(tasks)}"
