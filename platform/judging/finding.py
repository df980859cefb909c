"""Whose request it is, where this worker stands and what is being answered: one look-up at every request of a worker.

A launched campaign never changes but for its state and the time it was closed, which a database trigger holds. So each
process keeps the campaigns that it has met, and asks for these two alone.
"""

import json
from functools import cache, lru_cache
from typing import Any

from django.db import connection
from django.db.models import JSONField

from campaigns.models import Campaign
from judging.models import Participation
from judging.standing import STANDING, Asked, Stand, stand_of
from judging.statements import Statement

KEPT = 64

FOUND = f"""
SELECT campaign.state, campaign.closed_at, asked.id,
    (SELECT content::text FROM campaigns_stimulus stimulus WHERE stimulus.id = asked.stimulus_id),
    asked.step, asked.deadline, standing.*, {{columns}}
FROM judging_participation participation
JOIN campaigns_campaign campaign ON campaign.id = participation.campaign_id
LEFT JOIN judging_assignment asked
    ON asked.id = %(assignment)s AND asked.participation_id = participation.id AND asked.warned <> 'skipped'
CROSS JOIN LATERAL ({STANDING}) standing
WHERE participation.id = %(participation)s AND campaign.slug = %(slug)s
"""
# Where in a row its parts begin.
STANDS = 6
ANSWERS = STANDS + len(Stand._fields)
COLUMNS = ANSWERS + 2


def find(slug: str, pk: int, answering: int = 0) -> Participation | None:
    """With its campaign, where the worker stands, and the assignment that is `answering`, if it is the worker's.

    None where this campaign has no such participation.
    """
    statement, names, encoded = _statement()
    row = statement.one({"participation": pk, "slug": slug, "assignment": answering})
    if row is None:
        return None
    state, closed_at, assignment, content, step, deadline = row[:STANDS]
    values = list(row[COLUMNS:])
    for at in encoded:
        values[at] = json.loads(values[at])
    participation = Participation.from_db(connection.alias, names, values)
    participation.campaign = _campaign(participation.campaign_id, state, closed_at)
    participation.stand = stand_of(row[STANDS:ANSWERS])
    if assignment is not None:
        answered, position = row[ANSWERS:COLUMNS]
        participation.asked = Asked(assignment, json.loads(content), answered, step, position, deadline)
    return participation


@cache
def _statement() -> tuple[Statement, list[str], list[int]]:
    """Written once: what a model's own manager would write anew at each request."""
    fields = Participation._meta.concrete_fields
    columns = ", ".join(f"participation.{connection.ops.quote_name(str(field.column))}" for field in fields)
    encoded = [at for at, field in enumerate(fields) if isinstance(field, JSONField)]
    sql = FOUND.format(columns=columns)
    statement = Statement("found", sql, participation="bigint", slug="text", assignment="bigint")
    return statement, [field.attname for field in fields], encoded


def _campaign(pk: int, state: str, closed_at: Any) -> Campaign:
    """A new one each time: what one request sets on it is no other's."""
    try:
        names, values = _launched(pk)
    except _NotLaunched as found:
        return found.campaign
    campaign = Campaign.from_db(connection.alias, names, values)
    campaign.state, campaign.closed_at = state, closed_at
    return campaign


class _NotLaunched(Exception):
    """Not to be kept: this design may still change."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign


@lru_cache(maxsize=KEPT)
def _launched(pk: int) -> tuple[list[str], list[Any]]:
    """What `from_db` makes a campaign of. Nobody writes into its lists, which all requests share."""
    campaign = Campaign.objects.get(pk=pk)
    if not campaign.design_hash:
        raise _NotLaunched(campaign)
    names = [field.attname for field in Campaign._meta.concrete_fields]
    return names, [getattr(campaign, name) for name in names]
