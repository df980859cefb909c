"""What a section of a report is, and what it is made of. Adding one: a module here and a line in SECTIONS."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.study import Study
from reports.drawing import Figure
from reports.measures import MEASURES, Measure
from reports.measuring import Differences, Resampled, Scores, Settings, differ, resample, score_people
from reports.relating import Related
from reports.tabulating import Table
from reports.tallying import Tally, tally

Report = dict[str, Any]
Row = dict[str, Any]
Caution = dict[str, str]


@dataclass(frozen=True)
class Matter:
    """What sections are described from; what several need is computed once."""

    study: Study
    settings: Settings

    @cached_property
    def scores(self) -> Scores | None:
        """None where no answer scores a method."""
        scores = score_people(self.study) if self.study.methods else None
        return scores if scores is not None and scores.methods else None

    @cached_property
    def draws(self) -> Resampled:
        """What is said of each method, over resampled texts and workers."""
        assert self.scores is not None
        return resample(self.scores, self.settings)

    @property
    def resampled(self) -> tuple[FloatArray, FloatArray]:
        """The scores of the methods, (methods,), and over resampled texts and workers, (replicates, methods)."""
        return self.draws.scores

    @cached_property
    def differences(self) -> Differences:
        """Between every two methods."""
        assert self.scores is not None
        return differ(self.scores, self.settings)

    @cached_property
    def tally(self) -> Tally | None:
        """The answers as ratings; None where nobody knows who answered what."""
        return tally(self.study)

    @cached_property
    def related(self) -> Related | None:
        """People against the automatic metrics; None where nothing is scored or there are no metrics."""
        if self.scores is None or self.study.metrics is None or self.study.metrics.empty:
            return None
        return Related(self.study, self.scores, self.resampled, self.settings)

    @property
    def measure(self) -> Measure:
        return MEASURES[self.study.protocol]


@dataclass(frozen=True)
class Section:
    """One section, from numbers to page. All but `key` and `title` are left out where a section has none.

    describe: what stands under `key` in report.json; what is empty or None is absent.
    per_method: what it adds to the row of each method there, where something is scored.
    tables, figures, findings, notes: read from a report, so that one read from a file is shown like one just made.
    warnings: what to know before believing the numbers; the report is whole by then but for them.
    template: a template of its own on the page, included where `shape` makes anything of the report, which it finds as
    `own` beside `report` and `section`.
    """

    key: str
    title: str
    describe: Callable[[Matter], Any] = lambda _matter: None
    per_method: Callable[[Matter, Scores], dict[str, Row]] = lambda _matter, _scores: {}
    tables: Callable[[Report], list[Table]] = lambda _report: []
    figures: Callable[[Report], list[Figure]] = lambda _report: []
    findings: Callable[[Report], list[str]] = lambda _report: []
    notes: Callable[[Report], list[str]] = lambda _report: []
    warnings: Callable[[Matter, Report], list[Caution]] = lambda _matter, _report: []
    template: str = ""
    shape: Callable[[Report], Any] = lambda _report: None


def caution(code: str, message: str) -> Caution:
    """A warning: `code` for programs, `message` for people."""
    return {"code": code, "message": message}


def number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def pair(interval: FloatArray, *, whole: bool = False) -> list[float] | None:
    """Both ends of an interval, or None where it has none."""
    if not np.isfinite(interval).all():
        return None
    return [int(bound) if whole else float(bound) for bound in interval]


def ranked(report: Report) -> list[Row]:
    """The methods that have a rank, best first."""
    return [row for row in report["methods"] if row["rank"] is not None]


def measured(report: Report) -> Measure:
    return MEASURES[report["meta"]["protocol"]]


def over_what(report: Report) -> str:
    """What the intervals of scores resample, in words."""
    return str(report["meta"].get("resampled", "texts")).replace("_", " ")


def units(measure: Measure) -> tuple[str, str]:
    """How a table shows a score, and its interval."""
    return ("share", "shares") if measure.is_share else ("score", "scores")
