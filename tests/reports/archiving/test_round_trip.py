from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import AuditEntry, Team, User
from campaigns.launching import launch
from campaigns.models import Campaign, Registration
from judging.models import Judgment
from reports.archiving.loading import import_campaign
from reports.archiving.manifest import ArchiveError
from reports.exporting import columns_of, judgment_rows
from tests.campaigns.actors import draft, preparing, ready
from tests.conftest import signed_in
from tests.reports.archiving.moving import exported, forget_everything, manifest_of, report_of, rows_of
from tests.reports.campaigns import judged_campaign
from tests.reports.rehearsed import launched, rehearse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("protocol", ["topk_guess", "pairwise", "counterfactual_simulation", "rationale_marking"])
def test_it_works(team: Team, tmp_path: Path, protocol: str) -> None:
    """Judged through the real pages, moved to where nothing is, and exported again: every byte the same."""
    campaign = launched(team, protocol)
    rehearse(campaign, workers=6)
    path, report = exported(campaign, tmp_path), report_of(campaign)
    judgments = Judgment.objects.count()
    forget_everything()
    assert not Judgment.objects.exists()
    moved = import_campaign(path, team)
    assert moved.slug == campaign.slug and moved.pk != campaign.pk
    assert Judgment.objects.count() == judgments > 10
    assert report_of(moved) == report
    assert exported(moved, tmp_path, "again.zip").read_bytes() == path.read_bytes()


def test_it_comes_beside_the_one_it_was_made_of(team: Team, tmp_path: Path) -> None:
    """Under names with a number; what was registered stays byte by byte."""
    campaign = launched(team, "topk_guess")
    rehearse(campaign, workers=5)
    copy = import_campaign(exported(campaign, tmp_path), team)
    assert (copy.slug, copy.name) == (f"{campaign.slug}-2", campaign.name)
    assert copy.dataset.name == f"{campaign.dataset.name} (2)" and copy.classifier.slug != campaign.classifier.slug
    assert report_of(copy) == report_of(campaign)
    registered = Registration.objects.get(campaign=copy)
    assert registered.document == Registration.objects.get(campaign=campaign).document
    assert copy.design_hash == campaign.design_hash
    third = import_campaign(exported(copy, tmp_path), team, "third-one")
    assert third.slug == "third-one" and report_of(third) == report_of(campaign)


def test_rows_without_a_registration_and_with_late_judgments_come_too(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team, protocol="rating")
    before = Judgment.objects.order_by("pk").values_list("answer", "late", "response_ms", "received_at", "shown")
    told, path, report = list(before), exported(campaign, tmp_path), report_of(campaign)
    forget_everything()
    moved = import_campaign(path, team)
    assert list(before.all()) == told and sum(row[1] for row in told) == 1
    assert report_of(moved) == report
    assert moved.created_at == campaign.created_at and moved.pay_per_worker == campaign.pay_per_worker


def test_a_draft_comes_as_a_draft(team: Team, tmp_path: Path) -> None:
    moved = import_campaign(exported(draft(team), tmp_path), team)
    assert moved.state == Campaign.State.DRAFT and not moved.stimuli.exists()


def test_a_ready_campaign_is_launched_where_it_came_to(team: Team, tmp_path: Path) -> None:
    path = exported(ready(team), tmp_path)
    forget_everything()
    moved = import_campaign(path, team)
    launch(moved)
    assert moved.state == Campaign.State.LIVE and Registration.objects.get(campaign=moved)


def test_a_live_campaign_is_judged_on_where_it_came_to(team: Team, tmp_path: Path) -> None:
    campaign = launched(team, "topk_guess")
    rehearse(campaign, workers=3)
    path, places = exported(campaign, tmp_path), campaign.places.count()
    forget_everything()
    moved = import_campaign(path, team)
    before = Judgment.objects.count()
    rehearse(moved, workers=40, seed=1)
    assert Judgment.objects.count() > before
    assert moved.places.count() == places and not moved.places.filter(state="open").exists()


def test_a_campaign_that_is_being_prepared_is_not_exported(team: Team, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="is being prepared: export it once that is done"):
        exported(preparing(team), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_workers_keep_their_hashes_and_what_reports_call_them(team: Team, alice: User, tmp_path: Path) -> None:
    """On the pages too, where a judgment list is asked for by such a name."""
    campaign = judged_campaign(team)
    worker = Judgment.objects.order_by("pk").first().assignment.participation  # type: ignore[union-attr]
    moved = import_campaign(exported(campaign, tmp_path), team)
    own = moved.participations.get(worker_hash=worker.worker_hash)
    assert own.known_as == own.number == worker.pk != own.pk
    row = next(iter(judgment_rows(moved, columns_of(moved))))
    assert row["worker"] == f"w{worker.pk}"
    page = signed_in(alice).get(f"/campaigns/{moved.slug}/judgments/?worker=w{worker.pk}")
    assert page.context["page"].paginator.count == own.assignments.count() > 0


def test_rows_name_each_other_by_their_numbers(team: Team, tmp_path: Path) -> None:
    """No id of the database, and nobody of the team, stands in an archive."""
    path = exported(judged_campaign(team), tmp_path)
    stimuli, judgments = rows_of(path, "stimuli"), rows_of(path, "judgments")
    assert [row["text"] for row in stimuli] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]
    assert [row["assignment"] for row in judgments] == list(range(1, 50))
    assert not {"id", "team", "team_id"} & set(rows_of(path, "campaign")[0])
    facts = manifest_of(path)["files"]
    assert facts["judgments.jsonl"]["rows"] == 49 and facts["texts.jsonl"]["rows"] == 4


def test_the_commands_say_what_they_did(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team, state=Campaign.State.CLOSED)
    out = StringIO()
    call_command("export_campaign", campaign.slug, out=tmp_path / "c.zip", stdout=out, verbosity=0)
    assert "c.zip: " in out.getvalue()
    forget_everything()
    out = StringIO()
    call_command("import_campaign", tmp_path / "c.zip", stdout=out, verbosity=0)
    assert out.getvalue() == f"The campaign {campaign.slug} has 16 workers and 49 judgments; it is closed.\n"
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["archived", "imported"]
