"""The language of the worker's pages: asked for by the link, else the browser's, else the campaign's own."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from campaigns.models import Campaign
from campaigns.translating import languages_of, worded
from catalogue.languages import LANGUAGES, nearest
from judging.models import Participation

State = Participation.State
# Whoever has agreed to the consent, has agreed to it as they read it: from then on the language stays.
STILL_CHOOSING = (State.ARRIVED, State.DECLINED)


def spoken_by(request: HttpRequest, campaign: Campaign | None) -> str:
    """Of those that the campaign is offered in; without a campaign, of all there are."""
    among = [language.code for language in languages_of(campaign)] if campaign else list(LANGUAGES)
    for tag in _wanted(request):
        if found := nearest(tag, among):
            return found
    return among[0] if among and campaign else "en"


def _wanted(request: HttpRequest) -> Iterator[str]:
    yield request.GET.get("lang", "")
    for tag, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        yield tag


def speak(participation: Participation, language: str) -> None:
    """From now on, in this language; where the campaign is not offered in it, as before."""
    offered = nearest(language, [each.code for each in languages_of(participation.campaign)])
    if offered and offered != participation.language:
        rows = Participation.objects.filter(pk=participation.pk, state__in=STILL_CHOOSING)
        if rows.update(language=offered):
            participation.language = offered


def in_words_of(participation: Participation) -> Participation:
    """With the campaign's wording as this worker reads it."""
    participation.campaign = worded(participation.campaign, participation.language)
    return participation
