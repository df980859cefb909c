"""What comes between consent and the first item, and what is asked after the last: who passes, and who does not.

Every outcome is kept in the participation as it happens, so that a reload or a second tab is no further try.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from django.db import transaction

from judging.leaving import screen_out
from judging.models import Participation
from judging.questioning import Value
from protocols import Answer, Protocol

# Everybody may be mistaken once.
TRIES = 2
BEFORE, AFTER = "before", "after"


class Verdict(Enum):
    PASSED = "passed"
    AGAIN = "again"
    OUT = "out"


def demographics_due(participation: Participation) -> bool:
    return bool(participation.campaign.demographics) and BEFORE not in participation.answers


def survey_due(participation: Participation) -> bool:
    return bool(participation.campaign.survey) and AFTER not in participation.answers


def comprehension_due(participation: Participation) -> bool:
    passed = participation.screening.get("comprehension", {}).get("passed", False)
    return bool(participation.campaign.comprehension) and not passed


def debrief_due(participation: Participation) -> bool:
    return bool(participation.campaign.debrief) and not participation.screening.get("debriefed")


def keep_answers(participation: Participation, when: str, values: Sequence[Value]) -> None:
    """The first answers stand: a second tab changes nothing."""

    def keep(row: Participation) -> None:
        row.answers = {when: list(values)} | row.answers

    _change(participation, keep)


def keep_mark(participation: Participation, name: str, value: str | bool) -> None:
    def keep(row: Participation) -> None:
        row.screening = row.screening | {name: value}

    _change(participation, keep)


def judge_comprehension(participation: Participation, chosen: Sequence[Value]) -> Verdict:
    """All must be right; whoever has no try left is screened out."""
    right = [question["right"] for question in participation.campaign.comprehension]

    def keep(row: Participation) -> None:
        done = row.screening.get("comprehension", {"tries": []})
        if not done.get("passed") and len(done["tries"]) < TRIES:
            tries = [*done["tries"], list(chosen)]
            row.screening = row.screening | {"comprehension": {"tries": tries, "passed": list(chosen) == right}}

    _change(participation, keep)
    done = participation.screening.get("comprehension", {"tries": [], "passed": False})  # None once it is erased.
    if done["passed"]:
        return Verdict.PASSED
    return _again_or_out(participation, len(done["tries"]), "comprehension")


def examples_seen(participation: Participation) -> int:
    return int(participation.screening.get("examples", 0))


def keep_example(participation: Participation, step: int) -> None:
    """Examples are counted one after the other; going back to one changes nothing."""

    def keep(row: Participation) -> None:
        if step == examples_seen(row):
            row.screening = row.screening | {"examples": step + 1}

    if step == examples_seen(participation):
        _change(participation, keep)


def practised(participation: Participation) -> list[bool | None]:
    """What this try has come to so far, a practice item each; None where nothing is right, or it was skipped."""
    tries: list[list[bool | None]] = participation.screening.get("practice", [[]])
    return tries[-1]


def keep_practice(participation: Participation, step: int, right: bool | None) -> None:
    """The first answer to each item of a try stands: feedback has told the right one."""

    def keep(row: Participation) -> None:
        tries = row.screening.get("practice", [[]])
        if step == len(tries[-1]):
            row.screening = row.screening | {"practice": [*tries[:-1], [*tries[-1], right]]}

    _change(participation, keep)


def judge_practice(participation: Participation, items: int) -> Verdict:
    """Once all `items` of this try are answered: on to the work, to another try, or out.

    Whoever has left some out has to do them; all right is always enough, though a design may have asked for more, or
    a text was skipped for its warning.
    """
    done = practised(participation)
    if len(done) < items:
        return Verdict.AGAIN
    needed = min(participation.campaign.practice_needed, items - done.count(None))
    if sum(right is True for right in done) >= needed:
        return Verdict.PASSED
    verdict = _again_or_out(participation, len(participation.screening["practice"]), "practice")
    if verdict == Verdict.AGAIN:
        _change(participation, lambda row: _begin_try(row, len(done)))
    return verdict


def _begin_try(row: Participation, items: int) -> None:
    """Unless another tab has."""
    tries = row.screening["practice"]
    if len(tries[-1]) == items:
        row.screening = row.screening | {"practice": [*tries, []]}


def _again_or_out(participation: Participation, tries: int, reason: str) -> Verdict:
    if tries < TRIES:
        return Verdict.AGAIN
    keep_mark(participation, "failed", reason)
    screen_out(participation)
    return Verdict.OUT


def is_right(protocol: Protocol, answer: Answer, expected: str) -> bool | None:
    """None where nothing is right or wrong."""
    return protocol.label_of(answer) == expected if protocol.has_right_answers else None


def _change(participation: Participation, change: Callable[[Participation], Any]) -> None:
    """Under a lock, so that two tabs do not overwrite each other. What was taken back meanwhile stays away."""
    with transaction.atomic():
        row = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
        if row.erased_at is None or row.state == Participation.State.COMPLETED:
            change(row)
            row.save(update_fields=["screening", "answers"])
    participation.screening, participation.answers = row.screening, row.answers
