"""Rows of the export in the shapes of other tools: crowd-kit's table of labels, the results of a batch on MTurk.

Both hold the judgments that count, as the report does. A task, or HIT, is a stimulus, by its number in the full export.
"""

from typing import Any

Row = dict[str, Any]
CROWDKIT_COLUMNS = ["task", "worker", "label"]
# What was asked, by our columns; prefixed, so that no column of one kind can be taken for another.
INPUTS = ("text_id", "text", "method", "other", "k", "display", "expected")
MTURK_COLUMNS = [
    "HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime", "WorkTimeInSeconds",
    *(f"Input.{name}" for name in INPUTS), "Answer.label", "Answer.details",
]  # fmt: skip


def counts(row: Row) -> bool:
    return bool(row["counted"]) and not row["excluded"]


def as_crowdkit(row: Row) -> Row:
    return {"task": str(row["stimulus"]), "worker": row["worker"], "label": row["answer"]}


def as_mturk(row: Row) -> Row:
    """Seconds are those from showing to answering, where the browser told them."""
    milliseconds = row["response_ms"]
    return {
        "HITId": str(row["stimulus"]),
        "AssignmentId": f"{row['stimulus']}-{row['worker']}",
        "WorkerId": row["worker"],
        "AssignmentStatus": "Approved",
        "AcceptTime": row["leased_at"],
        "SubmitTime": row["received_at"],
        "WorkTimeInSeconds": None if milliseconds is None else milliseconds / 1000,
        **{f"Input.{name}": row[name] for name in INPUTS},
        "Answer.label": row["answer"],
        "Answer.details": row["details"],
    }
