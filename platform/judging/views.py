"""The worker's pages. The token in the path is the worker's pass; why that is enough, is told in `tokens`."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.conf import settings
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.models import Campaign
from campaigns.translating import worded
from judging import leaving, pages, stages, starting
from judging.advancing import advance
from judging.arriving import arrival_of, arrive
from judging.assigning import ask_for_time, assign_next
from judging.checking import check_is_before
from judging.crowding import crowded
from judging.erasing import erase
from judging.finding import find
from judging.forms import MoreForm, PracticeForm, Sent, TimeForm, read_key, read_sent
from judging.inviting import NotAdmitted
from judging.learning import examples_due
from judging.models import Participation
from judging.presenting import presentation_of
from judging.recording import Circumstances, Outcome, see_more
from judging.screening import Verdict, comprehension_due, demographics_due, is_right, judge_practice, keep_practice
from judging.speaking import in_words_of, speak, spoken_by
from judging.standing import Asked
from judging.tokens import COOKIE, read_token, remember, token_of
from protocols import PROTOCOLS

State = Participation.State
NOTHING: Mapping[str, Any] = {}
WorkerView = Callable[[HttpRequest, Participation], HttpResponse]


def for_worker(*methods: str) -> Callable[[WorkerView], Callable[..., HttpResponse]]:
    """Hands the view its participation. A wrong link is told plainly; a form's address, opened alone, leads back."""

    def decorate(view: WorkerView) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, token: str) -> HttpResponse:
            participation = find(slug, read_token(token) or 0, read_key(request.POST.get("assignment")))
            if participation is None:
                return _unknown(request, Campaign.objects.filter(slug=slug).first())
            if request.method not in methods:
                return redirect("worker_page", slug, token)
            with override(participation.language):
                return view(request, in_words_of(participation))

        return wrapped

    return decorate


@never_cache
@require_safe
def arrival(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        return _unknown(request, None)
    if request.method == "HEAD":  # Link checkers and mail scanners are no workers.
        return HttpResponse()
    language = spoken_by(request, campaign)
    query = request.GET.dict()
    try:
        if crowded(request, f"arrivals {campaign.pk}", settings.ARRIVALS_PER_MINUTE):
            raise NotAdmitted("busy")
        participation = arrive(campaign, query, request.COOKIES.get(COOKIE, ""), language)
    except NotAdmitted as refusal:
        with override(language):
            return pages.not_admitted(worded(campaign, language), refusal.reason, query)
    if participation is None:
        with override(language):
            return pages.closed(worded(campaign, language), arrival=arrival_of(campaign, query))
    if "lang" in request.GET:
        speak(participation, language)
    response = redirect("worker_page", slug, token_of(participation))
    remember(response, request, participation)
    return response


def _unknown(request: HttpRequest, campaign: Campaign | None) -> HttpResponse:
    with override(spoken_by(request, campaign)):
        return pages.unknown(campaign)


@for_worker("GET", "HEAD", "POST")
def page(request: HttpRequest, participation: Participation) -> HttpResponse:
    """GET shows where the worker stands; POST is an answer, and its response holds the next item."""
    if request.method == "POST" and participation.state == State.TIMED_OUT and not _closed(participation):
        starting.agree(participation)  # An answer is a sign of life, and must not be lost.
    if request.method != "POST" or participation.state not in (State.PRACTISED, State.COMPLETED):
        return pages.current(participation)
    item = participation.asked
    if item is None:
        return pages.current(participation)
    if item.answered:
        return pages.current(participation, Outcome.REPEATED.words)
    if check_is_before(participation, item):
        return pages.current(participation)
    if "more" in request.POST and (more := MoreForm(request.POST)).is_valid():
        see_more(participation, item, more.cleaned_data["step"])
        return pages.current(participation)
    form = PROTOCOLS[participation.campaign.protocol].form(item.content, request.POST)
    if not form.is_valid():
        return pages.again(participation, item, first_error(form), request.POST)
    given = form.cleaned_data
    if PROTOCOLS[participation.campaign.protocol].steps(item.content):
        given["step"] = item.step  # As the server counted: the browser's word would not do.
    outcome, turn = advance(participation, item, given, _circumstances(participation, item, read_sent(request.POST)))
    return pages.answered(participation, outcome.words, turn)


def _circumstances(participation: Participation, item: Asked, sent: Sent) -> Circumstances:
    presentation = presentation_of(participation.campaign, item.content, participation.pk, str(item.assignment))
    return Circumstances(presentation, item.position, sent.response_ms, sent.active_ms, sent.shown)


def _closed(participation: Participation) -> bool:
    """For good: whoever has ended keeps the way out, which nobody at work in a closed study has."""
    return participation.campaign.state == Campaign.State.CLOSED


@for_worker("POST")
def language(request: HttpRequest, participation: Participation) -> HttpResponse:
    speak(participation, request.POST.get("language", ""))
    return back(participation)


@for_worker("POST")
def consent(request: HttpRequest, participation: Participation) -> HttpResponse:
    if request.POST.get("choice") != "agree":
        leaving.decline(participation)
    elif not _closed(participation):
        starting.agree(participation)
    return back(participation)


@for_worker("POST")
def practice(request: HttpRequest, participation: Participation) -> HttpResponse:
    """The form says which practice text it is; what was answered first is kept, so a reload disturbs nothing."""
    form = PracticeForm(request.POST)
    if participation.state != State.CONSENTED or not form.is_valid() or not pages.is_open(participation):
        return back(participation)
    if demographics_due(participation) or examples_due(participation):
        return back(participation)
    return go_to_practice(participation, form.cleaned_data["step"], request.POST)


def go_to_practice(participation: Participation, step: int = 0, sent: Mapping[str, Any] = NOTHING) -> HttpResponse:
    if comprehension_due(participation):
        return pages.staged(participation, stages.comprehension(participation))
    return practise(participation, step, sent)


def practise(participation: Participation, step: int, sent: Mapping[str, Any]) -> HttpResponse:
    """A practice text, what its answer was worth, or, after the last, on to the work."""
    stimulus = starting.practice_items(participation.campaign)[step : step + 1].first()
    if stimulus is None:
        return _start(participation)
    if sent.get("choice") == "skip" and stimulus.content.get("warning"):
        keep_practice(participation, step, None)
        return practise(participation, step + 1, {})
    if "assignment" not in sent:
        return pages.practice(participation, stimulus, step, warned=sent.get("choice") == "show")
    revealed = _revealed(sent)
    if "more" in sent:
        return pages.practice(participation, stimulus, step, warned=True, revealed=revealed + 1)
    protocol = PROTOCOLS[participation.campaign.protocol]
    answer = protocol.form(stimulus.content, sent)
    if not answer.is_valid():
        error = first_error(answer)
        return pages.practice(participation, stimulus, step, error, warned=True, given=sent, revealed=revealed)
    if protocol.steps(stimulus.content):
        answer.cleaned_data["step"] = revealed
    keep_practice(participation, step, is_right(protocol, answer.cleaned_data, stimulus.expected))
    return pages.feedback(participation, stimulus, step, answer.cleaned_data)


def _revealed(sent: Mapping[str, Any]) -> int:
    """How often the worker asked to see more. In practice the browser's word will do."""
    form = MoreForm({"step": sent.get("revealed", 0)})
    return int(form.cleaned_data["step"]) if form.is_valid() else 0


def _start(participation: Participation) -> HttpResponse:
    verdict = judge_practice(participation, starting.practice_items(participation.campaign).count())
    if verdict == Verdict.PASSED:
        starting.start(participation)
    return pages.current(participation, pages.once_more()) if verdict == Verdict.AGAIN else back(participation)


@for_worker("POST")
def finish(request: HttpRequest, participation: Participation) -> HttpResponse:
    """A worker who does not want to wait for the last places; refused while there is something to do."""
    if participation.state == State.PRACTISED and pages.is_open(participation):
        turn = assign_next(participation)
        if turn.assignment is None and turn.done:
            return pages.finish(participation)
    return back(participation)


@for_worker("POST")
def time(request: HttpRequest, participation: Participation) -> JsonResponse:
    """More of it for the item in hand; the page's script asks."""
    form = TimeForm(request.POST)
    asked_for = form.cleaned_data["assignment"] if form.is_valid() and pages.is_open(participation) else 0
    return JsonResponse({"seconds": ask_for_time(participation, asked_for)})


@for_worker("GET", "HEAD", "POST")
def leave(request: HttpRequest, participation: Participation) -> HttpResponse:
    """GET asks whether; POST leaves, and takes the answers back where that is asked for."""
    if participation.erased_at or participation.state not in leaving.CAN_ERASE:
        return back(participation)
    if request.method != "POST":
        return pages.leaving(participation)
    if request.POST.get("choice") == "erase":
        erase(participation)
    else:
        leaving.withdraw(participation)
    return back(participation)


def back(participation: Participation) -> HttpResponse:
    return redirect("worker_page", participation.campaign.slug, token_of(participation))


def first_error(form: Form) -> str:
    return next(str(errors[0]) for errors in form.errors.values())
