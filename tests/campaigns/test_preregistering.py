import json
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Team, User
from analysis.registering import MAIN_MEASURES, analysis_hash, analysis_plan
from campaigns.launching import launch
from campaigns.models import Campaign, Registration
from campaigns.preregistering import canonical, document_of, draft_document, registered
from protocols import PROTOCOLS
from reports.measures import MEASURES
from tests.campaigns.actors import draft, live, ready
from tests.conftest import signed_in

RULES = {"failed_checks": {"failed": 2}}
CHECKS = [{"question": "Choose negative here.", "kind": "choice", "choices": ["negative", "positive"], "right": 0}]


def test_it_works(team: Team) -> None:
    campaign = live(
        team, hypotheses="Gradients help.", comparisons=[["gradient", "random"]], rules=RULES, checks=CHECKS * 2
    )
    found = registered(campaign)
    assert found and found.registered_at == campaign.launched_at
    assert found.digest == sha256(found.document.encode()).hexdigest()
    told = json.loads(found.document)
    assert told["design_hash"] == campaign.design_hash and told["hypotheses"] == "Gradients help."
    assert told["exclusion_rules"] == {"failed_checks": {"failed": 2.0}}
    plan = told["analysis"]
    assert plan["main_comparisons"] == [["gradient", "random"]] and plan["correction"] == "holm"
    assert (plan["alpha"], plan["seed"], plan["intervals"]["confidence"]) == (0.05, 0, 0.95)
    assert plan["planned_judgments"] == told["size"]["judgments"] == campaign.places.count() == 48
    assert told["code"]["analysis"] == analysis_hash()


def test_the_document_is_one_canonical_json(team: Team) -> None:
    document = document_of(live(team))
    assert canonical(json.loads(document)) == document


def test_codes_and_right_answers_stay_out_of_what_is_published(team: Team) -> None:
    campaign = live(team, completion_code="S3CRET", checks=CHECKS * 2)
    document = document_of(campaign).decode()
    assert "S3CRET" not in document and "Choose negative here." in document
    assert all("right" not in check for check in json.loads(document)["design"]["checks"])
    assert not any(exit_["code"] in document for exit_ in campaign.exits.values() if exit_.get("code"))


def test_the_database_keeps_what_was_registered(team: Team) -> None:
    campaign = live(team)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        Registration.objects.filter(campaign=campaign).update(registered_at=timezone.now() - timedelta(days=9))
    with pytest.raises(IntegrityError, match="copy the campaign"), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(hypotheses="I knew it.")


def test_a_draft_says_what_would_be_registered(team: Team) -> None:
    campaign = ready(team)
    before = draft_document(campaign)
    assert registered(campaign) is None and before["design_hash"] is None
    assert json.loads(document_of(campaign)) == json.loads(canonical(before))
    assert before["analysis"]["planned_judgments"] == 48


def test_equal_designs_have_equal_documents_but_for_their_names(team: Team) -> None:
    campaign = draft(team)
    first = draft_document(campaign)
    campaign.question = "Another question?"
    assert draft_document(campaign) != first
    campaign.refresh_from_db()
    assert draft_document(campaign) == first


def test_without_random_the_arm_without_explanation_is_the_reference() -> None:
    plan = analysis_plan("rating", ["no_explanation", "lime", "gradient"])
    assert plan["main_comparisons"] == [["gradient", "no_explanation"], ["lime", "no_explanation"]]
    assert analysis_plan("rationale_marking", ["full_text"])["test"] is None


def test_the_measures_registered_are_those_of_the_report() -> None:
    assert {name: measure.partition(".")[0] for name, measure in MAIN_MEASURES.items()} == {
        name: MEASURES[name].name for name in PROTOCOLS
    }


def test_the_page_reads_it_out(team: Team, alice: User) -> None:
    campaign = live(team, hypotheses="Gradients help.", rules=RULES, checks=CHECKS * 2)
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/preregistration/")
    content = page.content.decode()
    found = registered(campaign)
    assert found and found.digest in content
    for said in ("Gradients help.", "Gradient against Random", "workers who failed", "48", "Every worker meets all"):
        assert said in content, said


def test_the_json_file_has_the_digest_it_says(team: Team, alice: User) -> None:
    campaign = live(team)
    response = signed_in(alice).get(f"/campaigns/{campaign.slug}/preregistration.json")
    found = registered(campaign)
    assert found and sha256(response.content).hexdigest() == found.digest
    assert response["Content-Disposition"].endswith(f'"{campaign.slug}-preregistration.json"')


def test_the_markdown_says_whether_it_is_registered(team: Team, alice: User) -> None:
    campaign = ready(team)
    response = signed_in(alice).get(f"/campaigns/{campaign.slug}/preregistration.md")
    assert "nothing is registered before" in response.content.decode()
    assert "preregistration-draft.md" in response["Content-Disposition"]
    launch(campaign)
    assert "SHA-256" in signed_in(alice).get(f"/campaigns/{campaign.slug}/preregistration.md").content.decode()


@pytest.mark.parametrize("part", ["/", ".json", ".md"])
def test_only_the_team_reads_it(team: Team, bob: User, charlie: User, part: str) -> None:
    url = f"/campaigns/{draft(team).slug}/preregistration{part}"
    assert signed_in(bob).get(url).status_code == 200
    assert signed_in(charlie).get(url).status_code == 404
    assert signed_in(bob).post(url).status_code == 405
    assert signed_in(bob).get(url.replace(".md", ".doc")).status_code == (404 if part == ".md" else 200)


def test_of_judgments_from_elsewhere_nothing_was_registered(team: Team, alice: User) -> None:
    campaign = draft(team)
    Campaign.objects.filter(pk=campaign.pk).update(imported={"preset": "crowdkit"}, state="closed")
    assert signed_in(alice).get(f"/campaigns/{campaign.slug}/preregistration/").status_code == 404
