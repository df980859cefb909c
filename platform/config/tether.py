"""Child processes that cannot outlive their parent, however it ends.

The child runs under a small keeper that reads a pipe held open by the parent. The kernel closes the pipe when the
parent dies, even by SIGKILL; the keeper then stops the child. This needs no Linux-only call.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

GRACE_SECONDS = 10.0


class TetheredProcess:
    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str] | None = None, log: Path | None = None
    ) -> None:
        with _output(log) as output:
            self.process = subprocess.Popen(
                [sys.executable, str(Path(__file__).resolve()), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=None if env is None else {**os.environ, **env},
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Of the keeper, which leads the child's group."""
        return self.process.pid

    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """End the child and wait until it is gone. Calling it twice is harmless."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
            self.process.wait()
            # Where the keeper was killed, or the child and not its own children, these are left.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def __enter__(self) -> "TetheredProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _output(log: Path | None) -> IO[bytes]:
    if log is None:
        return open(os.devnull, "wb")
    log.parent.mkdir(parents=True, exist_ok=True)
    return log.open("ab")


def keep(command: Sequence[str]) -> int:
    """Run the command until it ends or the pipe on standard input closes."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    threading.Thread(target=_end_with_pipe, args=(child,), daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _end(child))
    return child.wait()


def _end_with_pipe(child: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):
        pass
    _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        # The keeper leads the session, so this takes the child's own children along, and the keeper last.
        os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1:]))
