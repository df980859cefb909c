"""Plans as pages show them: computed once, and handed on to the wizard."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.urls import reverse
from django.utils.http import urlencode

from analysis.planning.composing import Asked, Plan, make_plan
from analysis.planning.piloting import Pilot
from reports.planning import Money, answer, notes, pilot_notes, warnings
from reports.planning_charts import draw_plan

CACHED_SECONDS = 24 * 3600
# Raised when a plan's shape or what is simulated changes.
SHAPE = 2


MONEY = Money(settings.PAY_CURRENCY, settings.MINIMUM_HOURLY_PAY)


def plan_of(asked: Asked) -> Plan:
    """The same question has the same answer, as the seed is the same: it is simulated once a day."""
    return _kept(_key(asked), lambda: make_plan(asked))


def figures_of(asked: Asked, plan: Plan) -> dict[str, str]:
    """SVG by figure name."""
    return _kept(f"{_key(asked)}:figures", lambda: draw_plan(plan))


def in_words(plan: Plan, pilot: Pilot | None) -> dict[str, Any]:
    said = notes(plan, MONEY) + (pilot_notes(pilot) if pilot else [])
    return {"answer": answer(plan, MONEY), "warnings": warnings(plan, MONEY), "notes": said}


def _key(asked: Asked) -> str:
    return f"plan:{SHAPE}:{sha256(repr(asked).encode()).hexdigest()}"


def _kept(key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] | None = cache.get(key)
    if made is None:
        made = make()
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
