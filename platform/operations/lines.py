"""How a log line looks: words, or JSON for a machine to read. Both are scrubbed."""

import logging
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from operations.identifying import current_ids
from operations.scrubbing import scrub


class Words(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))


class Json(JsonFormatter):
    """Keys: time, level, logger, message; request_id, task_id, task where there are any; exc_info of an error."""

    def __init__(self, **kwargs: Any) -> None:
        names = {"levelname": "level", "name": "logger"}
        super().__init__("%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="time", **kwargs)

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        super().add_fields(log_data, record, message_dict)
        # Django adds the request itself, and Celery what a task was given, which may be a mail.
        for name in ("request", "data"):
            log_data.pop(name, None)
        log_data.update(current_ids())

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))
