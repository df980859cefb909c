import random
from typing import Any

import httpx
import pytest
from django.test import Client

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from judging.filling import facts_of
from judging.models import CheckAnswer, Participation
from judging.simulating import Kind, Lexicon, Mind
from judging.walking import walk
from tests.judging.building import live_campaign
from tests.judging.test_warning_page import warned_campaign

pytestmark = pytest.mark.django_db(transaction=True)
TESTS = read_tests("Is it clear?\n- No\n- Not at all\n+ Yes")
CHECKS = read_tests("Choose b.\n- a\n+ b")
QUESTIONS = read_questions("Age? [number]\nTown? [text]\nWell?\n- Yes\n- No")


def walked(server: Any, slug: str, facts: dict[str, str], kind: Kind = "honest") -> bool:
    lexicon = Lexicon().learn([("great film", "positive"), ("dull film", "negative")])
    with httpx.Client(follow_redirects=True) as client:
        mind = Mind(kind, lexicon, random.Random(3))
        return walk(client, f"{server.url}/w/{slug}/", "topk_guess", mind, facts).finished


def test_it_works(live_server: Any, team: Team, client: Client) -> None:
    campaign = live_campaign(
        team, comprehension=TESTS, checks=CHECKS, demographics=QUESTIONS, survey=QUESTIONS, debrief="Thanks."
    )
    assert walked(live_server, campaign.slug, facts_of(campaign))
    worker = Participation.objects.get()
    assert worker.state == "completed" and worker.answers["before"] == worker.answers["after"][:2] + [
        worker.answers["before"][2]
    ]
    assert CheckAnswer.objects.get().right


def test_who_knows_nothing_may_be_screened_out(live_server: Any, team: Team) -> None:
    impossible = live_campaign(
        team, comprehension=read_tests("Is it?\n" + "\n".join(f"- {n}" for n in range(19)) + "\n+ x")
    )
    assert not walked(live_server, impossible.slug, {}, "careless")
    assert Participation.objects.get().state == "screened_out"


def test_warnings_are_no_obstacle(live_server: Any, team: Team) -> None:
    assert walked(live_server, warned_campaign(team, practice=1).slug, {})
