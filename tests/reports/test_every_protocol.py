"""From a draft to the same report by both ways, for every protocol there is."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from campaigns.models import Place
from judging.models import CheckAnswer, Judgment
from protocols import PROTOCOLS
from tests.reports.rehearsed import DESIGN, launched, rehearse

pytestmark = pytest.mark.django_db
# Sections that the reports of some protocols have beside those of all.
OF_THEIR_OWN = {"pairwise": ("pairs", "sides"), "rating": ("by_display",), "rationale_marking": ("marking",)}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.long
def test_it_works(team: Team, tmp_path: Path, protocol: str) -> None:
    campaign = launched(team, protocol)
    walks = rehearse(campaign)
    assert all(one.finished for one in walks) and {one.kind for one in walks} > {"honest"}
    assert not campaign.places.exclude(state=Place.State.FILLED).exists()
    counted = Judgment.objects.filter(place__isnull=False)
    assert counted.count() == campaign.places.count() > 0
    assert sum(one.judgments for one in walks) == Judgment.objects.count()
    assert not Judgment.objects.filter(active_ms=None).exists()

    same_report(campaign.slug, tmp_path)
    report = json.loads((tmp_path / "here" / "report.json").read_text())
    assert report["meta"]["n_judgments"] == counted.count()
    arms = {row["method"] for row in [*report["methods"], *report.get("baselines", [])]}
    assert arms == {*campaign.methods, *campaign.baselines}
    assert all(name in report for name in OF_THEIR_OWN.get(protocol, ()))
    assert protocol != "reveal" or all(row["words_needed"]["n"] for row in report["methods"])
    assert protocol != "rationale_marking" or report["agreement"][1]["units"] == "words"


def same_report(slug: str, folder: Path) -> None:
    few = {"seed": 2, "replicates": 50, "verbosity": 0}
    call_command("report", slug, out=folder / "here", **few)
    call_command("export_judgments", slug, format=["csv"], out=folder, verbosity=0)
    call_command("analyse", str(folder / f"{slug}-judgments.csv"), preset="peekaword", out=folder / "there", **few)
    here, there = (
        {path.relative_to(folder / name): path.read_bytes() for path in (folder / name).rglob("*") if path.is_file()}
        for name in ("here", "there")
    )
    report = json.loads(here.pop(Path("report.json")))
    # Who came and left without a judgment, what was asked and what was registered is known to the database alone.
    assert report.pop("participants")["completed"] > 0
    assert report.pop("design")["arms"] and report.pop("preregistration")["hash"]
    assert report == json.loads(there.pop(Path("report.json")))
    numbers = [path for path in there if path.parts[0] in ("tables", "figures", "data", "check")]
    assert numbers and [path for path in numbers if here[path] != there[path]] == []


def test_every_protocol_is_rehearsed() -> None:
    assert set(DESIGN) == set(PROTOCOLS)


def test_workers_walk_through_every_stage_that_a_campaign_can_have(team: Team) -> None:
    asked = read_questions("Age? [number]\nWell?\n- Yes\n- No")
    campaign = launched(
        team, "forward_simulation", texts=14, judgments_per_stimulus=1, protocol_settings={"ask_first": True},
        comprehension=read_tests("Is it clear?\n- No\n+ Yes"), checks=read_tests("Choose b.\n- a\n+ b"),
        demographics=asked, survey=asked, debrief="Thanks.", block_size=2, content_warning="War.", gold_items=1,
        practice_items=2, practice_needed=0, recruitment="class_code",
    )  # fmt: skip
    walks = rehearse(campaign)
    honest = [one for one in walks if one.kind == "honest"]
    assert honest and all(one.finished and one.judgments == 5 for one in honest[:1])
    assert CheckAnswer.objects.filter(right=True).exists()
    assert Judgment.objects.filter(assignment__stimulus__role="gold").exists()
    one = campaign.participations.filter(state="completed").latest("pk")
    assert one.answers["before"] and one.answers["after"] and one.screening["debriefed"]
