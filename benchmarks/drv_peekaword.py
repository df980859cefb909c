"""Peekaword under a common load client: a worker with `login`, `next`, `submit` and `item`.

One request a judgment: the answer's response holds the next item. A worker who is done leaves, and the next one comes
by the campaign's link, through consent and instructions, as people do.
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
        self.arrivals = 0
        self.page = self.address = ""

    def item(self, task: Task) -> str:
        return task[1]

    async def login(self) -> None:
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
            await self.login()
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
