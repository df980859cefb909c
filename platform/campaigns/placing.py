"""A place for every judgment wanted: in which order conditions go through the texts, and on which list it stands."""

import random
from collections.abc import Iterator, Sequence

from django.db import connection

from campaigns.models import Campaign, Condition, SampledText

PLACES = """
INSERT INTO campaigns_place (campaign_id, stimulus_id, condition_id, text_id, number, rank, list, state)
SELECT s.campaign_id, s.id, s.condition_id, s.text_id, o.number, (o.at - c.begin + %(texts)s) %% %(texts)s,
    (l.line + c.at) %% %(lists)s, 'open'
FROM campaigns_stimulus s
JOIN unnest(%(order_texts)s::bigint[], %(order_numbers)s::int[], %(order_at)s::int[]) AS o(text_id, number, at)
    ON o.text_id = s.text_id
JOIN unnest(%(line_texts)s::bigint[], %(lines)s::int[]) AS l(text_id, line) ON l.text_id = s.text_id
JOIN unnest(%(conditions)s::bigint[], %(begins)s::int[], %(condition_at)s::int[]) AS c(condition_id, begin, at)
    ON c.condition_id = s.condition_id
WHERE s.campaign_id = %(campaign)s AND s.role = 'item'
ORDER BY s.condition_id, o.number, 6
"""


def write_places(campaign: Campaign, items: Sequence[SampledText], conditions: Sequence[Condition]) -> None:
    """Each condition goes through the texts in a shuffled order of its own, one for every judgment wanted.

    The order is one shuffle a number, begun at another text in each condition: at any depth the conditions are at
    different texts, so the judgments made so far are spread evenly over the texts.
    """
    texts = [sampled.text_id for sampled in items]
    ordered = list(orders(texts, campaign.judgments_per_stimulus, campaign.sample_seed))
    line = lines(items, campaign.sample_seed)
    square = campaign.allocation == Campaign.Allocation.LATIN_SQUARE
    with connection.cursor() as cursor:
        cursor.execute(
            PLACES,
            {
                "campaign": campaign.pk,
                "texts": len(texts),
                "lists": len(conditions) if square else 1,
                "order_texts": [text for text, _, _ in ordered],
                "order_numbers": [number for _, number, _ in ordered],
                "order_at": [at for _, _, at in ordered],
                "line_texts": list(line),
                "lines": list(line.values()),
                "conditions": [condition.pk for condition in conditions],
                "begins": [index * len(texts) // len(conditions) for index in range(len(conditions))],
                "condition_at": list(range(len(conditions))),
            },
        )


def orders(texts: Sequence[int], judgments: int, seed: int) -> Iterator[tuple[int, int, int]]:
    """(text, number from 1, position from 0): one shuffle for every number, which the seed decides."""
    for number in range(1, judgments + 1):
        order = list(texts)
        random.Random(f"{seed}/{number}").shuffle(order)
        for at, text in enumerate(order):
            yield text, number, at


def lines(items: Sequence[SampledText], seed: int) -> dict[int, int]:
    """The line of each text in the Latin square; its list under a condition is line + condition, around the square.

    Label by label: the texts of one label go through all conditions on every list. In the order of the sample, where
    labels take turns, a worker would meet a condition with one label only.
    """
    shuffled = random.Random(f"{seed}/lines").sample(items, len(items))
    return {sampled.text_id: at for at, sampled in enumerate(sorted(shuffled, key=lambda one: one.expected))}
