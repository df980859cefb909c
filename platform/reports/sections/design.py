"""What workers were asked and shown, and under which conditions: told, not judged. In report.json alone."""

from reports.sections.section import Matter, Row, Section


def describe_design(matter: Matter) -> Row | None:
    return matter.study.design


SECTION = Section("design", "Design", describe=describe_design)
