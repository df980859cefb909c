"""Every page that a worker can come to, as the server sends it: by name, for all protocols there are."""

from typing import Any

import lxml.html
from django.test import Client
from lxml.html import HtmlElement

from accounts.models import Team
from campaigns.asking import read_questions, read_tests
from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.leaving import complete, withdraw
from judging.models import Participation
from protocols import PROTOCOLS
from tests.judging.building import live_campaign, worker
from tests.judging.walking import arrive, page_of, text_of

State = Participation.State
ASKED: dict[str, Any] = {
    "demographics": read_questions("How old are you? [number]\n\nWhere do you live? [text, optional]"),
    "comprehension": read_tests("What do you guess?\n- The author\n+ The label"),
    "survey": read_questions("How was it?\n- Good\n- Bad\n\nWhat else? [text, optional]"),
    "checks": read_tests("To show that you are reading, choose “negative” here.\n- positive\n+ negative"),
    "debrief": "This was about words.",
    "content_warning": "Some texts speak of violence.",
    "exit_message": "See you.",
    "block_size": 2,
    "translations": {"de": {}, "ar": {}},
}
Pages = dict[str, str]


def filled(form: HtmlElement) -> dict[str, Any]:
    """A valid answer to whatever the form asks: the first of what is offered."""
    values: dict[str, Any] = dict(form.form_values())
    for field in form.xpath(".//input[@name] | .//textarea[@name]"):
        kind, name = field.get("type"), field.get("name")
        if kind in ("radio", "checkbox") and name not in values and not name.startswith("d"):
            values[name] = field.get("value", "on")
        elif kind == "number":
            values[name] = field.get("min", "1")
    for button in form.xpath(".//button[@name='answer' or @name='choice']")[:1]:
        values[button.get("name")] = button.get("value")
    return values


def send(client: Client, page: str, empty: bool = False) -> str:
    """The first form of the page, filled in or with only what is hidden."""
    aside = ("/leave/", "/language/")
    form = next(form for form in lxml.html.document_fromstring(page).forms if not form.action.endswith(aside))
    hidden = {field.get("name"): field.get("value", "") for field in form.xpath(".//input[@type='hidden']")}
    return text_of(client.post(form.action, hidden if empty else filled(form), follow=True))


def of_protocol(name: str, team: Team, client: Client) -> Pages:
    """Instructions, example, practice, feedback, the item, and the item after a press without an answer."""
    protocol = PROTOCOLS[name]
    campaign = live_campaign(
        team,
        slug=f"pages-{name}".replace("_", "-"),
        protocol=name,
        methods=["gradient", "random"],
        practice=1,
        examples=2 if protocol.learning else 0,
        question=protocol.default_question,
        instructions=protocol.default_instructions,
    )
    arm = campaign.conditions.earliest("pk").arm
    novice = worker(campaign, "novice", state=State.CONSENTED, arm=arm)
    pages = {"instructions": text_of(client.get(page_of(novice)))}
    page = pages["instructions"]
    for number in range(6):
        page = send(client, page)
        title = lxml.html.document_fromstring(page).findtext(".//title")
        if "1 of 40" in title:
            break
        pages[f"{number} {title}"] = page
    pages["item"] = text_of(client.get(page_of(worker(campaign, "wanda", arm=arm))))
    pages["item without an answer"] = send(client, pages["item"], empty=True)
    return {f"{name}: {title}": page for title, page in pages.items()}


def around(team: Team, client: Client) -> Pages:
    """All the other pages."""
    asked = live_campaign(team, slug="asked", **ASKED)
    pages = {"welcome": text_of(arrive(client, asked, PROLIFIC_PID="novice"))}
    pages["about you"] = send(client, pages["welcome"])
    pages["about you, again"] = send(client, pages["about you"], empty=True)
    pages["how it works"] = send(client, pages["about you"])
    pages["comprehension"] = send(client, pages["how it works"])
    pages["comprehension, again"] = send(client, pages["comprehension"], empty=True)
    wanda = worker(asked, "wanda", quota=3, started_at="2026-01-01T00:00Z")
    page = text_of(client.get(page_of(wanda)))
    for number in range(20):
        if "data-finished" in page:
            break
        pages[f"work {number}"] = page = send(client, page)
    pages["leave"] = text_of(client.get(page_of(worker(asked, "leaver"), "worker_leave")))
    return pages | ended(asked, client) | shut(team, client)


def ended(campaign: Campaign, client: Client) -> Pages:
    standing = [state.value for state in State if state != State.ARRIVED]
    people = {state: worker(campaign, state, state=state) for state in standing}
    withdraw(gone := worker(campaign, "gone"))
    complete(finished := worker(campaign, "finished"))
    people |= {"gone": gone, "finished": finished}
    return {name: text_of(client.get(page_of(one))) for name, one in people.items()}


def shut(team: Team, client: Client) -> Pages:
    pages = {}
    for state in (Campaign.State.PAUSED, Campaign.State.CLOSED, Campaign.State.READY):
        pages[state.value] = text_of(arrive(client, live_campaign(team, slug=state.value, state=state)))
    last = live_campaign(team, slug="last", texts=2, methods=("a",), ks=(1,), judgments=1)
    wanda = worker(last)
    item = text_of(client.get(page_of(wanda)))
    assign_next(worker(last, "bert"))
    pages["waiting"] = send(client, item)
    last.places.update(state=Place.State.FILLED, leased_until=None)
    pages["full"] = text_of(arrive(client, last, PROLIFIC_PID="late"))
    pages["nothing left"] = text_of(client.get(page_of(worker(last, "late"))))
    pages["wrong link"] = text_of(client.get("/w/last/no-such-token/"))
    pages["unknown"] = text_of(client.get("/w/nowhere/"))
    for kind in ("invitation", "class_code", "prolific"):
        closed = live_campaign(team, slug=kind.replace("_", "-"), recruitment=kind)
        pages[kind] = text_of(arrive(client, closed))
        pages[f"{kind}, wrong"] = text_of(arrive(client, closed, code="WRONG", invitation="x"))
    return pages


def all_states(team: Team, client: Client) -> Pages:
    found = around(team, client)
    for name in PROTOCOLS:
        found |= of_protocol(name, team, client)
    return found
