"""Simulated workers walk the real pages over HTTP: they read, fill in forms and send them, as a browser would."""

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from urllib.parse import urlencode, urljoin

import httpx
import lxml.html
from lxml.html import HtmlElement

from judging.filling import Facts, choose_check, fill_questions
from judging.simulating import KINDS, Kind, Lexicon, Mind
from recruitment import linking

SECONDS = 60.0
SIMULATED = linking.SIMULATED
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
    url: str,
    parameter: str,
    protocol: str,
    lexicon: Lexicon,
    kinds: Sequence[Kind],
    seed: int,
    at_once: int,
    facts: Facts = NOTHING,
    tickets: Sequence[Mapping[str, str]] = (),
) -> Iterator[Walk]:
    """Walks in the order they end. Worker names follow the seed: the same seed again resumes the same workers.

    `tickets` are what lets each in, where the link alone does not.
    """

    def one(number: int) -> Walk:
        mind = Mind(kinds[number], lexicon, random.Random(f"{seed}:{number}"))
        named = {parameter: f"simulated-{seed}-{number}", SIMULATED: "1"}
        query = urlencode(named | dict(tickets[number] if tickets else {}))
        with httpx.Client(follow_redirects=True, timeout=SECONDS) as client:
            return walk(client, f"{url}?{query}", protocol, mind, facts)

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
        values = dict(form.form_values())
        attentive = mind.kind != "careless"
        if "questions" in form.classes:
            values |= fill_questions(form, facts, attentive, mind.rng)
        elif page.cssselect("form[data-check]"):
            values |= {"answer": choose_check(page, facts, attentive, mind.rng)}
        elif form.cssselect("button[name=choice][value=skip]"):
            values["choice"] = "show"
        elif page.cssselect("button[name=answer]"):
            judgments += "response_ms" in form.fields
            answer, milliseconds = mind.answer(page, protocol)
            values |= {"answer": answer, "response_ms": str(milliseconds), "width": "1280", "height": "800"}
        elif form.cssselect("button[value=agree]"):
            values["choice"] = "agree"
        page = _read(client.post(urljoin(page.base_url, form.action), data=values))
    raise WalkError(f"{url}: no end after {MOST_PAGES} pages.")


def _read(response: httpx.Response) -> HtmlElement:
    if response.status_code >= 500:
        raise WalkError(f"{response.request.method} {response.url}: the server answered {response.status_code}.")
    return lxml.html.document_fromstring(response.text, base_url=str(response.url))


def _form(page: HtmlElement) -> HtmlElement | None:
    """What a willing worker sends next; None on the pages that end a participation."""
    wanted = [form for form in page.forms if not form.action.endswith("/leave/")]
    return wanted[0] if wanted else None
