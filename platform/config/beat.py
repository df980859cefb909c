"""The Celery app of the one process that sends the recurring tasks: it knows their names, and imports none of them.

So it is small, and runs where there is no torch. Each task may come twice, late, or while another of its kind is at it.
"""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("peekaword", set_as_current=False)
app.config_from_object("django.conf:settings", namespace="CELERY")
# `expires`: where nobody took one in time, the next will do.
app.conf.beat_schedule = {
    "lapse": {"task": "judging.lapse_all", "schedule": 60.0, "options": {"expires": 60}},
    "webhooks": {"task": "webhooks.deliver_due", "schedule": 60.0, "options": {"expires": 60}},
    "completions": {"task": "judging.tell_completed", "schedule": 60.0, "options": {"expires": 60}},
    "deliveries": {"task": "webhooks.forget_old", "schedule": crontab(minute="7", hour="3")},
    "retention": {"task": "judging.erase_all_expired", "schedule": crontab(minute="17", hour="3")},
    "sessions": {"task": "operations.clear_sessions", "schedule": crontab(minute="27", hour="3")},
    "session list": {"task": "accounts.forget_sessions", "schedule": crontab(minute="32", hour="3")},
    "sketches": {"task": "campaigns.forget_sketches", "schedule": crontab(minute="42", hour="3")},
    "counts": {"task": "materials.fold_counts", "schedule": crontab(minute="12", hour="3")},
    "uploads": {"task": "materials.discard_uploads", "schedule": crontab(minute="52")},
    "archives": {"task": "reports.forget_archives", "schedule": crontab(minute="57")},
    "answers": {"task": "operations.forget_answers", "schedule": crontab(minute="47")},
    "failures": {"task": "operations.forget_failures", "schedule": crontab(minute="37", hour="3")},
}
