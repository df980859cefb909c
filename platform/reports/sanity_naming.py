"""What a method is called in the tables and charts of known-answer tasks."""

from typing import Any

from reports.palette import method_label


def label_of(row: dict[str, Any]) -> str:
    """The method as people read it, with what tells it from others of its name."""
    variant = row["variant"].partition(" = ")[2]
    return f"{method_label(row['method'])}, {variant}" if variant else method_label(row["method"])
