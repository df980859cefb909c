"""The judgments of a campaign as rows, and as files: one row per judgment, never more than a batch in memory."""

import errno
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from django.contrib.auth.models import AnonymousUser
from django.db.models import Aggregate, F, FloatField, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform

from accounts.access import may_supervise
from accounts.models import User
from analysis.presets.escaping import csv_writer, escape_cell
from analysis.presets.peekaword import CODEBOOK, FACTS, METRIC_PREFIX, OTHER_PREFIX, REASONS, TEXT_COLUMNS
from campaigns.models import Campaign, Place, SampledText
from campaigns.recognising import protocol_of
from judging.models import Judgment
from judging.signalling import excluded_by_rule
from materials.models import MetricScore
from recruitment.linking import SIMULATED
from reports.reshaping import CROWDKIT_COLUMNS, MTURK_COLUMNS, as_crowdkit, as_mturk, counts
from reports.stating import facts_of

Row = dict[str, Any]
BATCH = 2000
# When a worker was at work, and how long each answer took: seen by those who see data about workers.
TIMES = ("leased_at", "received_at", "response_ms", "active_ms")
NOT_COUNTED: Row = {"words_needed": None, "words_in_all": None}
INTEGERS = (
    "stimulus", "k", "simulated", "counted", "late", "position", "response_ms", "active_ms", *NOT_COUNTED,
)  # fmt: skip
_ESCAPED = {*TEXT_COLUMNS, *CROWDKIT_COLUMNS, *MTURK_COLUMNS}
FRACTIONS = ("score", "completeness_error")
_SOURCES = {
    "text_id": "assignment__stimulus__text__key",
    "text": "assignment__stimulus__text__content",
    "language": "assignment__stimulus__text__language",
    "stimulus": "assignment__stimulus_id",
    "content": "assignment__stimulus__content",
    "expected": "assignment__stimulus__expected",
    "method": "assignment__stimulus__condition__method",
    "method_params": "assignment__stimulus__explanation__params",
    "other": "assignment__stimulus__condition__other",
    "k": "assignment__stimulus__condition__k",
    "display": "assignment__stimulus__condition__display",
    "completeness_error": "assignment__stimulus__explanation__completeness_error",
    "participation": "assignment__participation_id",
    "known_as": "assignment__participation__known_as",
    "leased_at": "assignment__leased_at",
    "place_state": "place__state",
}


def columns_of(campaign: Campaign) -> list[str]:
    prefixes = (METRIC_PREFIX, OTHER_PREFIX) if protocol_of(campaign).maps == 2 else (METRIC_PREFIX,)
    return [*CODEBOOK, *(prefix + metric for prefix in prefixes for metric in _metrics(campaign))]


def judgment_ids(campaign: Campaign, after: int, most: int, only: Q | None = None) -> list[int]:
    """Of judgments of items, in the order they came; of `only` those, where that is said."""
    rows = _items(campaign).filter(only or Q(), pk__gt=after)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:most])


def shown_rows(
    user: User | AnonymousUser, campaign: Campaign, columns: list[str], only: Sequence[int] | None = None
) -> Iterator[Row]:
    """As below, with as much as this user may see: the columns are the same for all."""
    untold = {} if may_supervise(user, campaign.team) else {name: None for name in TIMES if name in columns}
    return ({**row, **untold} for row in judgment_rows(campaign, columns, only))


def judgment_rows(campaign: Campaign, columns: list[str], only: Sequence[int] | None = None) -> Iterator[Row]:
    """One row per judgment of an item, or of those ids alone, in the order they came, through a server-side cursor."""
    protocol = protocol_of(campaign)
    same: Row = {
        "campaign": campaign.slug,
        "design_hash": campaign.design_hash,
        "protocol": campaign.protocol,
        "dataset": campaign.dataset.slug,
        "classifier": campaign.classifier.slug,
        "weights_hash": campaign.classifier.weights_hash,
    }
    level = campaign.imported["level"] if campaign.imported else protocol.level
    broken = excluded_by_rule(campaign)
    rows = _judgments(campaign)
    for found in (rows if only is None else rows.filter(pk__in=only)).iterator(chunk_size=BATCH):
        row = same | found
        row["excluded"] = ",".join(broken.get(found["participation"], ()))
        row["worker"] = f"w{found['known_as'] or found['participation']}"
        row["method_params"] = json.dumps(found["method_params"] or {}, sort_keys=True)
        row["level"] = level
        row["language"] = found["language"] or campaign.dataset.language
        facts = facts_of(campaign.protocol, found["content"], found["shown"], found["position"])
        row[FACTS] = json.dumps(facts, sort_keys=True, ensure_ascii=False) if facts else ""
        row["score"] = protocol.score(found["answer"], found["content"], found["expected"])
        row["answer"] = protocol.label_of(found["answer"])
        row["details"] = json.dumps(found["answer"], sort_keys=True, ensure_ascii=False)
        row["presentation"] = json.dumps(found["presentation"], sort_keys=True)
        row |= NOT_COUNTED | protocol.counted(found["answer"], found["content"])
        row["counted"] = int(found["place_state"] == Place.State.FILLED)
        row["late"] = int(found["late"])
        row["simulated"] = int(found["simulated"] is not None)
        row[REASONS] = _reasons(row)
        row["leased_at"], row["received_at"] = (
            ("", "") if campaign.imported else (_utc(found["leased_at"]), _utc(found["received_at"]))
        )
        yield {column: row[column] for column in columns}


def export(campaign: Campaign, kind: str, path: Path, progress: Callable[[Iterable[Row]], Iterable[Row]]) -> None:
    """Write the judgments to `path`, which is there only when it is whole."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "it is no ordinary file", str(path))
    columns = columns_of(campaign)
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        WRITERS[kind][1](part, columns, progress(judgment_rows(campaign, columns)))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def csv_lines(columns: list[str], rows: Iterable[Row]) -> Iterator[str]:
    """The file line by line; text cells are safe to open in a spreadsheet, numbers stay numbers."""
    writer = csv_writer(_Echo())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([_csv_cell(column, row[column]) for column in columns])


def _write_csv(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        out.writelines(csv_lines(columns, rows))


def _write_jsonl(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_parquet(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    schema = pa.schema([(column, _parquet_type(column)) for column in columns])
    with pq.ParquetWriter(path, schema) as out:
        for batch in _batches(rows):
            out.write_table(pa.Table.from_pylist(batch, schema=schema))


def _write_crowdkit(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    _write_csv(path, CROWDKIT_COLUMNS, map(as_crowdkit, filter(counts, rows)))


def _write_mturk(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    _write_csv(path, MTURK_COLUMNS, map(as_mturk, filter(counts, rows)))


Writer = Callable[[Path, list[str], Iterable[Row]], None]
# Of each format, what the file's name ends in, and how it is written.
WRITERS: dict[str, tuple[str, Writer]] = {
    "csv": ("-judgments.csv", _write_csv),
    "jsonl": ("-judgments.jsonl", _write_jsonl),
    "parquet": ("-judgments.parquet", _write_parquet),
    "crowdkit": ("-crowdkit.csv", _write_crowdkit),
    "mturk": ("-mturk.csv", _write_mturk),
}


def _judgments(campaign: Campaign) -> QuerySet[Judgment, Row]:
    sides = {METRIC_PREFIX: "explanation", OTHER_PREFIX: "other_explanation"}
    if protocol_of(campaign).maps < 2:
        del sides[OTHER_PREFIX]
    metrics = _metrics(campaign)
    scores = {
        prefix + name: _metric(side, name, params) for prefix, side in sides.items() for name, params in metrics.items()
    }
    fields = (
        "id", "answer", "presentation", "position", "late", "received_at", "response_ms", "active_ms", "shown",
    )  # fmt: skip
    renamed: dict[str, Any] = {name: F(source) for name, source in _SOURCES.items()}
    renamed["simulated"] = KeyTextTransform(SIMULATED, "assignment__participation__parameters")
    renamed[REASONS] = _undefined()
    rows: QuerySet[Judgment, Row] = _items(campaign).order_by("id").values(*fields, **renamed, **scores)
    return rows


def _items(campaign: Campaign) -> QuerySet[Judgment]:
    stimuli = {"assignment__stimulus__campaign": campaign, "assignment__stimulus__role": SampledText.Role.ITEM}
    return Judgment.objects.filter(**stimuli)


def _metric(explanation: str, name: str, params: Row) -> Subquery:
    """Its score of one of the explanations shown, under the parameters asked for; others were the catalogue's."""
    shown = OuterRef(f"assignment__stimulus__{explanation}")
    found = MetricScore.objects.filter(explanation=shown, metric=name, params__contains=params)
    return Subquery(found.order_by("id").values("value")[:1], output_field=FloatField())


class _Pairs(Aggregate):
    function = "jsonb_object_agg"
    output_field = JSONField()
    arity = 2


def _undefined() -> Subquery:
    """Of the explanation shown: the reasons of the metrics that have no value, under whatever parameters."""
    explanation = OuterRef("assignment__stimulus__explanation")
    found = MetricScore.objects.filter(explanation=explanation, value__isnull=True).order_by().values("explanation")
    return Subquery(found.annotate(pairs=_Pairs("metric", "reason")).values("pairs"))


def _reasons(row: Row) -> str:
    """Of the metrics that the export has, where it has no value."""
    reasons = {name: why for name, why in (row[REASONS] or {}).items() if row.get(METRIC_PREFIX + name, 0) is None}
    return json.dumps(reasons, sort_keys=True) if reasons else ""


def _metrics(campaign: Campaign) -> dict[str, Row]:
    """The metrics that the campaign's own run computed, with the parameters asked for; otherwise all there are.

    None where maps were to learn from: what was judged showed none.
    """
    if protocol_of(campaign).learning:
        return {}
    if campaign.run is not None:
        return {entry["metric"]: entry["params"] for entry in sorted(campaign.run.metrics, key=lambda e: e["metric"])}
    scores = MetricScore.objects.filter(explanation__stimuli__campaign=campaign)
    return {name: {} for name in scores.order_by("metric").values_list("metric", flat=True).distinct()}


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def _csv_cell(column: str, value: Any) -> Any:
    if value is None:
        return ""
    return escape_cell(value) if column in _ESCAPED and isinstance(value, str) else value


def _parquet_type(column: str) -> pa.DataType:
    if column in INTEGERS:
        return pa.int64()
    return pa.float64() if column in FRACTIONS or column.startswith((METRIC_PREFIX, OTHER_PREFIX)) else pa.string()


class _Echo:
    """A file for the csv module that hands every line back."""

    def write(self, line: str) -> str:
        return line
