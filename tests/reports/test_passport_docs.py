from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Team
from reports.passporting import passport_of
from tests.materials.passport.building import SCORED, known_classifier

DOCS = Path(__file__).resolve().parents[2] / "docs" / "passport.md"


def keys(found: Any) -> Iterator[str]:
    """All names of fields; what stands under parameters, settings and families is data."""
    if isinstance(found, list):
        for one in found:
            yield from keys(one)
    elif isinstance(found, dict):
        for name, value in found.items():
            yield name
            if name not in ("params", "settings", "undefined", "figures", "otherwise", "mean_rank_by_family"):
                yield from keys(value)


@pytest.mark.django_db
def test_every_field_of_the_json_is_described(team: Team) -> None:
    found = set(keys(passport_of(*known_classifier(team, texts=2)).passport)) - set(SCORED)
    told = DOCS.read_text(encoding="utf-8").partition("## JSON")[2]
    assert {name for name in found if f"`{name}`" not in told} == set()
