"""A server that receives messages: it answers as it is told to, slowly, with errors, redirects, or not at all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Message(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """`answers` come first, one a request: (status, headers, body). `hanging`: it reads and says nothing."""

    url: str = ""
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    got: list[Message] = field(default_factory=list)
    hanging: bool = False
    dripping: bool = False
    dripping_body: bool = False
    endless: bool = False
    sent: int = 0
    ended: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Event = field(default_factory=threading.Event)

    def answer(self, status: int, body: bytes = b"", times: int = 1, **headers: str) -> None:
        self.answers += [(status, headers, body)] * times


@contextmanager
def receive() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            receiver.got.append(Message(self.path, dict(self.headers.items()), body))
            receiver.arrived.set()
            if receiver.hanging:
                receiver.ended.wait(30)
            elif receiver.dripping:
                self._drip()
            elif receiver.dripping_body:
                self.send_response(200)
                self.end_headers()
                self._drip()
            elif receiver.endless:
                self._pour()
            else:
                self._answer(*(receiver.answers.pop(0) if receiver.answers else (204, {}, b"")))

        do_GET = do_POST

        def _drip(self) -> None:
            """A byte now and then: no single wait is long."""
            try:
                while not receiver.ended.wait(0.05):
                    self.wfile.write(b"H")
            except OSError:
                return

        def _pour(self) -> None:
            """A body without an end, as fast as it is taken."""
            self.send_response(200)
            self.end_headers()
            try:
                while not receiver.ended.is_set():
                    receiver.sent += self.wfile.write(b"x" * 65_536)
            except OSError:
                return

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # Whoever asked may have read enough.
                receiver.sent += self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
