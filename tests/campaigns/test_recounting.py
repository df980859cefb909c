import pytest

from accounts.models import Team, User
from campaigns.recounting import of_the_task, of_the_workers
from protocols import PROTOCOLS
from tests.campaigns.actors import draft
from tests.conftest import signed_in


def test_it_works(team: Team) -> None:
    campaign = draft(team, protocol="rating", displays=["colour", "bars"], baselines=["no_explanation"])
    lines = dict(of_the_task(campaign))
    assert lines["Arms without a map"] == "No explanation"
    assert lines["Scores shown as"] == "Colour, Bars under words"
    assert lines["Workers answer on"] == "5 points"


def test_what_protects_workers_is_told_where_it_is_set(team: Team) -> None:
    bare = draft(team)
    assert (
        "Content warning" not in dict(of_the_workers(bare)) and dict(of_the_workers(bare))["Exclusion rules"] == "none"
    )
    bare.content_warning, bare.rules, bare.retention_months = "Violence.", {"away": {"share": 0.5}}, 1
    bare.translations = {"de": {}}
    lines = dict(of_the_workers(bare))
    assert lines["Content warning"] == "Violence." and lines["Exclusion rules"] == "Away from the page"
    assert lines["What could lead to workers"] == "removed 1 month after closing"
    assert lines["Languages"] == "English, German" and lines["Workers come from"] == "A link"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_page_names_what_the_protocol_has(team: Team, alice: User, protocol: str) -> None:
    campaign = draft(team, protocol=protocol)
    page = signed_in(alice).get(campaign.get_absolute_url()).content.decode()
    assert ("<dt>A right guess names</dt>" in page) == (protocol in ("topk_guess", "reveal"))
    assert all(f"<dt>{name}</dt>" in page for name, _ in of_the_workers(campaign))
