"""What arguments are called with where only the request is looked at."""

from typing import Any

SAMPLES: dict[str, Any] = {
    "slug": "films", "campaign": "films", "number": 1, "team": 1, "user": 1, "webhook": 1, "delivery": 1,
    "invitation": 1, "upload": "u", "offset": 0, "part": b"x", "name": "n", "label_names": ["a", "b"], "role": "editor",
    "count": 1, "uses": 1, "act": "pause", "job": "prepare", "reason": "none", "file": "f", "to": "t",
    "code": "c", "kind": "approve",
    "names": {"a": "b"},
    "key": "0" * 8, "fields": {"name": ["n"]}, "other": "o", "protocol": "rating",
    "study": "s", "description": "d", "places": 1, "amounts": {"s": "1.50"}, "payment": 1,
}  # fmt: skip
