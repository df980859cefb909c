import os

# Read by numpy as it is imported: what the analysis leaves to BLAS is too small to be shared among threads, and on busy
# cores sharing makes it several times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
