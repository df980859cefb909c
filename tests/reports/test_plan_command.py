import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Team
from analysis.planning.assumptions import DEFAULTS
from tests.analysis.published import published
from tests.campaigns.actors import draft
from tests.reports.test_analyse import run_manage

QUICK = "--simulate=100000"


def plan(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("plan", *arguments, QUICK, verbosity=0)
    return capsys.readouterr().out


def plan_json(*arguments: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(plan(*arguments, "--json", capsys=capsys))
    return found


def test_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    said = plan("--protocol=rating", capsys=capsys).splitlines()
    assert "texts, judged 5 times each under each of 2 conditions, by" in said[0]
    assert "find a difference of 0.5 points (4 against 4.5) with a power of" in said[0]
    assert said[0].endswith("USD before fees.") and any("signs of whole texts" in line for line in said)


@pytest.mark.parametrize("protocol", sorted(DEFAULTS))
def test_every_protocol_has_a_plan_or_a_reason(protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = plan_json(f"--protocol={protocol}", "--texts=20", capsys=capsys)
    design = found["design"]
    assert design["texts"] == 20 and design["interval_width"] > 0 and design["workers"] > 0
    assert (design["power"] is None) == (design["status"] in ("methods_not_ranked", "no_methods_compared"))
    assert found["assumptions"]["source"] and found["currency"] == "USD"


def test_the_grid_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    said = plan("--protocol=pairwise", "--grid", "--texts=20,40", "--judgments=1,3", "--load=10,20", capsys=capsys)
    table = [line for line in said.splitlines() if line.startswith((" ", "Texts"))]
    assert len(table) == 1 + 8 + 8 and table[0].split("  ")[0] == "Texts" and "Items a worker" in table[0]


def test_the_same_seed_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (plan("--protocol=rating", "--json", "--seed=3", capsys=capsys) for _ in range(2))
    assert first == second


def test_published_verdicts_are_a_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    path = published("lu2024/IMDB.csv")
    said = plan(f"--pilot={path}", "--preset=lu2024", "--texts=100", capsys=capsys)
    assert "43.4 % against 53.4 %" in said and "Integrated gradients is 0.384 ahead" in said
    assert "does not tell how much workers differ" in said


def test_too_low_a_pay_and_too_many_false_findings_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    said = plan("--protocol=pairwise", "--texts=80", "--pay=3", "--test=sign_flip", capsys=capsys)
    assert "Beware: The test by text takes workers as they are." in said
    assert "Beware: 3 USD an hour is less than the minimum of 8" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--protocol=rating"], "No design of this kind gives an interval 0.001 points wide: even 5,000 texts"),
        (["--protocol=rating", "--texts=20"], "Beware: This design gives no interval 0.001 points wide, as is wanted."),
        (
            ["--protocol=word_importance"],
            "No design of this kind gives an interval 0.001 points wide: even 5,000 texts",
        ),
    ],
)
def test_a_width_that_no_design_has_is_told(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in plan(*arguments, "--width=0.001", capsys=capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say --protocol, or give a --pilot or a --campaign."),
        (["--protocol=rating", "--base=9"], "the base must lie between 1 and 7, and is 9"),
        (["--protocol=rating", "--effect=0"], "the effect is 0"),
        (["--protocol=rationale_marking", "--judgments=1"], "needs two judgments"),
        (["--protocol=rating", "--pilot=x.csv"], "Say what kind of file it is: --preset NAME, or --mapping FILE."),
        (["--pilot=x.csv", "--preset=lu2024", "--campaign=y"], "not both"),
        (["--protocol=rating", "--texts=0"], "no whole numbers from 1 to 5,000"),
        (["--protocol=rating", "--power=1.2"], "not a number above 0 and under 1"),
        (["--protocol=pairwise", "--ties=1"], "'1' is not a number from 0 up and under 1"),
        (["--protocol=pairwise", "--ties=few"], "'few' is not a number from 0 up and under 1"),
        (["--protocol=rating", "--simulate=0"], "'0' is not a whole number above 0"),
    ],
)
def test_what_cannot_be_planned_is_bad_usage(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said.replace("(", r"\(")) as error:
        call_command("plan", *arguments, verbosity=0)
    assert error.value.returncode in (1, 2)


def test_a_pilot_of_another_protocol_or_without_answers_is_refused(tmp_path: Path) -> None:
    path = published("lu2024/IMDB.csv")
    with pytest.raises(CommandError, match="The pilot is of topk_guess"):
        call_command("plan", "--protocol=rating", f"--pilot={path}", "--preset=lu2024", verbosity=0)
    with pytest.raises(CommandError, match="no such file") as error:
        call_command("plan", f"--pilot={tmp_path / 'none.csv'}", "--preset=lu2024", verbosity=0)
    assert error.value.returncode == 1


def test_an_unknown_protocol_is_bad_usage_in_one_line() -> None:
    wrong = run_manage("plan", "--protocol=nothing")
    assert wrong.returncode == 2 and "invalid choice: 'nothing'" in wrong.stderr and "Traceback" not in wrong.stderr


@pytest.mark.django_db
def test_a_campaign_without_judgments_is_no_pilot_yet(team: Team) -> None:
    campaign = draft(team)
    with pytest.raises(CommandError, match="fewer than two texts"):
        call_command("plan", f"--campaign={campaign.slug}", verbosity=0)
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        call_command("plan", "--campaign=nowhere", verbosity=0)
