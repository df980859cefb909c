"""Where a worker stands: what it was given so far, summed up by the database with the look-up of the request."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from judging.statements import Statement
from protocols import Content

# Single look-ups instead of joins, here and in the sweep: in a campaign of 200,000 stimuli a planner that has seen few
# assignments yet would scan all stimuli to join them. LIMIT keeps it from making a join of this one,
# and OFFSET from looking up `judged` anew for each of the sums.
STANDING = """
SELECT participation.state, participation.quota, participation.excluded_at IS NOT NULL,
    count(*) FILTER (WHERE judged AND NOT known),
    count(*) FILTER (WHERE judged AND known),
    count(*) FILTER (WHERE known),
    array_agg(condition_id) FILTER (WHERE (judged OR id = %(assignment)s) AND NOT known),
    array_agg(text_id),
    max(id),
    max(id) FILTER (WHERE NOT judged AND NOT skipped),
    max(id) FILTER (WHERE known),
    bool_or(judged) FILTER (WHERE id = %(assignment)s) AS answered,
    count(*) FILTER (WHERE id <= %(assignment)s) AS position
FROM (
    SELECT assignment.id, assignment.text_id, stimulus.condition_id, stimulus.role = 'gold' AS known,
        EXISTS (SELECT FROM judging_judgment judgment WHERE judgment.assignment_id = assignment.id) AS judged,
        assignment.warned = 'skipped' AS skipped
    FROM judging_assignment assignment CROSS JOIN LATERAL (
        SELECT condition_id, role FROM campaigns_stimulus WHERE id = assignment.stimulus_id LIMIT 1
    ) stimulus
    WHERE assignment.participation_id = %(participation)s
    OFFSET 0
) given
"""


class Asked(NamedTuple):
    """An assignment of the worker's, with what was shown; `answered` if its answer is here already.

    `step` is how often the worker asked to see more, `position` which of the worker's items it is, from 1.
    """

    assignment: int
    content: Content
    answered: bool
    step: int
    position: int
    deadline: datetime


class Stand(NamedTuple):
    """Of the `quota` items asked for `done` were judged, and of `known_given` with a known answer `known`.

    `used` are the conditions of the former, with that of the item which is being answered, and `seen` all texts.
    `last` is the newest assignment. `open` is the newest without an answer; if it is not the last one, its place went
    to others.
    """

    state: str
    quota: int
    excluded: bool
    done: int
    known: int
    known_given: int
    used: list[int]
    seen: list[int]
    last: int | None
    open: int | None
    last_known: int | None

    @property
    def at_work(self) -> bool:
        """An excluded worker's answers would not count: nothing more is asked."""
        return self.state == "practised" and not self.excluded

    @property
    def in_hand(self) -> int | None:
        """The assignment that the worker is to answer now."""
        return self.open if self.open == self.last else None

    @property
    def in_hand_known(self) -> bool:
        return self.in_hand is not None and self.last_known == self.last

    def answered(self) -> "Stand":
        """What it is once the item in hand is answered."""
        known = self.in_hand_known
        return self._replace(done=self.done + (not known), known=self.known + known, open=None)


# By itself, where it has changed since the look-up, or others may have changed it.
STOOD = Statement(
    "stood",
    f"""
SELECT standing.* FROM judging_participation participation CROSS JOIN LATERAL ({STANDING}) standing
WHERE participation.id = %(participation)s
""",
    participation="bigint",
    assignment="bigint",
)


def stand(participation: int) -> Stand:
    row = STOOD.one({"participation": participation, "assignment": 0})
    assert row is not None
    return stand_of(row)


def stand_of(row: Sequence[Any]) -> Stand:
    """`row` is of STANDING; what it says of the item being answered stands last in it, and is left out."""
    state, quota, excluded, done, known, known_given, used, seen, last, opened, last_known = row[: len(Stand._fields)]
    return Stand(state, quota, excluded, done, known, known_given, used or [], seen or [], last, opened, last_known)
