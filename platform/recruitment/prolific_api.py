"""Prolific's API (docs.prolific.com/api-reference, read 2026-11), as much of it as running a study needs.

It has no fixed rate limits: it answers 429 when it is busy, above all where money moves, and asks for exponential
back-off and for its bulk addresses. Nothing here rejects anybody.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import httpx

PREFIX = "/api/v1"
PAGE_SIZE = 100
MOST_PAGES = 1000
# What Prolific recommends or takes at once.
MOST_APPROVED, MOST_BONUSES = 1000, 200
ATTEMPTS = 4
FIRST_PAUSE = 1.0  # seconds, doubled each time
LONGEST_PAUSE = 5.0  # somebody waits for the page
TIMEOUT = 10.0


class ProlificError(Exception):
    """Why Prolific did not do what was asked, in a sentence for the researcher."""


class NotFound(ProlificError):
    """What was asked for is not there, or not this account's."""


class AnswerLost(ProlificError):
    """It was sent, and whether it was done nobody knows but Prolific."""


class _Again(Exception):
    """Worth another try after `wait` seconds."""

    def __init__(self, text: str, wait: float = 0.0) -> None:
        super().__init__(text)
        self.wait = wait


class Study(NamedTuple):
    id: str
    status: str
    places: int
    taken: int


class Submission(NamedTuple):
    id: str
    participant: str
    status: str
    entered_code: str
    return_requested: bool


class Bonuses(NamedTuple):
    """Set up, not paid. `total_cents` is with Prolific's fees."""

    reference: str
    total_cents: int


@dataclass
class ProlificApi:
    url: str
    token: str
    pause: Callable[[float], None] = field(default=time.sleep)

    def study(self, study: str) -> Study:
        return _study(self._send("GET", f"/studies/{study}/"))

    def create_study(self, draft: Mapping[str, Any]) -> Study:
        """A draft: nobody sees it before somebody publishes it on Prolific's own pages."""
        return _study(self._send("POST", "/studies/", repeatable=False, json=dict(draft)))

    def set_places(self, study: str, places: int) -> Study:
        """Once published, a study takes more places, never fewer."""
        return _study(self._send("PATCH", f"/studies/{study}/", json={"total_available_places": places}))

    def submissions(self, study: str) -> Iterator[Submission]:
        """All of them, each once, though the list may move while its pages are read."""
        seen: set[str] = set()
        for number in range(1, MOST_PAGES + 1):
            page = self._page(study, number)
            fresh = [one for one in page if one.id not in seen]
            if not fresh:
                return
            seen |= {one.id for one in fresh}
            yield from fresh

    def _page(self, study: str, number: int) -> list[Submission]:
        query = {"study": study, "page": number, "page_size": PAGE_SIZE}
        try:
            found = self._send("GET", "/submissions/", params=query)
        except NotFound:
            if number == 1:
                raise
            return []  # Past the last page.
        return [_submission(row) for row in found["results"]]

    def approve(self, submissions: Sequence[str]) -> None:
        """Pays them. Prolific takes the list and goes through it in the minutes that follow."""
        for begin in range(0, len(submissions), MOST_APPROVED):
            part = list(submissions[begin : begin + MOST_APPROVED])
            self._send("POST", "/submissions/bulk-approve/", json={"submission_ids": part})

    def request_return(self, submission: str, reasons: Sequence[str]) -> None:
        """Asks the participant to give the submission back; a message goes out, so never sent twice."""
        body = {"request_return_reasons": list(reasons)}
        self._send("POST", f"/submissions/{submission}/request-return/", repeatable=False, json=body)

    def set_up_bonuses(self, study: str, amounts: Mapping[str, Decimal]) -> Bonuses:
        """By submission, in the study's currency; at most MOST_BONUSES. Harmless when repeated: nothing is paid yet."""
        lines = "\n".join(f"{submission},{amount:.2f}" for submission, amount in amounts.items())
        body = {"study_id": study, "csv_bonuses": lines}
        made = self._send("POST", "/submissions/bonus-payments/", json=body)
        return Bonuses(str(made["id"]), round(made["total_amount"]))

    def pay_bonuses(self, reference: str) -> None:
        """Prolific would pay again if this were sent again."""
        self._send("POST", f"/bulk-bonus-payments/{reference}/pay/", repeatable=False)

    def _send(self, method: str, path: str, *, repeatable: bool = True, **how: Any) -> Any:
        if not self.token:
            raise ProlificError("No token for Prolific is set: the server needs PROLIFIC_API_TOKEN.")
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._try(method, path, repeatable, how)
            except _Again as again:
                wait = max(pause, again.wait)
                if attempt == ATTEMPTS or wait > LONGEST_PAUSE:
                    asked = f" It asks to wait {round(again.wait)} seconds." if again.wait else " Try again later."
                    raise ProlificError(f"{again}{asked}") from again
            self.pause(wait)
            pause *= 2

    def _try(self, method: str, path: str, repeatable: bool, how: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Token {self.token}"}
        try:
            answer = httpx.request(method, f"{self.url}{PREFIX}{path}", headers=headers, timeout=TIMEOUT, **how)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _Again("Prolific cannot be reached.") from error
        except httpx.TransportError as error:
            raise _failed(repeatable, "Prolific did not answer.") from error
        if answer.status_code == 429:
            raise _Again("Prolific is busy and took no more requests.", _seconds(answer.headers.get("Retry-After")))
        if answer.status_code >= 500:
            raise _failed(repeatable, f"Prolific failed with the status {answer.status_code}.")
        if answer.is_error or answer.is_redirect:
            raise _refusal(answer)
        return _json(answer) if answer.content else None


def _failed(repeatable: bool, text: str) -> Exception:
    return _Again(text) if repeatable else AnswerLost(f"{text} Whether it was done, Prolific's own pages tell.")


def _refusal(answer: httpx.Response) -> ProlificError:
    if answer.status_code in (401, 403):
        return ProlificError(
            "Prolific does not take the token: see whether PROLIFIC_API_TOKEN is right and allowed this."
        )
    if answer.status_code == 404:
        return NotFound("Prolific knows nothing by that id, or the token's account may not see it.")
    return ProlificError(f"Prolific refused: {_detail(answer) or f'status {answer.status_code}'}")


def _detail(answer: httpx.Response) -> str:
    """Prolific's own words, which stand in one of several places."""
    try:
        said = answer.json()
    except ValueError:
        return ""
    inner = said.get("error", said) if isinstance(said, dict) else said
    return _flat(inner.get("detail") or inner.get("message") or "" if isinstance(inner, dict) else inner)[:500]


def _flat(said: Any) -> str:
    match said:
        case dict():
            return "; ".join(f"{name}: {_flat(value)}" for name, value in said.items())
        case list():
            return "; ".join(map(_flat, said))
    return str(said)


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        raise ProlificError("Prolific answered with something other than JSON: is PROLIFIC_API_URL right?") from error


def _seconds(retry_after: str | None) -> float:
    """A number of seconds, or a date."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except ValueError:
        return 0.0


def _study(row: Any) -> Study:
    places, taken = row.get("total_available_places") or 0, row.get("places_taken") or 0
    return Study(str(row["id"]), str(row.get("status") or ""), int(places), int(taken))


def _submission(row: Any) -> Submission:
    """The list names the participant `participant_id`, a single submission `participant`."""
    participant = row.get("participant_id") or row.get("participant") or ""
    entered, asked = row.get("entered_code") or row.get("study_code") or "", row.get("return_requested")
    return Submission(str(row["id"]), str(participant), str(row.get("status") or ""), str(entered), bool(asked))
