"""A campaign exported, and everything that it was made of deleted: what another server would start from."""

import json
import zipfile
from pathlib import Path
from typing import Any

from django.db import connection

from campaigns.models import Campaign
from reports.aggregating import study_of
from reports.archiving.manifest import MANIFEST
from reports.archiving.parts import PARTS, Part
from reports.archiving.writing import export_campaign
from reports.reporting import as_json, build_report


def exported(campaign: Campaign, folder: Path, name: str = "campaign.zip") -> Path:
    path = folder / name
    export_campaign(campaign, path)
    return path


def forget_everything() -> None:
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE materials_dataset, materials_classifier, campaigns_campaign CASCADE")


def report_of(campaign: Campaign) -> str:
    """As report.json, without what tells of the code and the run."""
    fresh = Campaign.objects.select_related("dataset", "classifier", "run").get(pk=campaign.pk)
    report = build_report(study_of(fresh), replicates=20)
    return as_json({name: value for name, value in report.items() if name != "meta"})


def repacked(path: Path, changed: dict[str, bytes | None], manifest: dict[str, Any] | None = None) -> Path:
    """Another archive with these files in the place of its own; None leaves one out."""
    out = path.with_name("changed.zip")
    if manifest is not None:
        changed = changed | {MANIFEST: json.dumps(manifest_of(path) | manifest).encode()}
    with zipfile.ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()} | changed
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in files.items():
            if content is not None:
                new.writestr(name, content)
    return out


def manifest_of(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        return dict(json.loads(archive.read(MANIFEST)))


def rows_of(path: Path, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        return [json.loads(line) for line in archive.read(f"{name}.jsonl").splitlines()]


def part_named(name: str) -> Part:
    return next(part for part in PARTS if part.name == name)
