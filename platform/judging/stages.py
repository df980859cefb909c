"""What a worker is asked besides the items, and when: each stage is a template with what it shows."""

from typing import Any, NamedTuple

from django.utils.translation import gettext

from campaigns.models import SampledText, Stimulus
from judging.assigning import Turn
from judging.checking import due_check
from judging.models import Participation
from judging.questioning import QuestionsForm
from judging.screening import AFTER, BEFORE, debrief_due, demographics_due, survey_due
from judging.warning import warning_of
from protocols import Option


class Stage(NamedTuple):
    name: str
    context: dict[str, Any]


def before_work(participation: Participation) -> Stage | None:
    return questions(participation, BEFORE) if demographics_due(participation) else None


def after_work(participation: Participation) -> Stage | None:
    return questions(participation, AFTER) if survey_due(participation) else None


def before_code(participation: Participation) -> Stage | None:
    return Stage("debrief", {}) if debrief_due(participation) else None


def between_blocks(participation: Participation, notice: str = "") -> Stage | None:
    """A break after each block of items. Nothing is leased meanwhile, so nobody need hurry."""
    size = participation.campaign.block_size
    if not size or participation.state != Participation.State.PRACTISED:
        return None
    judged = participation.assignments.filter(judgment__isnull=False).order_by("pk")
    roles = list(judged.values_list("stimulus__role", flat=True))
    done = roles.count(SampledText.Role.ITEM)
    over = roles[-1:] == [SampledText.Role.ITEM] and done % size == 0 and done < participation.quota
    return Stage("break", {"done": len(roles), "notice": notice}) if over else None


def between_items(participation: Participation, turn: Turn, notice: str = "") -> Stage | None:
    """A check that is due, or a warning before the item that is next."""
    if turn.assignment is None:
        return None
    context: dict[str, Any] = {"number": turn.number, "notice": notice}
    number = due_check(participation, turn.done)
    if number is not None:
        return check(participation, number, context)
    warning = warning_of(turn.assignment, turn.content)
    return Stage("warning", context | {"warning": warning, "assignment": turn.assignment}) if warning else None


def before_practice(stimulus: Stimulus, step: int) -> Stage | None:
    """Skipping a practice text is no wrong answer."""
    warning = stimulus.content.get("warning")
    return Stage("warning", {"warning": warning, "step": step, "practice": True}) if warning else None


def before_example(stimulus: Stimulus, step: int) -> Stage | None:
    stage = before_practice(stimulus, step)
    return stage and Stage(stage.name, stage.context | {"example": True})


def questions(participation: Participation, when: str, form: QuestionsForm | None = None) -> Stage:
    campaign = participation.campaign
    if when == BEFORE:
        title = gettext("A few questions about you")
        intro = gettext("They help to describe who took part. You need not answer any of them.")
    else:
        title = gettext("The last questions")
        intro = gettext("All texts are done. These are the last questions.")
    asked = form or QuestionsForm(campaign.demographics if when == BEFORE else campaign.survey)
    return Stage("questions", {"title": title, "intro": intro, "form": asked, "action": when})


def comprehension(participation: Participation, form: QuestionsForm | None = None, again: bool = False) -> Stage:
    """`again`: the first try is over."""
    intro = gettext("Please answer these questions about how it works. You have two tries to get all of them right.")
    notice = gettext("Not all answers were right. You have one more try: please read again how it works.")
    asked = form or QuestionsForm(participation.campaign.comprehension, declinable=False)
    context = {"title": gettext("Is it clear?"), "intro": "" if again else intro, "notice": notice if again else ""}
    return Stage(
        "questions", context | {"form": asked, "action": "comprehension", "instructions": True, "again": again}
    )


def check(participation: Participation, number: int, context: dict[str, Any], error: str = "") -> Stage:
    asked = participation.campaign.checks[number]
    options = [Option(str(at), choice) for at, choice in enumerate(asked["choices"])]
    return Stage("check", context | {"check": asked, "check_number": number, "options": options, "error": error})
