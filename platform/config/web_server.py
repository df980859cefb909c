"""Gunicorn's configuration on servers: `gunicorn config.wsgi --config python:config.web_server`."""

import datetime
import sys
from collections.abc import MutableMapping
from typing import Any

from gunicorn.glogging import Logger
from gunicorn.http.message import Request
from gunicorn.http.wsgi import Response

from config.environment import env, env_bool, env_choice, env_int
from config.logs import log_config
from operations.identifying import request_id

ASKED_BY_MACHINES = {"/healthz", "/readyz", "/metrics"}


class AccessLogger(Logger):  # type: ignore[misc]
    """A line a request, without whatever leads to a person: no address, no query, no referrer, no browser."""

    def access(
        self, resp: Response, req: Request, environ: MutableMapping[str, Any], request_time: datetime.timedelta
    ) -> None:
        if not self.cfg.accesslog or (resp.status_code == 200 and environ["PATH_INFO"] in ASKED_BY_MACHINES):
            return
        told = {
            "method": environ["REQUEST_METHOD"],
            "path": environ["PATH_INFO"],
            "status": resp.status_code,
            "bytes": resp.sent,
            "ms": round(request_time.total_seconds() * 1000, 1),
            "request_id": request_id(environ),
        }
        self.access_log.info("%(method)s %(path)s %(status)s %(bytes)s B %(ms)s ms %(request_id)s", told, extra=told)


PORT = env_int("PORT", 8000, minimum=1)
bind = f"0.0.0.0:{PORT}"
workers = env_int("WEB_PROCESSES", 2, minimum=1)
threads = env_int("WEB_THREADS", 4, minimum=1)
# Longer than a person looks at an item: the next answer comes over the same connection.
keepalive = 30
# In memory, as the root file system may be read-only and a disk may be slow.
worker_tmp_dir = "/dev/shm" if sys.platform == "linux" else None
# It would lie in the home folder, which may be read-only.
control_socket_disable = True
logger_class = AccessLogger
accesslog = "-" if env_bool("ACCESS_LOG", True) else None
_logs = {"level": "INFO", "handlers": [], "propagate": True}
logconfig_dict = {
    **log_config(env_choice("LOG_FORMAT", ("line", "json")), env("LOG_LEVEL", "WARNING")),
    "loggers": {"gunicorn.error": _logs, "gunicorn.access": _logs},
}
