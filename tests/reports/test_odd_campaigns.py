"""Campaigns of which little can be said: the pages and the files say why, and nothing breaks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team, User
from campaigns.models import Campaign
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign, odd_campaign

pytestmark = pytest.mark.django_db
PROTOCOLS = ["topk_guess", "rating"]
ODD: dict[str, dict[str, Any]] = {
    "no judgments": {"votes": 0},
    "no judgments, closed": {"votes": 0, "state": Campaign.State.CLOSED},
    "one judgment": {"methods": ["lime"], "ks": [5], "n_texts": 1, "votes": 1},
    "one judgment of Random": {"methods": ["random"], "ks": [5], "n_texts": 1, "votes": 1},
    "one method": {"methods": ["lime"]},
    "Random alone": {"methods": ["random"]},
    "no Random": {"methods": ["lime", "gradient"]},
    "one k": {"ks": [5]},
    "one text": {"n_texts": 1},
    "one vote each": {"votes": 1},
}


def read_report(campaign: Campaign, folder: Path) -> dict[str, Any]:
    call_command("report", campaign.slug, out=folder, replicates=50, verbosity=0)
    found: dict[str, Any] = json.loads((folder / "report.json").read_text(), parse_constant=pytest.fail)
    return found


def answer_of_all(protocol: str) -> str | int:
    return "cannot_tell" if protocol == "topk_guess" else 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ODD)
def test_it_works(team: Team, alice: User, tmp_path: Path, protocol: str, kind: str) -> None:
    campaign = odd_campaign(team, protocol, **ODD[kind])
    for page in ("live", "report", "report/report.zip", "report/judgments.csv"):
        assert signed_in(alice).get(f"/campaigns/{campaign.slug}/{page}{'' if '.' in page else '/'}").status_code == 200
    report = read_report(campaign, tmp_path)
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/report/").content.decode()
    assert not re.search(r"\b(nan|None(?! of the))\b", page)
    assert bool(report["methods"]) == (ODD[kind].get("votes") != 0)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_one_answer_to_all_leaves_agreement_undefined(team: Team, alice: User, tmp_path: Path, protocol: str) -> None:
    campaign = odd_campaign(team, protocol, answer=answer_of_all(protocol))
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/report/").content.decode()
    assert "Krippendorff&#x27;s alpha is undefined: everybody gave the same answer." in page
    report = read_report(campaign, tmp_path)
    over = {row["over"]: row["status"] for row in report["correlations"] if row["metric"] == "comprehensiveness"}
    inside = "explanations_within_text"
    assert over == {"methods": "too_few", "explanations": "constant_human_score", inside: "too_few"}
    assert report["friedman"]["p"] is None


def test_cannot_tell_is_never_right(team: Team, tmp_path: Path) -> None:
    report = read_report(odd_campaign(team, "topk_guess", answer="cannot_tell"), tmp_path)
    assert [row["mean_accuracy"] for row in report["methods"]] == [0.0, 0.0]
    assert [row["vs_random"]["p"] for row in report["methods"] if "vs_random" in row] == [1.0]


def test_a_campaign_closed_early_says_what_is_missing(team: Team, alice: User) -> None:
    campaign = judged_campaign(team, state=Campaign.State.CLOSED)
    text = campaign.dataset.texts.create(key="late", content="never seen", content_hash="late", label="pos")
    campaign.sample.create(text=text, role="item", position=9, expected="pos")
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/live/").content.decode()
    assert "48 of 60, 80 %" in page and "Closed" in page


def test_nothing_can_come_to_a_closed_campaign_without_judgments(team: Team, alice: User) -> None:
    campaign = odd_campaign(team, "topk_guess", votes=0, state=Campaign.State.CLOSED)
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/report/").content.decode()
    assert "closed before anybody judged" in page and "Launch the campaign" not in page
