"""Judgments from elsewhere in the database: what analyse says of a file, report says of its import."""

import csv
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Team, User
from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.lu2024 import read_lu2024
from analysis.presets.peekaword import read_peekaword
from analysis.presets.registry import PRESETS
from analysis.presets.schuff2022 import read_schuff2022
from analysis.study import Study
from campaigns.models import Campaign, Place
from judging.models import Assignment, Judgment, Participation, Verdict
from materials.models import Dataset
from reports.aggregating import study_of
from reports.reporting import build_report
from reports.sections.scores import explain as explain_scores
from tests.analysis.published import published
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db

LABELS = "task,worker,label,gold\n" + "".join(
    f"t{task},w{worker},{'cat' if (task + worker) % 3 else 'dog'},cat\n" for task in range(4) for worker in range(3)
)
# A worker meets a text under both methods, which campaigns here never let happen.
GUESSES = "task,worker,label,method,k,gold\n" + "".join(
    f"t{task},w{worker},{'pos' if (task + worker + k) % 2 else 'neg'},{method},{k},pos\n"
    for task in range(3)
    for worker in range(3)
    for method in ("lime", "SHAP", "random")
    for k in (5, 10)
)
MAPPING = """
[columns]
text = "task"
worker = "worker"
label = "label"
method = "method"
k = "k"
expected = "gold"
[study]
protocol = "topk_guess"
"""


def write(folder: Path, content: str, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def import_file(path: Path, slug: str = "elsewhere", **options: Any) -> Campaign:
    options = options or {"preset": "crowdkit"}
    call_command("import_judgments", str(path), campaign=slug, verbosity=0, **options)
    return Campaign.objects.get(slug=slug)


# What is not drawn with workers in the order of their names, which differ.
SAME = ("methods", "agreement", "flips", "friedman", "baselines", "warnings")


def told(report: dict[str, Any]) -> dict[str, Any]:
    """Of a report, what a file and its import both know."""
    text = json.dumps({name: report[name] for name in SAME if name in report})
    decoded: dict[str, Any] = json.loads(text, object_hook=_without_intervals)
    return decoded | {"n_workers": len(report["workers"])}


def _without_intervals(section: dict[str, Any]) -> dict[str, Any]:
    resampled = ("ci", "p", "p_adjusted", "rank_ci")
    return {name: value for name, value in section.items() if name not in resampled and not name.endswith("_ci")}


def reports(path: Path, campaign: Campaign, preset: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    read = PRESETS[preset].read(path, **options)
    assert isinstance(read, Study)
    return build_report(study_of(campaign), replicates=20), build_report(read, replicates=20)


def test_it_works(team: Team, tmp_path: Path) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    assert (campaign.state, campaign.protocol, campaign.team) == (Campaign.State.CLOSED, "labels", team)
    assert campaign.imported is not None
    assert [file["judgments"] for file in campaign.imported["files"]] == [12]
    assert campaign.participations.count() == 3
    assert Judgment.objects.filter(place__state=Place.State.FILLED).count() == 12
    assert set(campaign.participations.values_list("state", flat=True)) == {Participation.State.ELSEWHERE}


def test_report_says_what_analyse_says(team: Team, tmp_path: Path) -> None:
    path = write(tmp_path, LABELS)
    here, there = reports(path, import_file(path), "crowdkit")
    assert told(here) == told(there)
    assert here["agreement"][0]["n_raters"] == 3


def test_methods_unknown_here_and_texts_met_twice_are_no_hindrance(team: Team, tmp_path: Path) -> None:
    path, mapping = write(tmp_path, GUESSES), write(tmp_path, MAPPING, "mapping.toml")
    campaign = import_file(path, mapping=mapping)
    here, there = reports(path, campaign, "mapping", mapping=mapping)
    assert told(here) == told(there)
    assert sorted(row["method"] for row in here["methods"]) == ["SHAP", "lime", "random"]


def test_released_ratings_come_with_what_moved_them(team: Team, tmp_path: Path) -> None:
    head = published("schuff2022/responses_en.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:601]
    path = write(tmp_path, "".join(head))
    campaign = import_file(path, preset="schuff2022")
    here, there = reports(path, campaign, "schuff2022")
    assert told(here) == told(there)
    study, read = study_of(campaign), read_schuff2022(path)
    assert "saliency" in study.covariates and study.covariates == read.covariates
    # Without methods there is no card of scores with nothing in it but how intervals are made.
    assert explain_scores(here) == []


VERDICTS = "Text\tLabel\tSaliency\tWords\tCorrect\n" + "".join(
    f"film {n}\t1\tN/A\tAll\tN/A\n"
    + "".join(f"f\t1\t{name}\t{k}\t{(n + k) % 2}\n" for name in ("LIME", "SHAP") for k in (5, 10))
    for n in range(5)
)


def test_published_verdicts_make_the_report_that_analyse_makes(team: Team, tmp_path: Path) -> None:
    path = write(tmp_path, VERDICTS)
    campaign = import_file(path, preset="lu2024")
    here, there = study_of(campaign), read_lu2024(path)
    assert here.data_hash == there.data_hash
    made, read = build_report(here, replicates=20), build_report(there, replicates=20)
    assert made["methods"] == read["methods"]
    assert made["warnings"] == read["warnings"]
    assert (Verdict.objects.count(), campaign.participations.count()) == (20, 0)
    import_file(path, preset="lu2024")
    assert Verdict.objects.count() == 20
    with pytest.raises(CommandError, match="no judgments that could be exported"):
        call_command("export_judgments", campaign.slug, out=tmp_path, verbosity=0)


def test_judgments_do_not_go_to_verdicts(team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_file(write(tmp_path, VERDICTS), preset="lu2024")
    with pytest.raises(SystemExit):
        import_file(write(tmp_path, GUESSES, "guesses.csv"), mapping=write(tmp_path, MAPPING, "mapping.toml"))
    assert "holds verdicts of the protocol topk_guess" in capsys.readouterr().err


def test_its_export_is_read_to_the_same_study(team: Team, tmp_path: Path) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    call_command("export_judgments", campaign.slug, "--format", "csv,crowdkit", "--out", str(tmp_path), verbosity=0)
    path = tmp_path / "elsewhere-judgments.csv"
    assert read_peekaword(path).data_hash == study_of(campaign).data_hash
    with path.open(encoding="utf-8", newline="") as file:
        assert {row["received_at"] for row in csv.DictReader(file)} == {""}  # When it came, nobody knows.
    again = read_crowdkit(tmp_path / "elsewhere-crowdkit.csv").judgments
    assert again is not None and len(again) == 12


def test_an_export_of_ours_is_imported_on_another_server(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    call_command("export_judgments", campaign.slug, "--format", "csv", "--out", str(tmp_path), verbosity=0)
    path = tmp_path / f"{campaign.slug}-judgments.csv"
    here, there = reports(path, import_file(path, preset="peekaword"), "peekaword")
    assert here["methods"][0]["by_k"] == there["methods"][0]["by_k"]
    assert Dataset.objects.get(name="Judged elsewhere: elsewhere").texts.get(key="001").content == "a lovely\nfilm"


def test_the_same_file_again_changes_nothing(team: Team, tmp_path: Path) -> None:
    path = write(tmp_path, LABELS)
    before = study_of(import_file(path)).data_hash
    again = import_file(path)
    assert Judgment.objects.count() == 12
    assert study_of(again).data_hash == before
    assert again.imported is not None
    assert len(again.imported["files"]) == 1


def test_another_file_adds_what_is_new(team: Team, tmp_path: Path) -> None:
    import_file(write(tmp_path, LABELS))
    campaign = import_file(write(tmp_path, LABELS + "t0,w9,dog,cat\nt9,w0,dog,cat\n", "more.csv"))
    assert Judgment.objects.count() == 14
    assert campaign.participations.count() == 4
    assert campaign.imported is not None
    assert [file["judgments"] for file in campaign.imported["files"]] == [12, 2]
    assert campaign.judgments_per_stimulus == 4


def test_batches_know_their_workers_from_each_other(team: Team, tmp_path: Path) -> None:
    """In a report of one file workers are numbered; the first of each file would be taken for one person."""
    head = "HITId,WorkerId,Answer.label\n"
    import_file(write(tmp_path, head + "H1,AONE,x\nH1,ATWO,y\n"), preset="mturk")
    campaign = import_file(write(tmp_path, head + "H1,ATHREE,x\nH2,AONE,y\n", "second.csv"), preset="mturk")
    assert (campaign.participations.count(), Judgment.objects.count()) == (3, 4)
    assert "AONE" not in json.dumps([list(campaign.participations.values()), campaign.imported], default=str)


def test_workers_are_known_by_a_keyed_hash(team: Team, tmp_path: Path) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    stored = json.dumps(list(campaign.participations.values()), default=str)
    assert '"w0"' not in stored and "w0" not in {one.worker_hash for one in campaign.participations.all()}


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("task,worker\nt,w\n", {"preset": "crowdkit"}, "line 1: expected the columns task, worker and label"),
        (LABELS, {"preset": "crowdkit", "level": "ordinal"}, "line 2, column label: expected a number"),
        (LABELS, {}, "Say what kind of file it is"),
    ],
)
def test_a_bad_file_imports_nothing(
    team: Team, tmp_path: Path, content: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("import_judgments", str(write(tmp_path, content)), campaign="elsewhere", verbosity=0, **options)
    assert not Campaign.objects.exists()
    assert not Dataset.objects.exists()


def refused(path: Path, slug: str, capsys: pytest.CaptureFixture[str], preset: str = "crowdkit") -> str:
    with pytest.raises(SystemExit) as left:
        call_command("import_judgments", str(path), campaign=slug, preset=preset, verbosity=0)
    assert left.value.code == 1
    return capsys.readouterr().err


def test_a_campaign_where_workers_judge_takes_none(
    team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = judged_campaign(team, state=Campaign.State.CLOSED)
    said = refused(write(tmp_path, LABELS), campaign.slug, capsys)
    assert "workers judge here" in said and "Nothing was imported." in said


def test_other_judgments_do_not_go_into_the_same_campaign(
    team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_file(write(tmp_path, LABELS))
    ratings = "sentence_id,worker_id,human_importance_rating\ns,w,3\n"
    assert "holds judgments of the protocol labels" in refused(
        write(tmp_path, ratings, "ratings.csv"), "elsewhere", capsys, "schuff2022"
    )
    other = LABELS.replace(",cat\n", ",dog\n").replace("w0", "w7")
    assert "'dog' is expected, and 'cat' was before" in refused(write(tmp_path, other, "o.csv"), "elsewhere", capsys)
    assert Judgment.objects.count() == 12


def test_a_slug_has_to_be_one(team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is no slug" in refused(write(tmp_path, LABELS), "my campaign", capsys)


def test_the_database_keeps_it_closed(team: Team, tmp_path: Path) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    for state in (Campaign.State.READY, Campaign.State.LIVE, Campaign.State.DRAFT):
        with pytest.raises(IntegrityError, match="imported_campaigns_are_closed"), transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(state=state)


def test_a_lease_still_has_to_name_its_text(team: Team) -> None:
    judged_campaign(team)
    with pytest.raises(IntegrityError, match="leases_name_their_text"), transaction.atomic():
        Assignment.objects.update(text=None, deadline=timezone.now() + timedelta(minutes=5))


@pytest.mark.parametrize("kind", ["labels", "guesses", "ratings", "verdicts"])
def test_every_page_of_it_can_be_read(team: Team, alice: User, client: Client, tmp_path: Path, kind: str) -> None:
    if kind == "guesses":
        campaign = import_file(write(tmp_path, GUESSES), mapping=write(tmp_path, MAPPING, "mapping.toml"))
    elif kind == "ratings":
        rows = "sentence_id,worker_id,human_importance_rating\n" + "".join(
            f"s{n},w{n % 3},{n % 7 + 1}\n" for n in range(9)
        )
        campaign = import_file(write(tmp_path, rows), preset="schuff2022")
    elif kind == "verdicts":
        campaign = import_file(write(tmp_path, VERDICTS), preset="lu2024")
    else:
        campaign = import_file(write(tmp_path, LABELS))
    client.force_login(alice)
    numbers = Judgment.objects.values_list("pk", flat=True)[:1]
    replay = [f"judgments/{number}/{page}" for number in numbers for page in ("", "seen/")]
    pages = ("", "live/", "report/", "participants/", "judgments/", *replay)
    for page in (*pages, "report/judgments.csv", "preview/", "recruitment/"):
        assert client.get(f"/campaigns/{campaign.slug}/{page}").status_code == 200, page
    assert client.get(f"/w/{campaign.slug}/").status_code < 500
    assert client.get(f"/campaigns/{campaign.slug}/preregistration/").status_code == 404
    for other in (campaign.dataset.get_absolute_url(), campaign.classifier.get_absolute_url(), "/campaigns/"):
        assert client.get(other).status_code == 200, other


def test_the_pages_say_what_is_not_known(team: Team, alice: User, client: Client, tmp_path: Path) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    client.force_login(alice)
    page = client.get(f"/campaigns/{campaign.slug}/").content.decode()
    assert "Judged elsewhere" in page and "labels.csv" in page
    assert "Copy</button>" not in page
    number = Judgment.objects.values_list("pk", flat=True)[0]
    replay = client.get(f"/campaigns/{campaign.slug}/judgments/{number}/").content.decode()
    assert "What the worker saw is not known" in replay and "<iframe" not in replay


@pytest.mark.parametrize("action", ["launch", "resume", "pause", "close", "draft", "prepare", "copy"])
def test_it_can_be_neither_launched_nor_copied(
    team: Team, alice: User, client: Client, tmp_path: Path, action: str
) -> None:
    campaign = import_file(write(tmp_path, LABELS))
    client.force_login(alice)
    assert client.post(f"/campaigns/{campaign.slug}/{action}/").status_code == 302
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.CLOSED
    assert Campaign.objects.count() == 1
