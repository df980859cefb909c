"""A clock that jumps by an hour, forth or back: nothing is lost, nobody is locked out, and nothing lasts for ever."""

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.api.throttling import WINDOW, count
from accounts.api.tokens import find_token, make_token
from accounts.inviting import find, invite
from accounts.models import Membership, Team, User
from judging.models import Assignment, Judgment
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press, text_of

pytestmark = pytest.mark.django_db
Jump = Callable[[int], None]
BOTH = pytest.mark.parametrize("hours", [1, -1], ids=["forth", "back"])


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """The clock is this many hours off from now on; it goes on from there."""
    now, seconds = timezone.now, time.time

    def set_off(hours: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=hours))
        monkeypatch.setattr(time, "time", lambda: seconds() + 3600 * hours)

    return set_off


@BOTH
def test_an_answer_under_way_is_kept_and_work_goes_on(client: Client, team: Team, jump: Jump, hours: int) -> None:
    wanda = worker(live_campaign(team, texts=3))
    item = client.get(page_of(wanda))
    jump(hours)
    following = press(client, item, answer="positive")
    assert following.status_code == 200 and Judgment.objects.count() == 1
    press(client, following, answer="positive")
    assert Judgment.objects.count() == 2
    deadline = Assignment.objects.latest("pk").deadline
    assert timezone.now() < deadline <= timezone.now() + timedelta(minutes=11), "no lease lasts for an hour more"


def test_what_was_leased_before_a_jump_back_is_free_again_in_time(client: Client, team: Team, jump: Jump) -> None:
    """By its own hour, and no later: the lease ends when the clock is where it was."""
    campaign = live_campaign(team, texts=1, methods=("a",), ks=(1,), judgments=1)
    client.get(page_of(worker(campaign)))
    jump(-1)
    bert = worker(campaign, "bert")
    client.get(page_of(bert))
    jump(1)
    page = press(client, client.get(page_of(bert)), answer="positive")
    assert page.status_code == 200 and Judgment.objects.get().assignment.participation == bert


@BOTH
def test_who_is_signed_in_stays_so(alice: User, jump: Jump, hours: int) -> None:
    client, secret = signed_in(alice), make_token(alice, "notebook")[1]
    jump(hours)
    assert client.get("/campaigns/").status_code == 200 and find_token(secret)


def test_a_jump_ends_nothing_for_good(alice: User, team: Team, jump: Jump) -> None:
    _, token = invite(team, alice, Membership.Role.EDITOR)
    secret = make_token(alice, "notebook", days=1)[1]
    jump(24 * 8)
    assert find(token) is None and find_token(secret) is None
    jump(0)
    assert find(token) and find_token(secret)


@BOTH
def test_nobody_is_kept_out_longer_than_a_minute(settings: LazySettings, jump: Jump, hours: int) -> None:
    cache.clear()
    for _ in range(3):
        standing = count("requests", "token 1", 2)
    assert standing.left < 0
    jump(hours)
    standing = count("requests", "token 1", 2)
    assert 1 <= standing.seconds <= WINDOW


def test_text_is_shown_with_no_time_below_nothing(client: Client, team: Team, jump: Jump) -> None:
    wanda = worker(live_campaign(team, texts=3))
    client.get(page_of(wanda))
    jump(1)
    assert 'data-seconds="-' not in text_of(client.get(page_of(wanda)))
