"""How every process logs, for Django and for gunicorn: to standard error, where whatever runs us takes it up."""

from typing import Any

STYLES: dict[str, dict[str, str]] = {
    "line": {"()": "operations.lines.Words", "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    "json": {"()": "operations.lines.Json"},
}


def log_config(style: str, level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": STYLES[style]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
    }
