"""Controlled tasks with known answers: what a method must find, because the data allow nothing else.

`run(arms, progress, **params) -> Outcome`: one module a task, one line here and one entry in `catalogue.tasks`.
"""

from collections.abc import Callable

from workers.sanity import agreement, arithmetic, deletion, negation, planted, representations
from workers.sanity.outcome import Outcome

TASKS: dict[str, Callable[..., Outcome]] = {
    "arithmetic": arithmetic.run,
    "planted": planted.run,
    "agreement": agreement.run,
    "deletion": deletion.run,
    "negation": negation.run,
    "representations": representations.run,
}
