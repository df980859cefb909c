from typing import Any

import pytest
from django.test import Client

from accounts.models import Team
from judging.models import Assignment, Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press, text_of

BREAK = "Time for a break"


def blocks(team: Team, size: int = 2, **fields: object) -> Participation:
    return worker(live_campaign(team, block_size=size, **fields), quota=6)  # type: ignore[arg-type]


def answer(client: Client, page: Any) -> Any:
    return press(client, page, answer="positive")


@pytest.mark.django_db
def test_it_works(client: Client, team: Team) -> None:
    wanda = blocks(team)
    page: Any = client.get(page_of(wanda))
    page = answer(client, page)
    assert "2 of 6" in text_of(page) and BREAK not in text_of(page)
    page = answer(client, page)
    assert BREAK in text_of(page) and "2 of 6" in text_of(page)
    assert Assignment.objects.filter(place__state="leased").count() == 0
    page = press(client, page)
    assert "3 of 6" in text_of(page) and BREAK not in text_of(page)


@pytest.mark.django_db
def test_there_is_none_after_the_last_item(client: Client, team: Team) -> None:
    page: Any = client.get(page_of(blocks(team)))
    breaks = 0
    for _ in range(6):
        page = answer(client, page)
        if BREAK in text_of(page):
            breaks += 1
            page = press(client, page)
    assert breaks == 2 and "Thank you, you are done" in text_of(page)


@pytest.mark.django_db
def test_whoever_comes_back_from_a_break_by_the_link_goes_on(client: Client, team: Team) -> None:
    wanda = blocks(team, size=1)
    assert BREAK in text_of(answer(client, client.get(page_of(wanda))))
    assert "2 of 6" in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_an_item_with_a_known_answer_is_in_no_block(client: Client, team: Team) -> None:
    page: Any = client.get(page_of(blocks(team, size=1, gold=1, gold_items=1)))
    breaks = []
    for _ in range(7):
        page = answer(client, page)
        breaks.append(BREAK in text_of(page))
        page = press(client, page) if breaks[-1] else page
    assert breaks.count(True) == 5 and "Thank you" in text_of(page)


@pytest.mark.django_db
def test_without_blocks_there_is_no_break(client: Client, team: Team) -> None:
    page: Any = client.get(page_of(blocks(team, size=0)))
    for _ in range(6):
        page = answer(client, page)
        assert BREAK not in text_of(page)
