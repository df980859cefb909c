"""Plans as pages show them: computed once, and handed on to the wizard."""

from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from django.urls import reverse
from django.utils.http import urlencode

from analysis.planning.composing import Asked, Plan, make_plan
from reports.planning_charts import draw_plan

CACHED_SECONDS = 24 * 3600
# Raised when a plan's shape or what is simulated changes.
SHAPE = 1


@dataclass(frozen=True)
class Made:
    plan: Plan
    figures: dict[str, str]


def plan_of(asked: Asked) -> Made:
    """The same question has the same answer, as the seed is the same: it is simulated once a day."""
    key = f"plan:{SHAPE}:{sha256(repr(asked).encode()).hexdigest()}"
    made: Made | None = cache.get(key)
    if made is None:
        plan = make_plan(asked)
        made = Made(plan, draw_plan(plan))
        cache.set(key, made, CACHED_SECONDS)
    return made


def wizard_link(plan: Plan) -> str:
    """A new campaign of the protocol with the design's numbers."""
    design = plan["design"]
    numbers = {
        "protocol": plan["protocol"],
        "texts": design["texts"],
        "judgments_per_stimulus": design["judgments"],
        "most_per_worker": design["items"],
        "seconds_per_item": max(1, round(plan["assumptions"]["seconds"])),
        "pay_per_worker": f"{design['pay'] / design['workers']:.2f}",
        "allocation": design["allocation"],
    }
    return f"{reverse('campaign_new')}?{urlencode(numbers)}"
