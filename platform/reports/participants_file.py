"""The participants as a table: what each answered about themselves, how they worked, and whether they count."""

import io
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any

from analysis.presets.escaping import csv_writer, escape_cell
from analysis.quality.rules import broken_rules
from analysis.quality.signals import Signals
from campaigns.models import Campaign
from judging.models import Participation
from judging.questioning import told
from judging.screening import AFTER, BEFORE
from judging.signalling import signals_of
from recruitment.linking import SIMULATED

SIGNALS = [field.name for field in fields(Signals)]
OWN = (
    "worker", "state", "simulated", "language", "arm", "consent_version", "arrived_at", "started_at", "finished_at",
    "excluded_by_hand", "exclusion_reason", "excluded", "erased",
)  # fmt: skip


def participants_csv(campaign: Campaign) -> Iterator[str]:
    """Line by line, one a participant; questions head their columns in the researcher's words."""
    signals = signals_of(campaign)
    asked = [(when, question) for when, questions in _asked(campaign) for question in questions]
    yield _line([*OWN, *SIGNALS, *(f"{when}: {question['question']}" for when, question in asked)])
    for row in campaign.participations.order_by("pk").iterator():
        own = signals.get(row.pk)
        given = [value for when, questions in _asked(campaign) for value in _answers(row, when, questions)]
        yield _line([*_own(campaign, row, own), *_signals(own), *given])


def _asked(campaign: Campaign) -> list[tuple[str, list[dict[str, Any]]]]:
    return [(BEFORE, campaign.demographics), (AFTER, campaign.survey)]


def _own(campaign: Campaign, row: Participation, signals: Signals | None) -> list[Any]:
    broken = broken_rules(campaign.rules, signals) if signals else []
    times = [moment and moment.isoformat() for moment in (row.arrived_at, row.started_at, row.finished_at)]
    simulated, by_hand, erased = SIMULATED in row.parameters, row.excluded_at is not None, row.erased_at is not None
    about = [f"w{row.number}", row.state, int(simulated), row.language, row.arm, row.consent_version]
    return [*about, *times, int(by_hand), row.exclusion_reason, ",".join(broken), int(erased)]


def _signals(signals: Signals | None) -> list[Any]:
    return list(asdict(signals).values()) if signals else [None] * len(SIGNALS)


def _answers(row: Participation, when: str, questions: list[dict[str, Any]]) -> list[str]:
    values = row.answers.get(when, [""] * len(questions))
    return [told(question, value) for question, value in zip(questions, values, strict=True)]


def _line(cells: list[Any]) -> str:
    """Text is safe to open in a spreadsheet; what is not known is empty."""
    out = io.StringIO()
    safe = ["" if cell is None else escape_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    csv_writer(out).writerow(safe)
    return out.getvalue()
