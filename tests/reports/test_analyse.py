import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.presets.registry import PRESETS
from tests.analysis.published import published

ROOT = Path(__file__).resolve().parents[2]
ROWS = "Text\tLabel\tSaliency\tWords\tCorrect\nt\t1\tN/A\tAll\tN/A\nt\t1\tLIME\t5\t1\nt\t1\tRandom\t5\t0\n"


def run_manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    path = tmp_path / "verdicts.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_it_works(verdicts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("analyse", str(verdicts), "--preset", "lu2024", "--out", str(tmp_path / "out"), "--seed", "5")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [row["method"] for row in report["methods"]] == ["lime", "random"]
    assert report["meta"]["seed"] == 5
    assert "begin with report.html" in capsys.readouterr().out


def test_it_reads_the_released_file(tmp_path: Path) -> None:
    path = str(published("lu2024/IMDB.csv"))
    call_command("analyse", path, preset="lu2024", out=tmp_path, replicates=50, verbosity=0)
    assert "81.16 %" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_it_reads_a_folder_of_cues_and_attractors(tmp_path: Path) -> None:
    path = str(published("ding2021"))
    call_command(
        "analyse", path, "--preset=ding2021", "--set=winobias", f"--out={tmp_path}", replicates=20, verbosity=0
    )
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [(row["model"], row["passed"]) for row in report["plausibility"]] == [("distilled", 997), ("sota", 999)]
    assert {path.name for path in (tmp_path / "tables").iterdir()} >= {"pass_rates.csv", "consistency.tex"}


def test_a_set_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.prefx.txt").write_text("x y\n", encoding="utf-8")
    for more, said in (([], "say which: --set a or --set b"), (["--set=c"], "holds no set 'c'; there is a, b")):
        with pytest.raises(CommandError, match=said) as error:
            call_command("analyse", str(tmp_path), "--preset=ding2021", f"--out={tmp_path}", *more)
        assert error.value.returncode == 2


def test_a_broken_folder_fails_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "a.prefx.txt").write_text("x y\n", encoding="utf-8")
    (tmp_path / "a.subjs.txt").write_text("[(0, 0)]\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"a\.subjs\.txt, line 1: expected") as error:
        call_command("analyse", str(tmp_path), "--preset=ding2021", f"--out={tmp_path}")
    assert error.value.returncode == 1


def test_an_option_that_the_preset_does_not_take_is_bad_usage(verdicts: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="The preset lu2024 takes no --set") as error:
        call_command("analyse", str(verdicts), "--preset=lu2024", "--set=a", f"--out={tmp_path}")
    assert error.value.returncode == 2


def test_a_bad_file_fails_with_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as error:
        call_command("analyse", str(tmp_path / "none.csv"), preset="lu2024", out=tmp_path)
    assert str(error.value) == f"{tmp_path / 'none.csv'}: no such file."


def test_a_folder_that_cannot_be_written_fails(verdicts: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot write here"):
        call_command("analyse", str(verdicts), preset="lu2024", out=verdicts, replicates=10)


def test_an_unknown_preset_is_bad_usage_and_names_those_there_are(tmp_path: Path) -> None:
    done = run_manage("analyse", "x.csv", "--preset", "nonsense", "--out", str(tmp_path))
    assert done.returncode == 2
    assert all(name in done.stderr for name in PRESETS)


def test_a_missing_file_ends_with_one(tmp_path: Path) -> None:
    done = run_manage("analyse", "x.csv", "--preset", "lu2024", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.strip() == "CommandError: x.csv: no such file."


@pytest.mark.parametrize("seed", ["-1", "1.5", "luck"])
def test_a_seed_that_cannot_be_drawn_from_is_bad_usage(verdicts: Path, tmp_path: Path, seed: str) -> None:
    with pytest.raises(CommandError, match="is not a whole number from 0 up"):
        call_command("analyse", str(verdicts), "--preset=lu2024", f"--out={tmp_path}", f"--seed={seed}")


@pytest.mark.parametrize("replicates", ["0", "-3", "many"])
def test_a_wrong_number_of_resamples_is_bad_usage(verdicts: Path, tmp_path: Path, replicates: str) -> None:
    with pytest.raises(CommandError, match="is not a whole number above 0"):
        call_command("analyse", str(verdicts), "--preset=lu2024", f"--out={tmp_path}", f"--replicates={replicates}")


LABELS = "question,worker,answer\n" + "".join(f"q{n},w{w},{'yes' if w else 'no'}\n" for n in range(4) for w in range(3))


def test_labels_have_agreement_workers_and_aggregations_and_no_methods(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, encoding="utf-8")
    call_command("analyse", str(path), preset="crowdkit", out=tmp_path / "out", replicates=10, verbosity=0)
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["methods"] == []
    assert {"agreement", "workers"} <= set(report)
    assert report["warnings"][0] == {
        "code": "columns_read", "message": "Read the column question as task, the column answer as label."
    }  # fmt: skip
    with (tmp_path / "out" / "tables" / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["task"], row["majority"]) for row in rows] == [(f"q{n}", "yes") for n in range(4)]
    assert len(rows[0]) > 2
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Labels by people: 12 judgments." in page


def test_a_mapping_file_needs_no_preset(tmp_path: Path) -> None:
    path, mapping = tmp_path / "labels.csv", tmp_path / "mapping.toml"
    path.write_text(LABELS, encoding="utf-8")
    mapping.write_text('[columns]\ntext = "question"\nworker = "worker"\nlabel = "answr"\n', encoding="utf-8")
    with pytest.raises(CommandError, match="has no column 'answr', which .* takes for label") as error:
        call_command("analyse", str(path), mapping=mapping, out=tmp_path / "out")
    assert error.value.returncode == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "Say what kind of file it is: --preset NAME, or --mapping FILE"),
        ({"preset": "mapping"}, "say what its columns are: --mapping FILE"),
        ({"preset": "lu2024", "level": "ordinal"}, "The preset lu2024 takes no --level"),
        ({"preset": "crowdkit", "mapping": Path("m.toml")}, "The preset crowdkit takes no --mapping"),
        ({"preset": "schuff2022", "display": "way"}, "lacks the column"),
    ],
)
def test_what_has_to_be_said_and_what_cannot_be(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS, encoding="utf-8")
    with pytest.raises(CommandError, match=said) as error:
        call_command("analyse", str(path), out=tmp_path / "out", **options)
    assert error.value.returncode == (1 if said.startswith("lacks") else 2)
