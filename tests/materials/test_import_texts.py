import csv
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Team, User
from materials.models import Dataset, Text

GOOD = "text,label\nfine,pos\ndull,neg\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "films.csv"
    path.write_text(GOOD)
    return path


def failure(*args: object) -> int | str | None:
    with pytest.raises(SystemExit) as caught:
        call_command("import_texts", *map(str, args))
    return caught.value.code


def test_it_works(team: Team, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_texts", str(file), "--dataset", "Films", "--language", "en")
    dataset = Dataset.objects.get()
    assert (dataset.name, dataset.team, dataset.language, dataset.texts.count()) == ("Films", team, "en", 2)
    assert "2 rows taken, 0 rejected." in capsys.readouterr().out


def test_it_maps_columns(team: Team, file: Path) -> None:
    file.write_text("review,stars\nfine,5\n")
    call_command("import_texts", str(file), "--dataset=F", "--text-column=review", "--label-column=stars")
    assert Text.objects.get().label == "5"


def test_a_missing_column_is_one_line(team: Team, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("review,stars\nfine,5\n")
    assert failure(file, "--dataset=F") == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "'review', 'stars'" in said[0] and "--text-column 'review', perhaps." in said[0]


def test_rejected_rows_stop_the_import_and_leave_no_dataset(
    team: Team, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(GOOD + "=1+1,\n,pos\nfine,pos\n")
    assert failure(file, "--dataset=F", "--labels=pos,neg", "--rejected", tmp_path / "out.csv") == 1
    assert not Dataset.objects.exists()
    assert "films.csv, line 5, text: is empty" in capsys.readouterr().err
    with (tmp_path / "out.csv").open(newline="") as out:
        assert list(csv.reader(out)) == [
            ["line", "column", "reason", "text"],
            ["4", "label", "is the unknown label ''; the labels are neg, pos", "'=1+1"],
            ["5", "text", "is empty", ""],
            ["6", "text", "is the same as in line 2", "fine"],
        ]


def test_the_rest_can_be_accepted(team: Team, file: Path) -> None:
    file.write_text(GOOD + ",pos\n")
    call_command("import_texts", str(file), "--dataset=F", "--accept-rest")
    assert Text.objects.count() == 2


def test_a_file_of_bad_rows_alone_makes_no_dataset(team: Team, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("text,label\n ,pos\n")
    assert failure(file, "--dataset=F", "--accept-rest") == 1
    assert "Nothing was imported: mend the rows." in capsys.readouterr().err and not Dataset.objects.exists()


def test_the_same_file_again_changes_nothing_and_is_no_failure(team: Team, file: Path) -> None:
    file.write_text("text,label\nfine,pos\n")
    for _ in range(2):
        call_command("import_texts", str(file), "--dataset=F", "--accept-rest")
    assert Dataset.objects.get().texts.count() == 1


def test_a_list_of_rejected_rows_that_cannot_be_written_is_told(
    team: Team, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failure(file, "--dataset=F", "--rejected", tmp_path / "none" / "out.csv") == 1
    assert "out.csv cannot be written (No such file or directory)" in capsys.readouterr().err
    assert not Dataset.objects.exists()


def test_bad_usage_is_told_apart(team: Team, file: Path) -> None:
    with pytest.raises(CommandError):
        call_command("import_texts", str(file))


@pytest.mark.parametrize("bad", ["--dataset= ", "--dataset=" + "x" * 121, "--dataset=a\0", "--language=!!"])
def test_names_and_languages_that_cannot_be_are_bad_usage(team: Team, file: Path, bad: str) -> None:
    with pytest.raises(CommandError, match="expected a name of 1 to 120|is no language tag"):
        call_command("import_texts", str(file), "--dataset=F", bad)


def test_a_codec_that_is_no_encoding_is_told(team: Team, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(file, "--dataset=F", "--encoding=base64") == 1
    assert "cannot be read as 'base64': name an encoding such as utf-8" in capsys.readouterr().err


def test_the_team_must_be_clear(team: Team, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Team.objects.create(name="Another lab")
    assert failure(file, "--dataset=F") == 1
    assert "--team NAME: the teams are Another lab, Saliency lab" in capsys.readouterr().err
    call_command("import_texts", str(file), "--dataset=F", "--team=Another lab")
    assert Dataset.objects.get().team.name == "Another lab"


@pytest.mark.django_db
def test_the_only_user_gets_a_team(file: Path) -> None:
    User.objects.create_user("root")
    call_command("import_texts", str(file), "--dataset=F")
    assert Dataset.objects.get().team.name == "root's team"


@pytest.mark.django_db
def test_without_a_user_it_says_what_to_do(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(file, "--dataset=F") == 1
    assert "createsuperuser" in capsys.readouterr().err
