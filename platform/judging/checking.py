"""Attention checks: between the items, at places of the worker's own, and never mixed up with the judgments.

A check says plainly what to choose, or is plain nonsense, so that a fair reader cannot fail it by taste. What a failed
one means is for the campaign's rules to say, at analysis.
"""

import random

from django.db import IntegrityError, transaction

from campaigns.asking import Question
from judging.models import CheckAnswer, Participation
from judging.standing import Asked


def check_positions(participation: int, quota: int, checks: int) -> list[int]:
    """After how many items each check comes, spread over the quota: the same for one worker at every look. Never
    first."""
    draw = random.Random(f"checks {participation}")
    return [max(1, int((at + draw.uniform(0.1, 0.8)) * quota / checks)) for at in range(checks)]


def due_check(participation: Participation, done: int) -> int | None:
    """The number of the check that comes before the next item; asks the database only where checks are planned."""
    checks = participation.campaign.checks
    if not checks:
        return None
    reached = [
        at
        for at, after in enumerate(check_positions(participation.pk, participation.quota, len(checks)))
        if after <= done
    ]
    answered = set(participation.check_answers.values_list("check_number", flat=True)) if reached else set()
    return next((at for at in reached if at not in answered), None)


def check_is_before(participation: Participation, asked: Asked) -> bool:
    """Whether this is the next item, leased but not shown: only who guesses its number can send an answer."""
    stand = participation.stand
    if stand is None or stand.in_hand != asked.assignment:
        return False
    return due_check(participation, stand.done) is not None


def check_of(participation: Participation, number: int) -> Question | None:
    """As the worker reads it; None where there is none of this number."""
    checks: list[Question] = participation.campaign.checks
    return checks[number] if 0 <= number < len(checks) else None


def record_check(participation: Participation, number: int, chosen: int, response_ms: int | None) -> None:
    """The first answer stands."""
    check = participation.campaign.checks[number]
    answer = CheckAnswer(
        participation=participation,
        check_number=number,
        answer=check["choices"][chosen],
        right=chosen == check["right"],
        response_ms=response_ms,
    )
    try:
        with transaction.atomic():
            answer.save()
    except IntegrityError:
        if not participation.check_answers.filter(check_number=number).exists():
            raise
