import csv
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team
from analysis.presets.peekaword import CODEBOOK
from reports.aggregating import study_of
from reports.exporting import columns_of, judgment_rows
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


def exported(folder: Path, slug: str, kind: str) -> Path:
    call_command("export_judgments", slug, "--format", kind, "--out", str(folder), verbosity=0)
    return folder / f"{slug}-judgments.{kind}"


def test_it_works(team: Team, tmp_path: Path) -> None:
    path = exported(tmp_path, judged_campaign(team).slug, "csv")
    rows = list(csv.DictReader(path.open(encoding="utf-8", newline="")))
    assert len(rows) == 4 * 4 * 3 + 1
    first = rows[0]
    assert (first["text_id"], first["method"], first["k"], first["answer"]) == (
        "000",
        "integrated_gradients",
        "5",
        "neg",
    )
    assert (first["score"], first["counted"], first["late"], first["response_ms"]) == ("1.0", "1", "1", "3000")
    assert first["metric_comprehensiveness"] == "0.3" and first["metric_sufficiency"] == ""
    assert first["leased_at"].endswith("+00:00")
    assert [row["counted"] for row in rows].count("0") == 1


def test_formulas_are_disarmed_and_other_text_is_kept(team: Team, tmp_path: Path) -> None:
    path = exported(tmp_path, judged_campaign(team).slug, "csv")
    texts = {row["text_id"]: row["text"] for row in csv.DictReader(path.open(encoding="utf-8", newline=""))}
    assert texts == {
        "000": '\'=SUM(A1) is "bad", they said',
        "001": "a lovely\nfilm",
        "002": "dull \U0001f634 and long",
        "003": "'tis fine",
    }


def test_json_lines_keep_types(team: Team, tmp_path: Path) -> None:
    path = exported(tmp_path, judged_campaign(team).slug, "jsonl")
    rows: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["text"].startswith("=SUM")
    assert (rows[0]["k"], rows[0]["score"], rows[0]["metric_sufficiency"]) == (5, 1.0, None)


def test_parquet_has_a_type_a_column(team: Team, tmp_path: Path) -> None:
    table = pq.read_table(exported(tmp_path, judged_campaign(team, protocol="rating").slug, "parquet"))
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["k"], types["score"], types["answer"], types["metric_sufficiency"]) == (
        "int64", "double", "string", "double",
    )  # fmt: skip
    assert table.column("k").null_count == table.num_rows


def test_several_formats_at_once(team: Team, tmp_path: Path) -> None:
    slug = judged_campaign(team).slug
    call_command("export_judgments", slug, "--format", "csv,jsonl,parquet", "--out", str(tmp_path), verbosity=0)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".jsonl", ".parquet"]


def test_a_file_may_be_named(team: Team, tmp_path: Path) -> None:
    path = tmp_path / "judgments.parquet"
    call_command("export_judgments", judged_campaign(team).slug, format=["parquet"], out=path, verbosity=0)
    assert pq.read_table(path).num_rows == 49


def test_workers_are_pseudonyms(team: Team) -> None:
    campaign = judged_campaign(team)
    rows = list(judgment_rows(campaign, columns_of(campaign)))
    hashes = set(campaign.participations.values_list("worker_hash", flat=True))
    assert hashes.isdisjoint(str(value) for row in rows for value in row.values())


def test_columns_are_those_of_the_codebook(team: Team) -> None:
    campaign = judged_campaign(team)
    assert columns_of(campaign) == [*CODEBOOK, "metric_comprehensiveness", "metric_sufficiency"]


def test_a_device_is_not_replaced_by_a_file(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(CommandError, match="pipe.csv: cannot write here: it is no ordinary file"):
        call_command("export_judgments", campaign.slug, out=tmp_path / "pipe.csv", format=["csv"], verbosity=0)
    assert not (tmp_path / "pipe.csv").is_file() and not list(tmp_path.glob("*.part"))


def test_an_unknown_campaign_fails_and_names_those_there_are(team: Team, tmp_path: Path) -> None:
    judged_campaign(team)
    with pytest.raises(CommandError, match="no campaign 'nope'. There is: films-topk-guess"):
        call_command("export_judgments", "nope", "--out", str(tmp_path))


def test_an_unknown_format_is_bad_usage(team: Team) -> None:
    with pytest.raises(CommandError, match="'xlsx' is no format; there are csv, jsonl, parquet"):
        call_command("export_judgments", "films", "--format", "xlsx")


def test_a_study_takes_the_same_number_of_queries_however_many_judgments(team: Team) -> None:
    campaign = judged_campaign(team)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        study_of(campaign)
    assert len(queries) <= 12
