from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Team
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


def test_it_works(team: Team, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("report", judged_campaign(team).slug, "--out", str(tmp_path), "--replicates", "50")
    assert (tmp_path / "report.html").exists() and (tmp_path / "tables" / "workers.csv").exists()
    assert "begin with report.html" in capsys.readouterr().out


def test_an_unknown_campaign_fails(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no campaign 'nope'. There are no campaigns yet."):
        call_command("report", "nope", out=tmp_path)


def test_a_folder_that_cannot_be_written_fails(team: Team, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot write here"):
        call_command("report", judged_campaign(team).slug, out=tmp_path / "file", replicates=10, verbosity=0)
