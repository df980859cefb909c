"""What other people call the columns of a table of labels: read from the header, in an order of preference."""

import re

from analysis.presets.assembling import Notice

TASK = ("task", "question", "item", "unit", "hit", "example", "instance", "object", "document", "sample", "text")
WORKER = (
    "worker", "annotator", "rater", "coder", "user", "performer", "participant", "judge", "labeler", "labeller",
    "assessor",
)  # fmt: skip
LABEL = (
    "label", "answer", "response", "annotation", "rating", "category", "judgment", "judgement", "vote", "value",
    "choice", "class", "score",
)  # fmt: skip
TRUTH = (
    "truth", "gold", "ground_truth", "true_label", "gold_label", "expected", "correct_label", "correct_answer", "gt",
)  # fmt: skip
WANTED = {"text": TASK, "worker": WORKER, "label": LABEL, "expected": TRUTH}
CALLED = {"text": "task", "worker": "worker", "label": "label", "expected": "truth"}


def plain_name(name: str) -> str:
    """task of Task, task_id, TaskID, taskId, "Task ID"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    joined = re.sub(r"[\W_]+", "_", words).strip("_").lower()
    return re.sub(r"_?(id|name|nr|no|key)$", "", joined) or joined


def find_columns(header: list[str]) -> dict[str, str]:
    """Role to column, for the roles that the header has a name for; the first in order of preference."""
    found: dict[str, str] = {}
    for role, names in WANTED.items():
        left = {plain_name(column): column for column in reversed(header) if column not in found.values()}
        known = [name for name in names if name in left]
        if known:
            found[role] = left[known[0]]
    return found


def tell_columns(found: dict[str, str]) -> tuple[Notice, ...]:
    """Where a file's own names were read as ours."""
    own = [f"{theirs} as {CALLED[role]}" for role, theirs in found.items() if theirs != CALLED[role]]
    return (("columns_read", f"Read the column {', the column '.join(own)}."),) if own else ()
