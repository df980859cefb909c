import logging
import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("peekaword")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["workers", "accounts", "materials", "webhooks", "campaigns", "reports", "judging", "operations"])
# Each may come twice, late, or while another of its kind is at it. `expires`: the next one in time will do.
app.conf.beat_schedule = {
    "lapse": {"task": "judging.lapse_all", "schedule": 60.0, "options": {"expires": 60}},
    "webhooks": {"task": "webhooks.deliver_due", "schedule": 60.0, "options": {"expires": 60}},
    "completions": {"task": "judging.tell_completed", "schedule": 60.0, "options": {"expires": 60}},
    "deliveries": {"task": "webhooks.forget_old", "schedule": crontab(minute="7", hour="3")},
    "retention": {"task": "judging.erase_all_expired", "schedule": crontab(minute="17", hour="3")},
    "sessions": {"task": "operations.clear_sessions", "schedule": crontab(minute="27", hour="3")},
    "failures": {"task": "operations.forget_failures", "schedule": crontab(minute="37", hour="3")},
}


@setup_logging.connect
def log_as_settings_say(loglevel: int | None = None, **_: Any) -> None:
    """One way of logging for all processes; the command line has its say in how much Celery tells."""
    logging.getLogger("celery").setLevel(loglevel or logging.INFO)
