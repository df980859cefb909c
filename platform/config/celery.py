import logging
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("peekaword")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    ["workers", "accounts", "materials", "webhooks", "campaigns", "reports", "judging", "operations"]
)


@setup_logging.connect
def log_as_settings_say(loglevel: int | None = None, **_: Any) -> None:
    """One way of logging for all processes; the command line has its say in how much Celery tells."""
    logging.getLogger("celery").setLevel(loglevel or logging.INFO)
