"""A part of a team's log: of one person, of one act, of what bears a name, of some days."""

from datetime import date, datetime, time

from django.db.models import QuerySet
from django.utils.timezone import make_aware

from accounts.models import AuditEntry


def narrowed(
    entries: QuerySet[AuditEntry],
    person: str = "",
    act: str = "",
    q: str = "",
    since: date | None = None,
    until: date | None = None,
) -> QuerySet[AuditEntry]:
    """What is not said narrows nothing; both days are in."""
    if person:
        entries = entries.filter(actor_name=person)
    if act:
        entries = entries.filter(act=act)
    if q:
        entries = entries.filter(subject_name__icontains=q)
    if since:
        entries = entries.filter(at__gte=make_aware(datetime.combine(since, time.min)))
    if until:
        entries = entries.filter(at__lte=make_aware(datetime.combine(until, time.max)))
    return entries
