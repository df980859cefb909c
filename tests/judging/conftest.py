import pytest

from accounts.models import Team
from campaigns.models import Campaign
from judging.models import Participation
from tests.judging.building import live_campaign, worker


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """Live: 6 texts x 2 methods x 2 ks, 2 judgments each, 2 practice texts."""
    return live_campaign(team)


@pytest.fixture
def wanda(campaign: Campaign) -> Participation:
    """A crowd worker past the practice."""
    return worker(campaign)
