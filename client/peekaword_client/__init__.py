"""Peekaword's REST API from Python. docs/client.md has examples."""

from peekaword_client.client import Peekaword
from peekaword_client.errors import (
    ApiError,
    BadSignature,
    JobFailed,
    NotDoneInTime,
    NotReached,
    PeekawordError,
)
from peekaword_client.teams import verify
from peekaword_client.waiting import Step

__all__ = [
    "ApiError", "BadSignature", "JobFailed", "NotDoneInTime", "NotReached", "Peekaword", "PeekawordError", "Step",
    "verify",
]  # fmt: skip
