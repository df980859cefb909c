"""What a campaign's recruitment page has to show."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Q
from django.urls import reverse

from campaigns.models import Campaign, Place
from judging.exiting import OUTCOMES as OUTCOME_OF
from judging.exiting import way_of
from judging.models import Participation, ProlificStudy, ProlificSubmission
from judging.recruiting import RETURN_REASON, WAITING, owed
from judging.recruiting_forms import (
    BonusesForm,
    ClassCodeForm,
    DraftForm,
    InvitationsForm,
    PlacesForm,
    StudyForm,
)
from recruitment import OUTCOMES, PROVIDERS, class_code, invitation
from recruitment.prolific import SESSION, STATUSES
from recruitment.prolific_api import MOST_BONUSES

State = Participation.State
MOST_ROWS = 300
# Where Prolific's word and ours for the same thing differ only because one of us has not heard yet.
STARTED = "started"


class Needed(NamedTuple):
    """`workers` is how many more people the open judgments need, each doing as many as one may."""

    wanted: int
    filled: int
    at_work: int
    open: int
    workers: int


class Line(NamedTuple):
    """One submission: what is said of it here and there; `note` where that does not fit together."""

    submission: str
    ours: str
    theirs: str
    note: str


def page(campaign: Campaign, link: str, forms: dict[str, Any]) -> dict[str, Any]:
    """`forms` are those that somebody has just filled in wrongly."""
    provider = PROVIDERS[campaign.recruitment]
    need = needed(campaign)
    return {
        "campaign": campaign,
        "provider": provider,
        "link": with_query(campaign, link),
        "plain_link": link,
        "needed": need,
        "exits": [_exit(campaign, name) for name in OUTCOMES],
        **(_invitations(campaign) if provider.entry == "invitation" else {}),
        **(_codes(campaign, link) if provider.entry == "code" else {}),
        **(_prolific(campaign, need) if provider.name == "prolific" else {}),
        **forms,
    }


def with_query(campaign: Campaign, link: str) -> str:
    """The link to hand out, with what the recruiter is to fill in."""
    provider = PROVIDERS[campaign.recruitment]
    if provider.query:
        return f"{link}?{provider.query}"
    return f"{link}?{campaign.worker_parameter}=…" if provider.name == "panel" else link


def needed(campaign: Campaign) -> Needed:
    states = dict(campaign.places.values_list("state").annotate(n=Count("pk")).order_by("state"))
    filled, leased, free = (
        states.get(state, 0) for state in (Place.State.FILLED, Place.State.LEASED, Place.State.OPEN)
    )
    texts = campaign.sample.filter(role="item").count()
    workers = math.ceil(free / max(1, min(campaign.most_per_worker, texts or 1)))
    return Needed(filled + leased + free, filled, leased, free, workers)


def _exit(campaign: Campaign, outcome: str) -> dict[str, Any]:
    way, message = way_of(campaign, outcome)
    return {"label": OUTCOMES[outcome].label, "meaning": OUTCOMES[outcome].meaning, "way": way, "message": message}


def _invitations(campaign: Campaign) -> dict[str, Any]:
    rows = campaign.invitations.select_related("participation")
    counts = campaign.invitations.aggregate(
        made=Count("pk"),
        used=Count("pk", filter=Q(participation__isnull=False)),
        revoked=Count("pk", filter=Q(revoked_at__isnull=False)),
    )
    return {"invitations": rows[:MOST_ROWS], "counts": counts, "invitations_form": InvitationsForm()}


def invitation_link(link: str, ticket: str) -> str:
    return f"{link}?{invitation.PARAMETER}={ticket}"


def _codes(campaign: Campaign, link: str) -> dict[str, Any]:
    rows = [(code, f"{link}?{class_code.PARAMETER}={code.code}") for code in campaign.class_codes.all()]
    return {"codes": rows, "code_form": ClassCodeForm()}


def _prolific(campaign: Campaign, need: Needed) -> dict[str, Any]:
    study = ProlificStudy.objects.filter(campaign=campaign).first()
    shared = {"study": study, "has_token": bool(settings.PROLIFIC_API_TOKEN), "hook": reverse("prolific_hook")}
    if study is None:
        proposed = {"name": "Read and judge short texts", "description": campaign.instructions, "places": need.workers}
        return shared | {"study_form": StudyForm(), "draft_form": DraftForm(initial=proposed)}
    rows = list(campaign.prolific_submissions.order_by("-status_at", "-pk"))
    people = {person.worker_hash: person for person in campaign.participations.all()} if rows else {}
    met = [(row, _met(row, people)) for row in rows]
    lines = sorted((_line(campaign, row, person) for row, person in met), key=lambda line: not line.note)
    missing = max(0, need.workers - max(0, study.places - study.taken))
    return shared | {
        "lines": lines[:MOST_ROWS],
        "line_count": len(lines),
        "differing": sum(bool(line.note) for line in lines),
        "to_approve": sum(_approvable(row, person) for row, person in met),
        "to_return": sum(_returnable(row, person) for row, person in met),
        "missing": missing,
        "places_form": PlacesForm(initial={"more": missing or None}),
        "payments": campaign.bonus_payments.order_by("-created_at"),
        "bonuses_form": BonusesForm(initial={"amounts": _lines_of(owed(campaign))}),
    }


def _lines_of(amounts: dict[str, Decimal]) -> str:
    return "\n".join(f"{submission}, {amount:.2f}" for submission, amount in list(amounts.items())[:MOST_BONUSES])


def _met(row: ProlificSubmission, people: dict[str, Participation]) -> Participation | None:
    person = people.get(row.worker_hash)
    return person if person and person.parameters.get(SESSION) == row.submission_id else None


def _approvable(row: ProlificSubmission, person: Participation | None) -> bool:
    done = person is not None and person.state == State.COMPLETED and person.excluded_at is None
    return row.status == WAITING and done


def _returnable(row: ProlificSubmission, person: Participation | None) -> bool:
    return row.status == WAITING and not row.return_requested and person is not None and person.state in RETURN_REASON


def _line(campaign: Campaign, row: ProlificSubmission, person: Participation | None) -> Line:
    theirs = row.status.capitalize() + (", return asked for" if row.return_requested else "")
    if person is None:
        return Line(row.submission_id, "–", theirs, next(_notes_of_nobody(row), ""))
    ours = State(person.state).label + (", excluded" if person.excluded_at else "")
    return Line(row.submission_id, ours, theirs, next(_notes(campaign, row, person), ""))


def _notes_of_nobody(row: ProlificSubmission) -> Iterator[str]:
    if STATUSES.get(row.status) not in (STARTED, "returned", "timed_out"):
        yield "Nobody came here with this submission."


def _notes(campaign: Campaign, row: ProlificSubmission, person: Participation) -> Iterator[str]:
    """The first that holds is shown."""
    theirs, ours = STATUSES.get(row.status), OUTCOME_OF.get(State(person.state), STARTED)
    if ours == "completed" and person.excluded_at and row.status in (WAITING, "APPROVED"):
        yield "Excluded here."
    if _returnable(row, person):
        yield "Not completed here: ask for a return."
    if theirs == "completed" and ours == STARTED:
        yield "Handed in there, not completed here."
    if theirs == STARTED and ours == "completed":
        yield "Completed here, not handed in there yet."
    if theirs in ("returned", "timed_out") and ours == STARTED:
        yield "Over there, still at work here."
    expected = way_of(campaign, ours)[0].code if ours in OUTCOMES else ""
    if row.entered_code and expected and row.entered_code != expected:
        yield f"Came back with the code {row.entered_code}, not {expected}."
