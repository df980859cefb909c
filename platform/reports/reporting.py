"""The report of a study: one dictionary, which is report.json, and what every page and table is drawn from."""

import json
import platform
from importlib.metadata import PackageNotFoundError, version

from analysis.bootstrap import REPLICATES
from analysis.scoring.weighting import DEFAULT_WEIGHTING
from analysis.study import TOPK_GUESS, Study
from reports.measuring import Settings
from reports.sections import SECTIONS
from reports.sections.section import Caution, Matter, Report, Row, caution

LIBRARIES = ("numpy", "pandas", "scipy")


def build_report(study: Study, seed: int = 0, replicates: int = REPLICATES) -> Report:
    """The whole report, ready for JSON: fractions in 0..1, undefined values None with a status that says why."""
    matter = Matter(study, Settings(seed, replicates))
    report: Report = {"meta": _meta(matter), "methods": _methods(matter)}
    for section in SECTIONS:
        if found := section.describe(matter):
            report[section.key] = found
    report["warnings"] = _warnings(matter, report)
    return report


def as_json(report: Report) -> str:
    """The report's one JSON form: same report, same bytes."""
    return json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Of what the numbers come from."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {"peekaword": _own_version(), "python": platform.python_version(), **libraries}


def _meta(matter: Matter) -> Row:
    study, settings = matter.study, matter.settings
    facts = {key: value for key, value in study.meta.items() if key not in ("hashes", "excluded")}
    return {
        **facts,
        "protocol": study.protocol,
        "seed": settings.seed,
        "replicates": settings.replicates,
        "confidence": 0.95,
        **({"resampled": matter.draws.over} if matter.scores else {}),
        "ranked_by": matter.measure.name + (f".{DEFAULT_WEIGHTING}" if study.protocol == TOPK_GUESS else ""),
        "n_judgments": None if study.answers is None else len(study.answers),
        "hashes": {**study.meta.get("hashes", {}), "data": study.data_hash},
        "versions": versions(),
    }


def _methods(matter: Matter) -> list[Row]:
    """One row per method, best first, with what each section adds to it; empty where nothing is scored."""
    if matter.scores is None:
        return []
    names = matter.study.source_names
    rows: dict[str, Row] = {
        method: {"method": method, "source_name": names.get(method, method)} for method in matter.scores.methods
    }
    for section in SECTIONS:
        for method, found in section.per_method(matter, matter.scores).items():
            rows[method] |= found
    return sorted(rows.values(), key=lambda row: (row["rank"] is None, row["rank"] or 0, row["method"]))


def _warnings(matter: Matter, report: Report) -> list[Caution]:
    study = matter.study
    if (study.cells if study.answers is None else study.answers).empty:
        return [caution("no_judgments", "There are no judgments that count yet.")]
    return [found for section in SECTIONS for found in section.warnings(matter, report)]


def _own_version() -> str:
    try:
        return version("peekaword")
    except PackageNotFoundError:
        return "not installed"
