"""The worker's pages. The token in the path is the worker's pass; why that is enough, is told in `tokens`."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.models import Campaign
from campaigns.translating import worded
from judging import leaving, pages, starting
from judging.arriving import arrival_of, arrive
from judging.assigning import assign_next
from judging.forms import MoreForm, PracticeForm, Sent, SentForm
from judging.inviting import NotAdmitted
from judging.models import Participation
from judging.presenting import presentation_of
from judging.recording import Asked, Circumstances, Outcome, asked, record, see_more
from judging.speaking import in_words_of, speak, spoken_by
from judging.tokens import COOKIE, read_token, remember, token_of
from protocols import PROTOCOLS

State = Participation.State
WorkerView = Callable[[HttpRequest, Participation], HttpResponse]


def for_worker(*methods: str) -> Callable[[WorkerView], Callable[..., HttpResponse]]:
    """Hands the view its participation. A wrong link is told plainly; a form's address, opened alone, leads back."""

    def decorate(view: WorkerView) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, token: str) -> HttpResponse:
            try:
                rows = Participation.objects.select_related("campaign")
                participation = rows.get(pk=read_token(token) or 0, campaign__slug=slug)
            except Participation.DoesNotExist:
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
    if request.method != "POST" or participation.state not in (State.PRACTISED, State.COMPLETED):
        return pages.current(participation)
    sent = SentForm(request.POST).read()
    item = asked(participation, sent.assignment)
    if item is None:
        return pages.current(participation)
    if item.answered:
        return pages.current(participation, Outcome.REPEATED.words)
    more = MoreForm(request.POST)
    if "more" in request.POST and more.is_valid():
        see_more(participation, item, more.cleaned_data["step"])
        return pages.current(participation)
    form = PROTOCOLS[participation.campaign.protocol].form(item.content, request.POST)
    if not form.is_valid():
        return pages.again(participation, item, _first_error(form))
    return pages.current(participation, _record(participation, item, sent, form.cleaned_data).words)


def _record(participation: Participation, item: Asked, sent: Sent, answer: dict[str, Any]) -> Outcome:
    campaign = participation.campaign
    if PROTOCOLS[campaign.protocol].steps(item.content):
        answer["step"] = item.step  # As the server counted: the browser's word would not do.
    presentation = presentation_of(campaign, item.content, participation.pk, str(item.assignment))
    seen = Circumstances(presentation, item.position, sent.response_ms, sent.active_ms, sent.shown)
    return record(item.assignment, answer, seen, closed=campaign.state == Campaign.State.CLOSED)


@for_worker("POST")
def language(request: HttpRequest, participation: Participation) -> HttpResponse:
    speak(participation, request.POST.get("language", ""))
    return _back(participation)


@for_worker("POST")
def consent(request: HttpRequest, participation: Participation) -> HttpResponse:
    if request.POST.get("choice") == "agree":
        starting.agree(participation)
    else:
        leaving.decline(participation)
    return _back(participation)


@for_worker("POST")
def practice(request: HttpRequest, participation: Participation) -> HttpResponse:
    """Stateless: the form says which practice text it is, so a reload or a second tab disturbs nothing."""
    form = PracticeForm(request.POST)
    if participation.state != State.CONSENTED or not form.is_valid() or not pages.is_open(participation):
        return _back(participation)
    step = form.cleaned_data["step"]
    stimulus = starting.practice_items(participation.campaign)[step : step + 1].first()
    if stimulus is None:
        starting.start(participation)
        return _back(participation)
    if "assignment" not in request.POST:
        return pages.practice(participation, stimulus, step)
    answer = PROTOCOLS[participation.campaign.protocol].form(stimulus.content, request.POST)
    if not answer.is_valid():
        return pages.practice(participation, stimulus, step, _first_error(answer))
    return pages.feedback(participation, stimulus, step, answer.cleaned_data)


@for_worker("POST")
def finish(request: HttpRequest, participation: Participation) -> HttpResponse:
    """A worker who does not want to wait for the last places; refused while there is something to do."""
    if participation.state == State.PRACTISED and pages.is_open(participation):
        turn = assign_next(participation)
        if turn.assignment is None and turn.done:
            leaving.complete(participation)
    return _back(participation)


@for_worker("GET", "HEAD", "POST")
def leave(request: HttpRequest, participation: Participation) -> HttpResponse:
    """GET asks whether; POST leaves."""
    if participation.state not in leaving.UNFINISHED:
        return _back(participation)
    if request.method != "POST":
        return pages.leaving(participation)
    leaving.withdraw(participation)
    return _back(participation)


def _back(participation: Participation) -> HttpResponse:
    return redirect("worker_page", participation.campaign.slug, token_of(participation))


def _first_error(form: Form) -> str:
    return next(str(errors[0]) for errors in form.errors.values())
