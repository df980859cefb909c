import pytest

from accounts.models import Team
from campaigns.models import Campaign
from judging import leasing
from judging.models import Participation
from tests.judging.building import live_campaign, worker


@pytest.fixture(autouse=True)
def leases_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits a second elsewhere, so that not every judgment looks for leases that ran out."""
    monkeypatch.setattr(leasing, "SWEEP_SECONDS", 0.0)


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """Live: 6 texts x 2 methods x 2 ks, 2 judgments each, 2 practice texts."""
    return live_campaign(team)


@pytest.fixture
def wanda(campaign: Campaign) -> Participation:
    """A crowd worker past the practice."""
    return worker(campaign)
