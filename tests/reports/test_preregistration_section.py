"""The report tells every deviation from what was registered that can be seen."""

from copy import deepcopy
from dataclasses import replace

import pytest

from accounts.models import Team
from analysis.registering import analysis_plan, code_versions
from analysis.study import Study
from campaigns.models import Campaign
from campaigns.preregistering import registered
from judging.excluding import exclude
from reports.aggregating import study_of
from reports.presenting import explain_methods, make_tables
from reports.reporting import build_report
from reports.sections.section import Report
from tests.reports.campaigns import judged_campaign
from tests.reports.rehearsed import launched, rehearse
from tests.reports.studies import METHODS, guessing_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    campaign = launched(team, "topk_guess", seconds_per_item=20, hypotheses="Gradients help.")
    rehearse(campaign, workers=6)
    return campaign


def report_of(campaign: Campaign) -> Report:
    return build_report(study_of(campaign), replicates=20)


def registered_study() -> Study:
    """All as it was registered: 12 texts x 4 methods x 3 ks x 3 judgments, at four seconds an item."""
    plan = analysis_plan("topk_guess", METHODS, judgments=12 * 4 * 3 * 3)
    plan["intervals"]["replicates"] = 20
    document = {
        "hypotheses": "", "analysis": plan, "exclusion_rules": {}, "code": code_versions(),
        "design": {"arms": METHODS, "seconds_per_item": 4},
    }  # fmt: skip
    registration = {
        "hash": "ab" * 32, "registered_at": "2026-01-02T03:04:05+00:00", "document": document, "state": "closed",
        "rules": {},
    }  # fmt: skip
    return replace(guessing_study(n_texts=12), registration=registration)


def found(study: Study, seed: int = 0, replicates: int = 20) -> dict[str, str]:
    report = build_report(study, seed, replicates)
    return {one["code"]: one["message"] for one in report["preregistration"]["deviations"]}


def changed(study: Study, *place: str, to: object) -> Study:
    """The study of another registration."""
    registration = deepcopy(study.registration)
    assert registration
    part = registration
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = to
    return replace(study, registration=registration)


def test_it_works(campaign: Campaign) -> None:
    told = report_of(campaign)["preregistration"]
    registration = registered(campaign)
    assert registration and told["hash"] == registration.digest
    assert told["registered_at"] == registration.registered_at.isoformat(timespec="seconds")
    assert told["hypotheses"] == "Gradients help."
    assert told["analysis"]["planned_judgments"] == campaign.places.count()
    codes = {one["code"] for one in told["deviations"]}
    # Simulated workers answer as fast as they can.
    assert codes == {"interim_look", "replicates_differ", "simulated_workers", "items_took_otherwise"}


def test_an_exclusion_by_hand_is_told(campaign: Campaign) -> None:
    worker = campaign.participations.filter(state="completed").first()
    assert worker
    exclude(worker, "I did not like the answers.")
    assert found(study_of(campaign))["excluded_by_hand"] == "Excluded by hand, beyond the registered rules: 1 worker."


def test_where_all_is_as_registered_nothing_is_told() -> None:
    study = registered_study()
    assert found(study) == {}
    assert "Nothing deviates from it." in " ".join(explain_methods(build_report(study, replicates=20)))


def test_too_few_judgments_are_an_interim_look_or_an_early_end() -> None:
    study = changed(registered_study(), "document", "analysis", "planned_judgments", to=1000)
    ended = "Judging ended with 432 of the 1,000 planned judgments."
    assert found(study) == {"planned_judgments_not_reached": ended}
    under_way = changed(study, "state", to="live")
    assert found(under_way) == {"interim_look": "An interim look: 432 of 1,000 planned judgments are in."}


def test_other_settings_are_told() -> None:
    assert found(registered_study(), seed=3, replicates=50) == {
        "seed_differs": "The seed is 3; 0 was registered.",
        "replicates_differ": "Intervals have 50 resamples; 20 were registered.",
    }


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        ("document code analysis", "0" * 64, "analysis_code_differs"),
        ("document code numpy", "1.0", "versions_differ"),
        ("document design arms", [*METHODS, "deeplift"], "arms_not_judged"),
        ("document design arms", METHODS[:-1], "arms_not_registered"),
        ("document design seconds_per_item", 9, "items_took_otherwise"),
        ("document analysis main_measure", "win_rate", "main_measure_differs"),
        ("rules", {"failed_checks": {"failed": 2.0}}, "exclusion_rules_differ"),
    ],
)
def test_whatever_differs_from_the_document_is_told(place: str, value: object, code: str) -> None:
    assert found(changed(registered_study(), *place.split(), to=value)).keys() == {code}


def test_deviations_are_a_table_and_a_note() -> None:
    report = build_report(changed(registered_study(), "rules", to={"too_fast": {}}), 3, 20)
    table = next(table for table in make_tables(report) if table.name == "deviations")
    assert len(table.rows) == len(report["preregistration"]["deviations"])
    assert any(report["preregistration"]["hash"] in note for note in explain_methods(report))


def test_without_a_registration_there_is_no_section(team: Team) -> None:
    report = report_of(judged_campaign(team))
    assert "preregistration" not in report and report["design"]["question"] == "What is it?"


def test_secrets_of_the_design_stay_out_of_the_report(campaign: Campaign) -> None:
    assert campaign.completion_code and campaign.completion_code not in str(report_of(campaign))


def test_a_study_from_a_file_has_neither() -> None:
    report = build_report(guessing_study(n_texts=5), replicates=20)
    assert "preregistration" not in report and "design" not in report
