"""Planning by the API: the page's figures, and the command's."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team, User
from protocols import PROTOCOLS
from reports import planning_forms
from tests.api.reaching import Speaker, conforms
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
AT = "/api/v1/plan/"
BUDGET = 50_000


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_forms, "BUDGET", BUDGET)


def _planned(user: User, asked: str) -> Any:
    answer = Speaker(user).get(f"{AT}?{asked}")
    assert answer.status_code == 200, answer.content
    conforms(f"GET {AT}", answer)
    return answer.json()


def test_it_works(bob: User) -> None:
    """As the command says with as many simulated studies, and as the page does."""
    told, out = _planned(bob, "protocol=rating&effect=0.8&judgments=3"), io.StringIO()
    call_command("plan", "--protocol", "rating", "--effect", "0.8", "--judgments", "3", "--grid", "--json",
                 "--simulate", str(BUDGET), stdout=out)  # fmt: skip
    command = json.loads(out.getvalue())
    assert {name: told[name] for name in command if name in told and name != "grid"} == {
        name: value for name, value in command.items() if name in told and name != "grid"
    }
    page = signed_in(bob).get("/campaigns/plan/", {"protocol": "rating", "effect": "0.8", "judgments": "3"})
    assert told["answer"].replace(" %", "\N{NO-BREAK SPACE}%") in page.content.decode()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_is_planned_as_the_schema_says(bob: User, protocol: str) -> None:
    told = _planned(bob, f"protocol={protocol}")
    assert told["protocol"] == protocol and told["design"]["workers"] >= 1 and told["notes"]


def test_a_pilot_says_what_is_known(team: Team, bob: User, charlie: User) -> None:
    pilot = judged_campaign(team, protocol="rating")
    told = _planned(bob, f"protocol=rating&effect=1&pilot={pilot.slug}")
    assert any(note.startswith("From the pilot") for note in told["notes"])
    assert Speaker(charlie).get(f"{AT}?protocol=rating&pilot={pilot.slug}").status_code == 422


@pytest.mark.parametrize(
    ("asked", "status", "pointer"),
    [("", 400, "/protocol"), ("protocol=none", 400, "/protocol"), ("protocol=rating&effect=much", 400, "/effect"),
     ("protocol=rating&judgments=0", 400, "/judgments"), ("protocol=rating&base=", 400, "/base"),
     ("protocol=rating&base=9", 422, ""), ("protocol=pairwise&base=1", 422, "/base"),
     ("protocol=rating&pilot=nowhere", 422, "/pilot")],
)  # fmt: skip
def test_what_cannot_be_planned_is_told(bob: User, asked: str, status: int, pointer: str) -> None:
    answer = Speaker(bob).get(f"{AT}?{asked}")
    assert answer.status_code == status, answer.content
    assert answer.json()["errors"][0]["pointer"].startswith(pointer)
