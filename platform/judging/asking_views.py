"""What workers send besides judgments: answers about themselves, to checks and to warnings, and the debrief read."""

from django.http import HttpRequest, HttpResponse

from judging import pages, stages
from judging.assigning import assign_next
from judging.checking import check_of, due_check, record_check
from judging.forms import CheckForm, WarningForm, read_sent
from judging.leaving import complete
from judging.models import Participation
from judging.questioning import QuestionsForm
from judging.screening import (
    AFTER,
    BEFORE,
    Verdict,
    comprehension_due,
    demographics_due,
    judge_comprehension,
    keep_answers,
    keep_mark,
    survey_due,
)
from judging.views import back, for_worker, practise
from judging.warning import decide

State = Participation.State


@for_worker("POST")
def before(request: HttpRequest, participation: Participation) -> HttpResponse:
    if not _stands(participation, State.CONSENTED) or not demographics_due(participation):
        return back(participation)
    form = QuestionsForm(participation.campaign.demographics, request.POST)
    if not form.is_valid():
        return pages.staged(participation, stages.questions(participation, BEFORE, form), status=422)
    keep_answers(participation, BEFORE, form.values())
    return back(participation)


@for_worker("POST")
def comprehension(request: HttpRequest, participation: Participation) -> HttpResponse:
    if not _stands(participation, State.CONSENTED) or not comprehension_due(participation):
        return back(participation)
    form = QuestionsForm(participation.campaign.comprehension, request.POST, declinable=False)
    if not form.is_valid():
        return pages.staged(participation, stages.comprehension(participation, form), status=422)
    match judge_comprehension(participation, form.values()):
        case Verdict.PASSED:
            return practise(participation, 0, {})
        case Verdict.AGAIN:
            return pages.staged(participation, stages.comprehension(participation, again=True))
    return back(participation)


@for_worker("POST")
def check(request: HttpRequest, participation: Participation) -> HttpResponse:
    form = CheckForm(request.POST)
    number = form.number()
    asked = None if number is None else check_of(participation, number)
    if number is None or asked is None or not _is_due(participation, number):
        return back(participation)
    chosen = form.choice(len(asked["choices"]))
    if chosen is None:
        return pages.check_again(participation, number)
    record_check(participation, number, chosen, read_sent(request.POST).response_ms)
    return pages.current(participation)


@for_worker("POST")
def warning(request: HttpRequest, participation: Participation) -> HttpResponse:
    form = WarningForm(request.POST)
    if form.is_valid() and _stands(participation, State.PRACTISED):
        decide(participation, form.cleaned_data["assignment"], skip=form.cleaned_data["choice"] == "skip")
    return pages.current(participation)


@for_worker("POST")
def after(request: HttpRequest, participation: Participation) -> HttpResponse:
    """Refused while there are items to do; whoever has answered is done."""
    turn = assign_next(participation) if _stands(participation, State.PRACTISED) else None
    if turn is None or turn.assignment is not None or not turn.done or not survey_due(participation):
        return back(participation)
    form = QuestionsForm(participation.campaign.survey, request.POST)
    if not form.is_valid():
        return pages.staged(participation, stages.questions(participation, AFTER, form), status=422)
    keep_answers(participation, AFTER, form.values())
    complete(participation)
    return back(participation)


@for_worker("POST")
def debrief(request: HttpRequest, participation: Participation) -> HttpResponse:
    if participation.state == State.COMPLETED:
        keep_mark(participation, "debriefed", True)
    return back(participation)


def _is_due(participation: Participation, number: int) -> bool:
    """Nobody answers a check before it is asked: it would not say how the items before it were read."""
    return _stands(participation, State.PRACTISED) and number == due_check(
        participation, assign_next(participation).done
    )


def _stands(participation: Participation, state: State) -> bool:
    return participation.state == state and pages.is_open(participation)
