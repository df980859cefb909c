"""Which page a worker sees. Written without the request: nothing here reads a session, a user or a cookie."""

from collections.abc import Mapping
from datetime import datetime
from math import ceil
from typing import Any

from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from campaigns.designing import estimate
from campaigns.models import Campaign, SampledText, Stimulus
from campaigns.translating import languages_of
from judging.assigning import Turn, assign_next
from judging.exiting import way_out, way_out_of_full
from judging.framing import framed
from judging.learning import examples_of
from judging.leaving import UNFINISHED, complete
from judging.models import Participation
from judging.presenting import on_page, presentation_of
from judging.stages import (
    Stage,
    after_work,
    before_code,
    before_example,
    before_practice,
    before_work,
    between_blocks,
    between_items,
    check,
)
from judging.standing import Asked
from judging.starting import practice_items
from judging.tokens import token_of
from protocols import PROTOCOLS, Content
from recruitment import Arrival, class_code

State = Participation.State
# Whoever ended so finds the way out, whether or not the campaign goes on.
ENDED = (State.SCREENED_OUT, State.TIMED_OUT, State.DECLINED, State.RETURNED)
# What somebody can mend by typing a code, or another one.
ASKS_CODE = ("no_code", "wrong_code", "spent")
STATUS = {"no_code": 200, "preview": 200, "busy": 429}


def current(participation: Participation, notice: str = "") -> HttpResponse:
    """The page for where this worker stands."""
    campaign = participation.campaign
    if participation.erased_at or participation.state in ENDED:
        return _page("gone", participation, {"way": way_out(participation)})
    if participation.state == State.COMPLETED:
        return thanks(participation, notice)
    if not is_open(participation):
        return closed(campaign, notice)
    if participation.state == State.PRACTISED:
        return item(participation, notice)
    if participation.state == State.CONSENTED:
        if stage := before_work(participation):
            return staged(participation, stage)
        practice, examples = practice_items(campaign).count(), examples_of(participation).count()
        context = {"notice": notice, "practice": practice, "examples": examples}
        return _page("instructions", participation, context)
    return _page("consent", participation, _cost(participation) | {"languages": languages_of(campaign)})


def is_open(participation: Participation) -> bool:
    return participation.campaign.state == Campaign.State.LIVE


def answered(participation: Participation, notice: str, turn: Turn | None) -> HttpResponse:
    """The item that was taken with the answer; else a break where a block has ended, which a reload goes on from; else
    the page for where the worker stands."""
    if turn:
        return item(participation, notice, turn)
    stage = between_blocks(participation, notice) if is_open(participation) else None
    return staged(participation, stage) if stage else current(participation, notice)


def item(participation: Participation, notice: str = "", taken: Turn | None = None) -> HttpResponse:
    turn = taken or assign_next(participation)
    if stage := between_items(participation, turn, notice):
        return staged(participation, stage)
    if turn.assignment is not None:
        progress = _progress(participation, turn.assignment, turn.number, turn.step, turn.deadline)
        shown = _shown(participation, turn.content, str(turn.assignment), step=turn.step)
        return _page("item", participation, progress | shown | {"notice": notice})
    if turn.waiting or not turn.done:
        participation.refresh_from_db(fields=["state", "erased_at"])
        if participation.state != State.PRACTISED:  # Another tab has ended it since we looked.
            return current(participation, notice)
        way = None if turn.waiting else way_out_of_full(participation.campaign, participation.parameters)
        context = {"done": turn.done, "waiting": turn.waiting, "notice": notice, "way": way}
        return _page("waiting", participation, context)
    return finish(participation, notice)


def finish(participation: Participation, notice: str = "") -> HttpResponse:
    """The closing survey, where there is one, then the end."""
    if stage := after_work(participation):
        return staged(participation, stage)
    complete(participation)
    return thanks(participation, notice)


def staged(participation: Participation, stage: Stage, status: int = 200) -> HttpResponse:
    return _page(stage.name, participation, stage.context, status)


def check_again(participation: Participation, number: int) -> HttpResponse:
    """The same check, because nothing was chosen."""
    done = participation.assignments.filter(judgment__isnull=False).count()
    return staged(
        participation,
        check(participation, number, {"number": done + 1}, gettext("Choose an answer first.")),
        status=422,
    )


def once_more() -> str:
    """To whom practice did not go well enough yet."""
    return gettext("Too few of these answers were right. You have one more try: please read again how it works.")


def _progress(
    participation: Participation, assignment: int, number: int, step: int, deadline: datetime | None
) -> dict[str, str]:
    """All as text: a template would look up each number's format, at every judgment, for the same digits."""
    total, seconds = str(participation.total), _seconds_until(deadline)
    return {
        "assignment": str(assignment),
        "step": str(step),
        "counted": gettext("%(number)s of %(count)s") % {"number": number, "count": total},
        "before": str(number - 1),
        "total": total,
        "seconds": str(seconds) if seconds else "",
    }


def _seconds_until(deadline: datetime | None) -> int:
    return max(0, ceil((deadline - timezone.now()).total_seconds())) if deadline else 0


def again(participation: Participation, asked: Asked, error: str, given: Mapping[str, Any]) -> HttpResponse:
    """The same item, because the answer could not be read; the error stands beside the answers, and what was given."""
    done = participation.assignments.filter(judgment__isnull=False).count()
    shown = _shown(participation, asked.content, str(asked.assignment), step=asked.step, error=error, given=given)
    progress = _progress(participation, asked.assignment, done + 1, asked.step, asked.deadline)
    return _page("item", participation, progress | shown, status=422)


def example(
    participation: Participation,
    stimulus: Stimulus,
    step: int,
    *,
    said: dict[str, Any] | None = None,
    error: str = "",
    warned: bool = False,
) -> HttpResponse:
    """`said` is what the worker thought before, of an example that is asked first: its solution comes after that."""
    if not warned and (stage := before_example(stimulus, step)):
        return staged(participation, stage)
    protocol, count = PROTOCOLS[participation.campaign.protocol], examples_of(participation).count()
    shown = _shown(participation, stimulus.content, f"example {step}", step=int(said is not None), error=error)
    told = protocol.feedback(said, stimulus.content, stimulus.expected) if said else ""
    context = {"step": step, "number": step + 1, "next": step + 1, "before": step - 1, "count": count, "said": told}
    context["last"] = step + 1 >= count
    return _page("example", participation, shown | context, status=422 if error else 200)


def practice(
    participation: Participation,
    stimulus: Stimulus,
    step: int,
    error: str = "",
    warned: bool = False,
    given: Mapping[str, Any] | None = None,
    revealed: int = 0,
) -> HttpResponse:
    if not warned and (stage := before_practice(stimulus, step)):
        return staged(participation, stage)
    shown = _shown(participation, stimulus.content, f"practice {step}", step=revealed, error=error, given=given)
    shown["revealed"] = revealed
    return _page("practice", participation, _practice(participation, step) | shown, status=422 if error else 200)


def feedback(participation: Participation, stimulus: Stimulus, step: int, answer: dict[str, Any]) -> HttpResponse:
    text = PROTOCOLS[participation.campaign.protocol].feedback(answer, stimulus.content, stimulus.expected)
    seen = answer.get("step", 0)
    shown = _shown(participation, stimulus.content, f"practice {step}", step=seen, preview=True, given=answer)
    return _page("feedback", participation, _practice(participation, step) | {"feedback": text} | shown)


def _shown(
    participation: Participation,
    content: Content,
    item: str,
    *,
    step: int = 0,
    error: str = "",
    preview: bool = False,
    given: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`given` is an answer that the page shows again."""
    presentation = presentation_of(participation.campaign, content, participation.pk, item)
    if given:
        lists = dict(given.lists()) if isinstance(given, QueryDict) else given
        presentation = presentation | {"given": lists}
    shown = on_page(participation.campaign, content, presentation, step)
    return shown | {"error": error, "preview": preview}


def _practice(participation: Participation, step: int) -> dict[str, Any]:
    count = practice_items(participation.campaign).count()
    return {"step": step, "number": step + 1, "next": step + 1, "count": count, "last": step + 1 >= count}


def thanks(participation: Participation, notice: str = "") -> HttpResponse:
    """The only page that holds the completion code: it is built for completed participations alone.

    The button back stands here too, so nobody is sent off before the last answer is saved.
    """
    if participation.state != State.COMPLETED:
        return current(participation, notice)
    if stage := before_code(participation):
        return staged(participation, stage)
    return _page("thanks", participation, {"notice": notice, "way": way_out(participation)})


def leaving(participation: Participation) -> HttpResponse:
    return _page("leave", participation, {"unfinished": participation.state in UNFINISHED})


def closed(campaign: Campaign, notice: str = "", arrival: Arrival | None = None) -> HttpResponse:
    """With the way out of a full study for somebody who has just arrived."""
    live = campaign.state == Campaign.State.LIVE
    context = {
        "campaign": campaign,
        "paused": campaign.state == Campaign.State.PAUSED,
        "over": campaign.state == Campaign.State.CLOSED,
        "full": live,
        "notice": notice,
        "way": way_out_of_full(campaign, arrival.parameters) if live and arrival else None,
    }
    return _html("closed", context)


def not_admitted(campaign: Campaign, reason: str, query: Mapping[str, str]) -> HttpResponse:
    """What stands in the way, and for a class code the field to type it into; the link's other parameters stay."""
    others = [(name, value) for name, value in query.items() if name != class_code.PARAMETER]
    context = {"campaign": campaign, "reason": reason, "asks_code": reason in ASKS_CODE, "others": others}
    return _html("not_admitted", context, status=STATUS.get(reason, 403))


def unknown(campaign: Campaign | None) -> HttpResponse:
    return _html("unknown", {"campaign": campaign}, status=404)


def _cost(participation: Participation) -> dict[str, Any]:
    campaign = participation.campaign
    items, seconds, pay = participation.quota, campaign.seconds_per_item, campaign.pay_per_worker
    # As the researcher was told when the study was designed.
    examples = campaign.sample.filter(role=SampledText.Role.EXAMPLE).count()
    apart = campaign.practice_items + campaign.gold_items
    minutes = estimate(items, 1, 1, items, seconds, pay, examples, apart).per_worker_minutes
    return {"minutes": minutes, "pay": campaign.pay_per_worker, "currency": settings.PAY_CURRENCY}


def _page(name: str, participation: Participation, context: dict[str, Any], status: int = 200) -> HttpResponse:
    here = reverse("worker_page", args=[participation.campaign.slug, token_of(participation)])
    script = PROTOCOLS[participation.campaign.protocol].script
    own = {"participation": participation, "campaign": participation.campaign, "here": here, "script": script}
    return _html(name, own | context, status)


def _html(name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    page = render_to_string(f"worker/{name}.html", context)
    return framed(HttpResponse(page, status=status), context["campaign"])
