"""Answers of the real server that come before their request is whole: they arrive, and say that the connection ends."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings

from accounts.models import User
from config.lingering import MOST_SECONDS
from config.servers import free_port
from config.serving import web
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
MEGABYTE = 2**20
FORM = "multipart/form-data; boundary=x"


@pytest.fixture
def server(
    _test_database_url: str, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    monkeypatch.setenv("PEEKAWORD_VAR", str(settings.VAR))
    monkeypatch.setenv("MAX_UPLOAD_MEGABYTES", "1")
    settings.VAR = tmp_path
    with web(free_port()) as url:
        yield str(urlsplit(url).netloc)


def connected(server: str) -> socket.socket:
    host, port = server.split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def head(method: str, path: str, *headers: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def answer(connection: socket.socket) -> str:
    """All that comes until the server closes; a reset on the way would be an error."""
    read = b""
    while part := connection.recv(65_536):
        read += part
    return read.decode()


def test_a_form_that_is_far_too_large_is_answered_to_whoever_sends_all_of_it(server: str, alice: User) -> None:
    size = 40 * MEGABYTE
    client = signed_in(alice)
    client.get("/datasets/import/")
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    with closing(connected(server)) as connection:
        sent = (f"Cookie: {cookie}", f"Content-Type: {FORM}", f"Content-Length: {size}")
        connection.sendall(head("POST", "/datasets/import/", *sent))
        for _ in range(40):
            connection.sendall(b"x" * MEGABYTE)
        told = answer(connection)
    assert told.startswith("HTTP/1.1 413") and "Connection: close" in told
    assert "Files of up to 1 MB are taken here" in told and "</html>" in told


@pytest.mark.parametrize("kind", ["Content-Length: 20971520", "Transfer-Encoding: chunked"])
def test_so_is_a_part_of_a_stranger(server: str, kind: str) -> None:
    with closing(connected(server)) as connection:
        sent = ("Authorization: Bearer pkw_guessed", "Content-Type: application/octet-stream", "Upload-Offset: 0", kind)
        connection.sendall(head("PATCH", f"/api/v1/uploads/{'a' * 22}/", *sent))
        whole = b"y" * MEGABYTE if "Length" in kind else b"100000\r\n" + b"y" * MEGABYTE + b"\r\n"
        for _ in range(20):
            connection.sendall(whole)
        if "chunked" in kind:
            connection.sendall(b"0\r\n\r\n")
        told = answer(connection)
    assert told.startswith("HTTP/1.1 401") and "Connection: close" in told and '"not_authenticated"' not in told


def test_nobody_holds_a_thread_by_sending_slowly(server: str) -> None:
    started = time.monotonic()
    with closing(connected(server)) as connection:
        sent = ("Authorization: Bearer pkw_guessed", "Content-Type: application/json", "Content-Length: 20971520")
        connection.sendall(head("POST", "/api/v1/uploads/", *sent))
        connection.settimeout(0.2)
        ended = False
        while not ended and time.monotonic() - started < 60:
            with suppress(TimeoutError):
                ended = not connection.recv(65_536)
            with suppress(OSError):
                connection.send(b" ")
    assert ended and time.monotonic() - started < MOST_SECONDS + 15


def test_what_is_small_leaves_the_connection_open(server: str) -> None:
    with closing(connected(server)) as connection:
        for _ in range(2):
            sent = ("Authorization: Bearer pkw_guessed", "Content-Type: application/json", "Content-Length: 20000")
            connection.sendall(head("POST", "/api/v1/uploads/", *sent) + b" " * 20_000)
            told = connection.recv(65_536).decode()
            while "}" not in told:
                told += connection.recv(65_536).decode()
            assert told.startswith("HTTP/1.1 401") and "Connection: keep-alive" in told
