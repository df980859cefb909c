"""Any judgment as it was seen: the stored stimulus, as it was arranged for this worker, on a screen of that size."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.staticfiles import finders
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaigns.arming import arms
from campaigns.models import Campaign, Place, SampledText
from campaigns.recognising import protocol_of
from campaigns.showing import named
from catalogue.languages import LANGUAGES
from judging.entering import UNKNOWN
from judging.models import Judgment, Participation
from judging.presenting import on_page, presentation_of
from judging.speaking import in_words_of
from materials.counting import counted
from recruitment.linking import SIMULATED
from reports.palette import method_label

ON_A_PAGE = 50
LIGHT, DARK = "light", "dark"
SCHEMES = (LIGHT, DARK)
# Where the browser told nothing, and what a frame may be at most: a reported size is anybody's word.
USUAL_SIZE = (1280, 800)
SMALLEST, LARGEST = 240, 4000
# Of the stimulus itself, however the judgment came about.
PARTS = (
    "assignment__stimulus__condition", "assignment__stimulus__text", "assignment__participation", "place",
)  # fmt: skip


class Screen(NamedTuple):
    width: int
    height: int
    scheme: str
    told: bool


def judgments_of(campaign: Campaign) -> QuerySet[Judgment]:
    rows: QuerySet[Judgment] = Judgment.objects.filter(assignment__participation__campaign=campaign)
    return rows.select_related(*PARTS)


def find_judgment(campaign: Campaign, number: int) -> Judgment:
    """404 also where the worker took the answers back: then there is no judgment any more."""
    return get_object_or_404(judgments_of(campaign), pk=number)


def screen_of(judgment: Judgment) -> Screen:
    width, height = (judgment.shown.get(name) for name in ("width", "height"))
    scheme = DARK if judgment.shown.get("scheme") == DARK else LIGHT
    if not width or not height:
        return Screen(*USUAL_SIZE, scheme, told=False)
    return Screen(_bounded(width), _bounded(height), scheme, told=True)


def _bounded(pixels: float) -> int:
    return max(SMALLEST, min(LARGEST, round(pixels)))


def seen(campaign: Campaign, judgment: Judgment) -> dict[str, Any]:
    """What the worker's page needs to be shown once more, with the answer given."""
    assignment = judgment.assignment
    participation = in_words_of(_of(campaign, assignment.participation))
    content, protocol = assignment.stimulus.content, protocol_of(campaign)
    own = arrangement(campaign, judgment)
    return {
        **on_page(participation.campaign, content, own | {"given": judgment.answer}, assignment.step),
        "participation": participation,
        "campaign": participation.campaign,
        "number": judgment.position or 1,
        "pressed": str(judgment.answer["answer"]),
        "step": assignment.step,
        "here": "#",
        "scheme": screen_of(judgment).scheme,
        "script": protocol.script,
    }


def arrangement(campaign: Campaign, judgment: Judgment) -> dict[str, Any]:
    """Sides and order as this worker saw them."""
    assignment = judgment.assignment
    content, participation = assignment.stimulus.content, assignment.participation_id
    return judgment.presentation or presentation_of(campaign, content, participation, str(assignment.pk))


def _of(campaign: Campaign, participation: Participation) -> Participation:
    participation.campaign = campaign
    return participation


def told(campaign: Campaign, judgment: Judgment) -> dict[str, Any]:
    """What a researcher may know beside it, and the worker was not told."""
    assignment, stimulus = judgment.assignment, judgment.assignment.stimulus
    protocol = protocol_of(campaign)
    return {
        **neighbours(judgment),
        "judgment": judgment,
        "stimulus": stimulus,
        "worker": assignment.participation,
        "simulated": SIMULATED in assignment.participation.parameters,
        "text": stimulus.text,
        "arm": named(stimulus.condition, arms(campaign)),
        "answer": answer_of(campaign, judgment),
        "details": list(_details(campaign, judgment)),
        "arranged": list(_arranged(judgment)),
        "score": protocol.score(judgment.answer, stimulus.content, stimulus.expected),
        "asks_label": protocol.has_right_answers,
        "counts": counts(judgment),
        "screen": screen_of(judgment),
        "seconds": seconds(judgment.response_ms),
        "active_seconds": seconds(judgment.active_ms),
        "away_seconds": seconds(judgment.shown.get("away_ms")),
        "language": _language(assignment.participation.language),
        "version": protocol.version,
    }


def counts(judgment: Judgment) -> bool:
    return judgment.place is not None and judgment.place.state == Place.State.FILLED


def seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _language(code: str) -> str:
    return LANGUAGES[code].english if code in LANGUAGES else code


def answer_of(campaign: Campaign, judgment: Judgment) -> str:
    """In the researcher's words: a side of a pair is its method."""
    if protocol_of(campaign).marks:
        return counted(len(judgment.answer["words"]), "word")
    condition = judgment.assignment.stimulus.condition
    sides = {"first": condition.method, "second": condition.other}
    label = protocol_of(campaign).label_of(judgment.answer)
    return method_label(sides[label]) if condition.other and label in sides else label.replace("_", " ")


def _details(campaign: Campaign, judgment: Judgment) -> Iterator[tuple[str, str]]:
    """What else was answered; words by what they are and not by their numbers."""
    content = judgment.assignment.stimulus.content
    if campaign.imported:
        for name, value in judgment.shown.get(UNKNOWN, {}).items():
            yield name.replace("_", " ").capitalize(), "–" if value is None else str(value)
        return
    if protocol_of(campaign).marks:
        words = [content["text"][start:end] for start, end in content["words"]]
        yield "Marked", ", ".join(words[number] for number in judgment.answer["words"]) or "nothing"
        for name in content["picks"]:
            number = judgment.answer.get(name)
            yield f"Matters {name}", "–" if number is None else words[number]
        return
    worded = {one["key"]: one["wording"] for one in content.get("more", [])}
    for name, value in judgment.answer.items():
        if name != "answer":
            yield worded.get(name, name.replace("_", " ").capitalize()), str(value)


def _arranged(judgment: Judgment) -> Iterator[tuple[str, str]]:
    condition, own = judgment.assignment.stimulus.condition, judgment.presentation
    if "left" in own:
        yield "Left, or above", method_label(condition.other if own["left"] == "second" else condition.method)
    if "choices" in own:
        yield "Order of the labels", ", ".join(own["choices"])


def neighbours(judgment: Judgment) -> dict[str, int | None]:
    """The same worker's judgments before and after it."""
    own = Judgment.objects.filter(assignment__participation=judgment.assignment.participation_id)
    before = own.filter(pk__lt=judgment.pk).order_by("-pk").values_list("pk", flat=True).first()
    after = own.filter(pk__gt=judgment.pk).order_by("pk").values_list("pk", flat=True).first()
    return {"before": before, "after": after}


def judgments_page(campaign: Campaign, worker: str, text: str, page: str) -> dict[str, Any]:
    """The newest first, of one worker or of one text where that is asked for. A constant number of queries."""
    rows = judgments_of(campaign).filter(narrowed_to(campaign, worker, text)).order_by("-pk")
    found = Paginator(rows.filter(assignment__stimulus__role=SampledText.Role.ITEM), ON_A_PAGE).get_page(page)
    methods, protocol = arms(campaign), protocol_of(campaign)
    return {
        "page": found,
        "rows": [
            {
                "judgment": one,
                "worker": one.assignment.participation.number,
                "text": one.assignment.stimulus.text,
                "arm": named(one.assignment.stimulus.condition, methods),
                "answer": answer_of(campaign, one),
                "score": protocol.score(one.answer, one.assignment.stimulus.content, one.assignment.stimulus.expected),
                "counts": counts(one),
                "seconds": seconds(one.response_ms),
            }
            for one in found
        ],
        "wanted_worker": worker,
        "wanted_text": text,
    }


def narrowed_to(campaign: Campaign, worker: str, text: str) -> Q:
    """Of the worker of this pseudonym, of the text of this key; of all where nothing is said."""
    only = Q()
    if worker:
        only &= Q(assignment__participation__in=_called(campaign, _number(worker)))
    if text:
        only &= Q(assignment__stimulus__text__key=text)
    return only


def _called(campaign: Campaign, number: int) -> QuerySet[Participation]:
    return campaign.participations.filter(Q(known_as=number) | Q(known_as=None, pk=number))


def _number(worker: str) -> int:
    """Of a pseudonym, `w12` or `12`. 404 where it is none."""
    digits = worker.removeprefix("w")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        raise Http404(f"{worker} is no worker's pseudonym.")
    return int(digits)


def style_of(scheme: str) -> str:
    """The worker's stylesheet as it is on a screen of this scheme, whatever the reader's own is."""
    path = finders.find("css/peekaword.css")
    assert isinstance(path, str)
    css = Path(path).read_text(encoding="utf-8")
    css = re.sub(r"\(prefers-color-scheme: dark\)", "all" if scheme == DARK else "not all", css)
    return css.replace("color-scheme: light dark", f"color-scheme: {scheme}")
