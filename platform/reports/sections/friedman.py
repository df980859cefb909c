"""One test of all methods together."""

from reports.measuring import compare_all
from reports.sections.section import Matter, Report, Row, Section
from reports.statuses import reason
from reports.tabulating import show


def describe_friedman(matter: Matter) -> Row | None:
    return None if matter.scores is None else compare_all(matter.scores)._asdict()


def explain(report: Report) -> list[str]:
    test = report.get("friedman")
    if test is None:
        return []
    if test["status"] != "ok":
        return [f"Friedman's test of all methods is undefined: {reason(test['status'])}."]
    return [
        f"Friedman's test of all methods over {test['n']} texts: chi squared {test['chi2']:.2f}, "
        f"{test['df']} degrees of freedom, p = {show('p', test['p'])}."
    ]


SECTION = Section("friedman", "All methods together", describe=describe_friedman, notes=explain)
