"""What can go wrong, as the server tells it (RFC 9457)."""

from typing import Any


class PeekawordError(Exception):
    """Everything that this package raises."""


class ApiError(PeekawordError):
    """The server refused. `code` names the kind; `errors` is {member of the body: what is wrong with it}."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", ""))
        self.title = str(problem.get("title", ""))
        self.detail = str(problem.get("detail", ""))
        self.errors = {str(one.get("pointer", "")): str(one.get("detail", "")) for one in problem.get("errors", [])}
        wrong = "; ".join(f"{where}: {what}" for where, what in self.errors.items())
        super().__init__(f"{status} {self.title}: {wrong or self.detail}")


class NotReached(PeekawordError):
    """No answer came, however often it was asked."""


class JobFailed(PeekawordError):
    """What was waited for ended otherwise."""


class NotDoneInTime(PeekawordError):
    """It goes on: wait again, or look later."""


class BadSignature(PeekawordError):
    """A message to a webhook that the server did not sign, or signed too long ago."""
