"""Child processes that are started anew when they end by themselves, and still cannot outlive their parent."""

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from config.tether import TetheredProcess

WATCH_SECONDS = 0.5
# The pause before the next start doubles, so that what cannot start does not spin, until one has lived for long.
FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 1.0, 60.0, 60.0


class KeptProcess:
    def __init__(self, name: str, command: Sequence[str], *, env: Mapping[str, str] | None = None, log: Path) -> None:
        self.name, self.command, self.env, self.log = name, command, env, log
        self.ending = threading.Event()
        self.pause = 0.0
        self._start()
        self.watching = threading.Thread(target=self._watch, daemon=True)
        self.watching.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def alive(self) -> bool:
        return self.process.alive()

    def stop(self) -> None:
        """End the child for good, and wait until it is gone. Calling it twice is harmless."""
        self.ending.set()
        self.watching.join()
        self.process.stop()

    def __enter__(self) -> "KeptProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self) -> None:
        self.process = TetheredProcess(self.command, env=self.env, log=self.log)
        self.started = time.monotonic()

    def _watch(self) -> None:
        while not self.ending.wait(WATCH_SECONDS):
            if self.alive():
                continue
            self.process.stop()  # What the dead one has left would be in the way of the next.
            again = self.pause and time.monotonic() - self.started < STEADY_SECONDS
            self.pause = min(self.pause * 2, LONGEST_PAUSE) if again else FIRST_PAUSE
            self._say(f"{self.name} ended by itself and is started anew in {self.pause:g} s: see {self.log}.")
            if not self.ending.wait(self.pause):
                self._start_anew()

    def _start_anew(self) -> None:
        try:
            self._start()
        except OSError as error:  # No memory or no room just now: the next round tries again.
            self.started = time.monotonic()
            self._say(f"{self.name} cannot be started: {error}.")

    def _say(self, what: str) -> None:
        """In the terminal, which may be gone, and in the log of the process, whose disk may be full."""
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {what}\n"
        with suppress(OSError, ValueError):
            sys.stderr.write(line)
            sys.stderr.flush()
        with suppress(OSError), self.log.open("a") as file:
            file.write(line)
