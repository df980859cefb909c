"""Peekaword under a common load client: a worker with `login`, `next`, `submit` and `item`.

One request a judgment: the answer's response holds the next item. As the floor's workers sign in before the clock
starts, `ahead` people come by the campaign's link, through consent and instructions, as people do, and wait at their
first item; when one has judged all items asked for, the next goes on. Should they not suffice, more come.
"""

import re
from typing import Any
from urllib.parse import urljoin

Task = tuple[str, str]  # the worker's page and the assignment on it

ASSIGNMENT = re.compile(r'name="assignment" value="(\d+)"')
ACTION = re.compile(r'<form method="post" action="([^"]+)"')
ANSWER = {"answer": "positive", "response_ms": "900", "active_ms": "900", "width": "1280", "height": "800"}
MOST_PAGES = 12


class Worker:
    def __init__(self, session: Any, base: str, number: int, options: dict[str, str]) -> None:
        self.s, self.base, self.i = session, base, number  # as the client calls them
        self.link = f"{base}/w/{options['campaign']}/"
        self.ahead, self.arrivals = int(options.get("ahead", 1)), 0
        self.waiting: list[tuple[str, str]] = []  # their address and page
        self.page = self.address = ""

    def item(self, task: Task) -> str:
        return task[1]

    async def login(self) -> None:
        for _ in range(self.ahead):
            await self._arrive()
            self.waiting.insert(0, (self.address, self.page))
        self.address, self.page = self.waiting.pop()

    async def _arrive(self) -> None:
        """A new worker comes and goes on to the first item."""
        self.arrivals += 1
        name = f"{self.i}-{self.arrivals}"
        await self._read(self.s.get(self.link, params={"PROLIFIC_PID": name, "simulated": "1"}))
        for _ in range(MOST_PAGES):
            form = ACTION.search(self.page)
            if form is None or ASSIGNMENT.search(self.page):
                return
            data = {"choice": "agree", "step": "0"}
            await self._read(self.s.post(urljoin(self.address, form[1]), data=data))

    async def next(self) -> Task | None:
        """The item in hand, or the first of the next worker; None once nothing is left for anybody."""
        found = ASSIGNMENT.search(self.page)
        if found is None:
            if self.waiting:
                self.address, self.page = self.waiting.pop()
            else:
                await self._arrive()
            found = ASSIGNMENT.search(self.page)
        return (self.address, found[1]) if found else None

    async def submit(self, task: Task) -> None:
        address, assignment = task
        self.page = ""
        await self._read(self.s.post(address, data={"assignment": assignment, **ANSWER}))

    async def _read(self, request: Any) -> None:
        async with request as response:
            if response.status >= 400:
                raise RuntimeError(f"{response.status} {response.url.path}")
            self.page, self.address = await response.text(), str(response.url)
