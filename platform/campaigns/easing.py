"""What is shown where the answer has to be plain to see."""

from collections.abc import Sequence

from campaigns.models import Condition
from catalogue.baselines import BASELINES


def practice_conditions(conditions: Sequence[Condition], count: int) -> list[Condition]:
    """What practice shows: most words first, by a method that is no baseline where there is one."""
    plain = {"random", *BASELINES}
    methods = [condition for condition in conditions if condition.method not in plain] or list(conditions)
    easiest = sorted(methods, key=lambda condition: (-(condition.k or 0), condition.position))
    return (easiest * count)[:count]
