"""Simulated workers walk the real pages over HTTP: they read, fill in forms and send them, as a browser would."""

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import httpx
import lxml.html
from lxml.html import HtmlElement

from judging.filling import Facts, choose_check, fill_questions
from judging.minds import READERS
from judging.minds.foretelling import study
from judging.simulating import KINDS, Kind, Lexicon, Mind

SECONDS = 60.0
NOTHING: Facts = {}
# More than any campaign has; a page that leads to itself must not be walked for ever.
MOST_PAGES = 5000


class WalkError(Exception):
    """A page that no worker could go on from."""


@dataclass(frozen=True)
class Walk:
    kind: Kind
    judgments: int
    finished: bool


def crowd(workers: int, shares: Mapping[Kind, float], seed: int) -> list[Kind]:
    """Kinds in proportion to their shares, shuffled; honest ones take what rounding leaves."""
    total = sum(shares.values())
    kinds: list[Kind] = [kind for kind in KINDS[1:] for _ in range(round(workers * shares[kind] / total))]
    honest: list[Kind] = ["honest"] * max(0, workers - len(kinds))
    kinds = honest + kinds[:workers]
    random.Random(seed).shuffle(kinds)
    return kinds


def walk_all(
    links: Sequence[str],
    protocol: str,
    lexicon: Lexicon,
    kinds: Sequence[Kind],
    seed: int,
    at_once: int,
    facts: Facts = NOTHING,
) -> Iterator[Walk]:
    """Walks in the order they end, one a link."""

    def one(number: int) -> Walk:
        mind = Mind(kinds[number], lexicon, random.Random(f"{seed}:{number}"))
        with httpx.Client(follow_redirects=True, timeout=SECONDS) as client:
            return walk(client, links[number], protocol, mind, facts)

    with ThreadPoolExecutor(at_once) as pool:
        for done in as_completed([pool.submit(one, number) for number in range(len(kinds))]):
            yield done.result()


def walk(client: httpx.Client, url: str, protocol: str, mind: Mind, facts: Facts = NOTHING) -> Walk:
    """From the campaign's link to the last page. `facts` are what an attentive worker knows."""
    page, judgments = _read(client.get(url)), 0
    for _ in range(MOST_PAGES):
        form = _form(page)
        if form is None:
            return Walk(mind.kind, judgments, finished=bool(page.cssselect("[data-finished]")))
        filled = _filled(page, form, protocol, mind, facts)
        judgments += "answer" in filled and "assignment" in filled and "response_ms" in form.fields
        page = _read(client.post(urljoin(page.base_url, form.action), data=filled))
    raise WalkError(f"{url}: no end after {MOST_PAGES} pages.")


def _filled(page: HtmlElement, form: HtmlElement, protocol: str, mind: Mind, facts: Facts) -> dict[str, Any]:
    """The page's form as this mind sends it."""
    values: dict[str, Any] = dict(form.form_values())
    attentive = mind.kind != "careless"
    if "questions" in form.classes:
        return values | fill_questions(form, facts, attentive, mind.rng)
    if "data-check" in form.attrib:
        return values | {"answer": choose_check(page, facts, attentive, mind.rng)} | _circumstances(mind)
    if form.cssselect("button[name=choice][value=skip]"):
        return values | {"choice": "show"}
    if form.cssselect("button[name=answer], [data-asked]"):
        return values | READERS[protocol].answer(mind, page) | _circumstances(mind)
    if form.cssselect("button[value=agree]"):
        return values | {"choice": "agree"}
    if form.action.endswith("/learn/") and page.cssselect(".text-body") and attentive:
        study(mind, page)
    return values


def _circumstances(mind: Mind) -> dict[str, str]:
    """What the page's script tells with an answer."""
    milliseconds = str(mind.milliseconds())
    return {"response_ms": milliseconds, "active_ms": milliseconds, **mind.screen}


def _read(response: httpx.Response) -> HtmlElement:
    if response.status_code >= 500:
        raise WalkError(f"{response.request.method} {response.url}: the server answered {response.status_code}.")
    return lxml.html.document_fromstring(response.text, base_url=str(response.url))


def _form(page: HtmlElement) -> HtmlElement | None:
    """What a willing worker sends next; None on the pages that end a participation, whatever host they lead to."""
    if page.cssselect("[data-finished], .code-card"):
        return None
    sent = [form for form in page.forms if form.method == "POST"]
    wanted = [form for form in sent if not form.action.endswith(("/leave/", "/language/"))]
    return wanted[0] if wanted else None
