"""A worker's browser without JavaScript: follows links, fills forms, presses buttons."""

import html
import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from judging.models import Participation
from judging.tokens import token_of

INPUT = re.compile(r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?>')
ACTION = re.compile(r'<form method="post" action="([^"]+)"')


def page_of(participation: Participation, name: str = "worker_page") -> str:
    return reverse(name, args=[participation.campaign.slug, token_of(participation)])


def text_of(response: Any) -> str:
    return str(response.content.decode())


def arrive(client: Client, campaign: Campaign, **query: str) -> Any:
    return client.get(reverse("worker_arrival", args=[campaign.slug]), query, follow=True)


def press(client: Client, response: Any, **button: str) -> Any:
    """Send the page's form with what it holds, and the button pressed."""
    page = text_of(response)
    fields = {name: html.unescape(value) for name, value in INPUT.findall(page)}
    action = ACTION.search(page)
    assert action, page
    return client.post(html.unescape(action[1]), fields | button, follow=True)


def to_first_item(client: Client, campaign: Campaign, **query: str) -> Any:
    response: HttpResponse = press(client, arrive(client, campaign, **query), choice="agree")
    response = press(client, response)
    for _ in range(2):
        response = press(client, press(client, response, answer="positive"))
    return response
