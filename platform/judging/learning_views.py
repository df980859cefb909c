"""The solved examples, one a page."""

from django.http import HttpRequest, HttpResponse

from judging import pages
from judging.forms import LearningForm
from judging.learning import examples_of
from judging.models import Participation
from judging.screening import demographics_due, examples_seen, keep_example
from judging.views import back, first_error, for_worker, go_to_practice
from protocols import PROTOCOLS


@for_worker("POST")
def learn(request: HttpRequest, participation: Participation) -> HttpResponse:
    """The form says which example it is, so that a reload or a second tab disturbs nothing."""
    form, consented = LearningForm(request.POST), participation.state == Participation.State.CONSENTED
    if not consented or not form.is_valid() or not pages.is_open(participation) or demographics_due(participation):
        return back(participation)
    choice = request.POST.get("choice")
    step = min(form.number() + (choice == "skip"), examples_seen(participation))  # None is left out.
    example = examples_of(participation)[step : step + 1].first()
    if example is None:
        return go_to_practice(participation)
    keep_example(participation, step)
    if "assignment" not in request.POST:
        return pages.example(participation, example, step, warned=choice == "show")
    answer = PROTOCOLS[participation.campaign.protocol].form(example.content, request.POST)
    if not answer.is_valid():
        return pages.example(participation, example, step, error=first_error(answer), warned=True)
    return pages.example(participation, example, step, said=answer.cleaned_data, warned=True)
