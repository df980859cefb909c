"""A server that plays Prolific: its documented answers over real HTTP, its errors and its limits."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TOKEN = "a-token"


@dataclass
class PlayedProlific:
    """`failures` are answered first, one a request: (status, headers, body); a status of 0 hangs up."""

    url: str = ""
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: list[tuple[int, dict[str, str], Any]] = field(default_factory=list)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    bonuses: dict[str, dict[str, Any]] = field(default_factory=dict)
    paid: list[str] = field(default_factory=list)
    largest_page: int = 100

    def add_study(self, study: str, **fields: Any) -> None:
        defaults = {"status": "ACTIVE", "total_available_places": 10, "places_taken": 4}
        self.studies[study] = {"id": study, **defaults, **fields}

    def add_submission(self, submission: str, participant: str, status: str, **fields: Any) -> None:
        row = {"id": submission, "participant_id": participant, "status": status, "entered_code": None}
        self.submissions[submission] = {**row, "study": "s1", "return_requested": None, **fields}

    def fail(self, status: int, times: int = 1, body: Any = None, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.failures += [(status, named, body)] * times

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        match method, path.removeprefix("/api/v1").strip("/").split("/"):
            case "GET", ["studies", study] if study in self.studies:
                return 200, self.studies[study]
            case "PATCH", ["studies", study] if study in self.studies:
                return self._more_places(self.studies[study], body)
            case "POST", ["studies"]:
                self.add_study("new", **body, status="UNPUBLISHED", places_taken=0)
                return 201, self.studies["new"]
            case "GET", ["submissions"]:
                return self._page(query)
            case "POST", ["submissions", "bulk-approve"]:
                for submission in body["submission_ids"]:
                    self.submissions[submission]["status"] = "APPROVED"
                return 200, "The request to bulk approve has been made successfully."
            case "POST", ["submissions", "bonus-payments"]:
                return self._set_up(body)
            case "POST", ["bulk-bonus-payments", reference, "pay"] if reference in self.bonuses:
                self.paid.append(reference)
                return 202, None
            case "POST", ["submissions", submission, "request-return"] if submission in self.submissions:
                self.submissions[submission]["return_requested"] = "2026-11-30T10:00:00Z"
                return 200, self.submissions[submission]
        return 404, {"error": {"status": 404, "detail": "Not found"}}

    def _more_places(self, study: dict[str, Any], body: Any) -> tuple[int, Any]:
        if body["total_available_places"] < study["total_available_places"]:
            detail = {"total_available_places": ["The number of places can only be increased."]}
            return 400, {"error": {"status": 400, "detail": detail}}
        study |= body
        return 200, study

    def _page(self, query: dict[str, str]) -> tuple[int, Any]:
        rows = [row for row in self.submissions.values() if row["study"] == query.get("study")]
        if query.get("study") not in self.studies:
            return 404, {"detail": "Not found"}
        size, number = min(int(query["page_size"]), self.largest_page), int(query["page"])
        page = rows[(number - 1) * size : number * size]
        if number > 1 and not page:
            return 404, {"error": {"detail": "Invalid page."}}
        return 200, {"results": page, "meta": {"count": len(rows)}}

    def _set_up(self, body: Any) -> tuple[int, Any]:
        amounts = dict(line.split(",") for line in body["csv_bonuses"].splitlines())
        unknown = [one for one in amounts if one not in self.submissions]
        if unknown:
            return 400, {"error": {"status": 400, "detail": f"These ids are not in the study: {', '.join(unknown)}"}}
        reference = f"bonus{len(self.bonuses) + 1}"
        self.bonuses[reference] = body
        cents = round(sum(float(amount) for amount in amounts.values()) * 133)
        return 201, {"id": reference, "study": body["study_id"], "total_amount": float(cents)}


@contextmanager
def play_prolific() -> Iterator[PlayedProlific]:
    played = PlayedProlific()

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            parts = urlsplit(self.path)
            played.asked.append((self.command, parts.path, body))
            if played.failures:
                status, headers, said = played.failures.pop(0)
            elif self.headers.get("Authorization") != f"Token {TOKEN}":
                status, headers, said = 401, {}, {"error": {"detail": "Authentication credentials were not provided."}}
            else:
                status, said = played.answer(self.command, parts.path, dict(parse_qsl(parts.query)), body)
                headers = {}
            self._say(status, headers, said)

        def _say(self, status: int, headers: dict[str, str], said: Any) -> None:
            if not status:
                self.connection.close()
                return
            content = b"" if said is None else (said if isinstance(said, bytes) else json.dumps(said).encode())
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = _handle

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    played.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield played
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
