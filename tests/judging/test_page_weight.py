"""What a worker's phone has to load: little, and from nobody else."""

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import Team
from tests.judging.states import Pages, all_states

MOST_BYTES = 60_000


@cache
def packed(path: str) -> int:
    """As WhiteNoise sends it: compressed once, when the files are collected."""
    found = finders.find(path)
    assert isinstance(found, str), path
    return len(gzip.compress(Path(found).read_bytes()))


def loaded(page: str) -> list[str]:
    document = lxml.html.document_fromstring(page)
    return [str(address) for address in document.xpath("//link/@href | //script/@src | //img/@src | //*/@srcset")]


def plain(path: str) -> int:
    found = finders.find(path)
    assert isinstance(found, str), path
    return Path(found).stat().st_size


def weight(page: str, size: Callable[[str], int] = packed) -> int:
    """Pages themselves are sent as they are."""
    files = [address.removeprefix(f"/{settings.STATIC_URL.strip('/')}/") for address in loaded(page)]
    return len(page.encode()) + sum(size(name) for name in files)


@pytest.fixture
def states(team: Team, client: Client) -> Pages:
    return all_states(team, client)


@pytest.mark.django_db
def test_it_works(states: Pages) -> None:
    """Every page of every protocol, with its stylesheet and scripts, even if nothing of them is kept in the browser."""
    assert {name: weight(page) for name, page in states.items() if weight(page) > MOST_BYTES} == {}
    addresses = {address for page in states.values() for address in loaded(page)}
    assert all(not urlsplit(address).netloc and address.startswith("/static/") for address in addresses), addresses


@pytest.mark.django_db
def test_a_server_that_does_not_compress_stays_light_too(states: Pages) -> None:
    """As `demo` and `serve` send them."""
    assert {name: weight(page, plain) for name, page in states.items() if weight(page, plain) > MOST_BYTES} == {}
