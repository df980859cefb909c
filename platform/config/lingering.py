"""An answer that comes before the whole of its request: it says that the connection ends, and is heard.

A server that closes a connection on which bytes are still coming resets it, and the answer is lost on its way. So the
header says `close`, and what comes after the answer is read and dropped: for a while, up to a bound.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

# What gunicorn itself drops without a word before it takes the next request of a connection.
DROPPED = 64 * 2**10
MOST_BYTES, MOST_SECONDS = 64 * 2**20, 5.0
AT_ONCE = 64 * 2**10

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


def lingering(application: Application) -> Application:
    def respond(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        ending = False

        def start(*said: Any, **more: Any) -> Any:
            nonlocal ending
            ending = _end_after_this(environ, start_response)
            return start_response(*said, **more)

        parts = application(environ, start)
        return _Heard(parts, environ) if ending else parts

    return respond


def _end_after_this(environ: Environ, start_response: Callable[..., Any]) -> bool:
    """Gunicorn writes the header itself, as its own answer says, whose method this is."""
    close = getattr(getattr(start_response, "__self__", None), "force_close", None)
    if close is None or not _is_much(environ["wsgi.input"]):
        return False
    close()
    return True


def _is_much(body: Any) -> bool:
    """What is still to come of the request; a body in chunks does not say how long it is."""
    reader = getattr(body, "reader", None)
    left = getattr(reader, "length", None)
    return left > DROPPED if left is not None else type(reader).__name__ == "ChunkedReader"


class _Heard:
    """The parts of the answer; once they are sent and this is closed, the rest of the request is dropped."""

    def __init__(self, parts: Iterable[bytes], environ: Environ) -> None:
        self.parts, self.environ = parts, environ

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts

    def close(self) -> None:
        try:
            getattr(self.parts, "close", lambda: None)()
        finally:
            _drop(self.environ)


def _drop(environ: Environ) -> None:
    """From the socket itself: the server's own reading waits for each part as long as it takes."""
    socket, left = environ.get("gunicorn.socket"), min(MOST_BYTES, _coming(environ["wsgi.input"]))
    if socket is None:
        return
    deadline = time.monotonic() + MOST_SECONDS
    with suppress(OSError):  # Whoever sends is gone or too slow, and the connection ends anyway.
        while left > 0 and (wait := deadline - time.monotonic()) > 0:
            socket.settimeout(wait)
            dropped = len(socket.recv(AT_ONCE))
            left -= dropped or left


def _coming(body: Any) -> int:
    """How many bytes are not here yet."""
    reader = body.reader
    if not hasattr(reader, "length"):
        return MOST_BYTES
    return int(reader.length) - len(reader.unreader.buf.getvalue())
