from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import pytest

from accounts.models import Team
from tests.webhooks.receiving import Receiver, receive
from webhooks.models import Endpoint


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """On this machine, which only a network of our own may lead into."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receive() as running:
        yield running


@pytest.fixture
def endpoint(team: Team, receiver: Receiver) -> Endpoint:
    return Endpoint.objects.create(team=team, url=receiver.url, events=["campaign.launched", "report.ready"])
