"""Imported judgments and verdicts, as rows of the database; those that are there already stay as they are."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pandas as pd
from django.db.models import Max
from django.utils import timezone

from analysis.study import Study
from campaigns.models import Campaign, Place
from judging.arriving import worker_hash
from judging.laying_out import BATCH, Laid, each
from judging.models import Assignment, Judgment, Participation, Verdict
from protocols.elsewhere import COUNTED

LONGEST_RESPONSE_MS = 86_400_000
# What stands for a worker's link, and for what the browser would have told.
UNKNOWN = "elsewhere"


def enter_judgments(campaign: Campaign, study: Study, answers: pd.DataFrame, laid: Laid) -> int:
    """How many are new."""
    workers = _workers(campaign, answers)
    known = set(
        Assignment.objects.filter(participation__campaign=campaign).values_list("participation_id", "stimulus_id")
    )
    numbered = campaign.places.values_list("stimulus_id").annotate(last=Max("number"))
    numbers = {stimulus: last or 0 for stimulus, last in numbered.order_by()}
    added = 0
    new = (one for one in _rows(answers, study, laid, workers) if (one.worker, one.stimulus) not in known)
    while batch := list(islice(new, BATCH)):
        _insert(campaign, batch, numbers)
        added += len(batch)
    return added


def enter_verdicts(campaign: Campaign, cells: pd.DataFrame, laid: Laid) -> int:
    """How many are new."""
    known = set(Verdict.objects.filter(stimulus__campaign=campaign).values_list("stimulus_id", flat=True))
    new = [
        Verdict(stimulus_id=laid.stimuli[laid.cell(row)], recognised=bool(row.recognised), votes=_plain(row.n))
        for row in each(cells)
        if laid.stimuli[laid.cell(row)] not in known
    ]
    Verdict.objects.bulk_create(new, batch_size=BATCH)
    return len(new)


def _workers(campaign: Campaign, answers: pd.DataFrame) -> dict[str, int]:
    """By their names in the file. No link leads back to one: the hash is not that of somebody who comes by a link."""
    quotas = answers["worker"].value_counts(sort=False)
    hashes = {name: worker_hash(campaign, f"{UNKNOWN} {name}") for name in quotas.index}
    there = dict(campaign.participations.values_list("worker_hash", "pk"))
    new = [
        Participation(
            campaign=campaign,
            worker_hash=hashes[name],
            named=True,
            state=Participation.State.ELSEWHERE,
            quota=int(quota),
        )
        for name, quota in quotas.items()
        if hashes[name] not in there
    ]
    made = Participation.objects.bulk_create(new, batch_size=BATCH)
    there |= {one.worker_hash: one.pk for one in made}
    return {name: there[hashes[name]] for name in quotas.index}


class _Row(NamedTuple):
    worker: int
    stimulus: int
    text: int
    condition: int
    answer: dict[str, Any]
    presentation: dict[str, str]
    shown: dict[str, Any]
    response_ms: int | None
    late: bool


def _rows(answers: pd.DataFrame, study: Study, laid: Laid, workers: dict[str, int]) -> Iterator[_Row]:
    for row in each(answers):
        text, condition = laid.cell(row)
        milliseconds = None if pd.isna(row.response_ms) else int(row.response_ms)
        facts = {name: _plain(getattr(row, name)) for name in study.covariates}
        yield _Row(
            workers[row.worker],
            laid.stimuli[text, condition],
            text,
            condition,
            _answer(row),
            _presentation(row),
            {UNKNOWN: facts} if facts else {},
            milliseconds if milliseconds is not None and 0 <= milliseconds <= LONGEST_RESPONSE_MS else None,
            bool(row.late),
        )


def _answer(row: Any) -> dict[str, Any]:
    counted = {name: int(getattr(row, name)) for name in COUNTED if not pd.isna(getattr(row, name))}
    return {"answer": row.label, "score": _plain(row.score), **counted}


def _presentation(row: Any) -> dict[str, str]:
    """Which side of a pair stood on the left, where a side was preferred and that is known."""
    if pd.isna(row.left):
        return {}
    return {"left": row.label if row.left else "second" if row.label == "first" else "first"}


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def _insert(campaign: Campaign, batch: list[_Row], numbers: dict[int, int]) -> None:
    """Each judgment fills a place of its own: as many were wanted as there are."""
    now = timezone.now()
    places = []
    for one in batch:
        numbers[one.stimulus] = numbers.get(one.stimulus, 0) + 1
        places.append(
            Place(
                campaign=campaign,
                stimulus_id=one.stimulus,
                condition_id=one.condition,
                text_id=one.text,
                number=numbers[one.stimulus],
                rank=0,
                state=Place.State.FILLED,
            )
        )
    Place.objects.bulk_create(places)
    assignments = Assignment.objects.bulk_create(
        Assignment(participation_id=one.worker, stimulus_id=one.stimulus, place=place, leased_at=now, deadline=now)
        for one, place in zip(batch, places, strict=True)
    )
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment,
            place=place,
            answer=one.answer,
            presentation=one.presentation,
            shown=one.shown,
            response_ms=one.response_ms,
            late=one.late,
        )
        for one, place, assignment in zip(batch, places, assignments, strict=True)
    )
