"""What was registered before the first answer, and what came out otherwise than registered."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from analysis.registering import code_versions
from analysis.study import Study
from reports.palette import method_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.tabulating import Column, Table

UNDER_WAY = ("live", "paused")
# A guess of seconds that is out by more than this says that the task was another one than was thought.
FACTOR = 2


def describe_preregistration(matter: Matter) -> Row | None:
    """The hash of the document, its plan of the analysis, and every deviation from it that can be seen."""
    found = matter.study.registration
    if found is None:
        return None
    return {
        "hash": found["hash"],
        "registered_at": found["registered_at"],
        "hypotheses": found["document"]["hypotheses"],
        "analysis": found["document"]["analysis"],
        "deviations": list(find_deviations(matter, found)),
    }


def find_deviations(matter: Matter, registration: Row) -> Iterator[Caution]:
    document = registration["document"]
    yield from _of_size(matter.study, document["analysis"]["planned_judgments"], registration["state"])
    yield from _of_arms(matter.study, document["design"]["arms"])
    yield from _of_people(matter.study, document["exclusion_rules"], registration["rules"])
    yield from _of_time(matter.study, document["design"]["seconds_per_item"])
    yield from _of_analysis(matter, document["analysis"])
    yield from _of_code(document["code"])


def _of_size(study: Study, planned: int, state: str) -> Iterator[Caution]:
    answers = (study.everybody or study).answers
    given = 0 if answers is None else len(answers)
    if given < planned and state in UNDER_WAY:
        yield caution("interim_look", f"An interim look: {given:,} of {planned:,} planned judgments are in.")
    elif given < planned:
        message = f"Judging ended with {given:,} of the {planned:,} planned judgments."
        yield caution("planned_judgments_not_reached", message)


def _of_arms(study: Study, registered: list[str]) -> Iterator[Caution]:
    judged = set(study.methods)
    if missing := [arm for arm in registered if arm not in judged]:
        yield caution("arms_not_judged", f"Registered and without a judgment: {_listed(missing)}.")
    if others := sorted(judged - set(registered)):
        yield caution("arms_not_registered", f"Judged and not registered: {_listed(others)}.")


def _listed(arms: list[str]) -> str:
    return ", ".join(method_label(arm) for arm in arms)


def _of_people(study: Study, registered: Row, stand: Row) -> Iterator[Caution]:
    if registered != stand:
        yield caution("exclusion_rules_differ", "The exclusion rules are not those that were registered.")
    flow = study.participants or {}
    if excluded := flow.get("excluded", 0):
        yield caution("excluded_by_hand", f"Excluded by hand, beyond the registered rules: {_workers(excluded)}.")
    if erased := flow.get("erased", 0):
        yield caution("answers_erased", f"Had their answers deleted, as the consent allows: {_workers(erased)}.")
    if simulated := study.meta.get("simulated"):
        yield caution("simulated_workers", f"{simulated:,} judgments come from simulated workers, not from people.")


def _workers(n: int) -> str:
    return "1 worker" if n == 1 else f"{n:,} workers"


def _of_time(study: Study, expected: int) -> Iterator[Caution]:
    if study.answers is None or not study.answers["response_ms"].notna().any():
        return
    seconds = float(study.answers["response_ms"].median()) / 1000
    if not expected / FACTOR <= seconds <= expected * FACTOR:
        message = f"An item took {seconds:.0f} s at the median; {expected} s were expected."
        yield caution("items_took_otherwise", message)


def _of_analysis(matter: Matter, plan: Row) -> Iterator[Caution]:
    settings, intervals = matter.settings, plan["intervals"]
    if settings.seed != plan["seed"]:
        yield caution("seed_differs", f"The seed is {settings.seed}; {plan['seed']} was registered.")
    if settings.replicates != intervals["replicates"]:
        message = f"Intervals have {settings.replicates:,} resamples; {intervals['replicates']:,} were registered."
        yield caution("replicates_differ", message)
    if plan["main_measure"].partition(".")[0] != matter.measure.name:
        message = f"The report ranks by {matter.measure.name}; {plan['main_measure']} was registered."
        yield caution("main_measure_differs", message)


def _of_code(registered: dict[str, str]) -> Iterator[Caution]:
    now = code_versions()
    if registered["analysis"] != now["analysis"]:
        message = "The code of the analysis is not what was registered; compare report.json under both versions."
        yield caution("analysis_code_differs", message)
    others = [
        f"{name} {now.get(name)} ({version} registered)"
        for name, version in registered.items()
        if name != "analysis" and now.get(name) != version
    ]
    if others:
        yield caution("versions_differ", f"Other versions than registered: {', '.join(others)}.")


def make_tables(report: Report) -> list[Table]:
    rows: list[dict[str, Any]] = report.get("preregistration", {}).get("deviations", [])
    columns = [Column("message", "What came out otherwise than registered", "text")]
    return [Table("deviations", "Deviations from the pre-registration", columns, rows)]


def explain(report: Report) -> list[str]:
    found = report.get("preregistration")
    if found is None:
        return []
    moment = datetime.fromisoformat(found["registered_at"]).strftime("%Y-%m-%d %H:%M UTC")
    said = f"Design, exclusion rules and analysis were registered at launch, {moment} (SHA-256 {found['hash']})."
    n = len(found["deviations"])
    return [
        said + (" Nothing deviates from it." if not n else f" {n} deviation{'s' * (n > 1)} from it: see the table.")
    ]


SECTION = Section(
    "preregistration",
    "Pre-registration",
    describe=describe_preregistration,
    tables=make_tables,
    notes=explain,
)
