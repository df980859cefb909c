"""Campaigns of any protocol, prepared, launched and judged by simulated workers through the real pages."""

import random
from typing import Any

import httpx
from django.test import Client

from accounts.models import Team
from campaigns.launching import launch
from campaigns.models import Campaign
from campaigns.preparing import prepare, settle
from judging.filling import facts_of
from judging.rehearsing import rehearsal_links
from judging.simulating import KINDS, Lexicon, Mind
from judging.walking import Walk, walk
from materials.models import Dataset
from protocols import PROTOCOLS
from tests.campaigns.actors import draft, edit, work

DESIGN: dict[str, dict[str, Any]] = {
    "topk_guess": {"ks": [2, 5], "baselines": ["full_text"]},
    "reveal": {},
    "rating": {"displays": ["colour", "bars"], "baselines": ["no_explanation"]},
    "pairwise": {"methods": ["gradient", "lime", "random"], "displays": ["corrected"]},
    "word_importance": {},
    "forward_simulation": {"baselines": ["no_explanation"], "examples_per_label": 2, "methods": ["gradient"]},
    "counterfactual_simulation": {"baselines": ["no_explanation"], "methods": ["gradient"]},
    "rationale_marking": {"methods": [], "judgments_per_stimulus": 3, "protocol_settings": {"picks": "both"}},
}
SETTINGS = {"rating": {"scale": "slider", "middle": "neutral", "low": "No", "high": "Yes", "beside": ["useful"]}}
MOST_WORKERS = 60


def drafted(team: Team, protocol: str, **fields: Any) -> Campaign:
    small: dict[str, Any] = {"ks": [], "texts_per_label": 2, "judgments_per_stimulus": 2, "most_per_worker": 4}
    design = small | DESIGN[protocol]
    if protocol in SETTINGS:
        design["protocol_settings"] = PROTOCOLS[protocol].complete_settings({}) | SETTINGS[protocol]
    campaign = draft(team, protocol, **design | fields)
    if PROTOCOLS[protocol].edits:
        for text in list(campaign.dataset.texts.filter(edit_of=None)):
            edit(text, campaign.classifier, "pos" if text.label == "neg" else "neg")
    return campaign


def launched(team: Team, protocol: str, **fields: Any) -> Campaign:
    campaign = drafted(team, protocol, **fields)
    prepare(campaign, None)
    if campaign.run:
        work(campaign)
        settle(campaign)
    launch(campaign)
    return campaign


def lexicon_of(dataset: Dataset) -> Lexicon:
    return Lexicon().learn(dataset.texts.exclude(label="").values_list("content", "label"))


def rehearse(campaign: Campaign, workers: int = MOST_WORKERS, seed: int = 0) -> list[Walk]:
    """Workers of all kinds one after the other, in this process, until there is nothing left to do."""
    lexicon, facts = lexicon_of(campaign.dataset), facts_of(campaign)
    links = rehearsal_links(campaign, f"http://localhost/w/{campaign.slug}/", seed, workers)
    walks = []
    for number, link in enumerate(links):
        if not campaign.places.filter(state="open").exists():
            break
        mind = Mind(KINDS[number % 5 % len(KINDS)] if number % 5 < 3 else "honest", lexicon, random.Random(number))
        with httpx.Client(transport=served(), follow_redirects=True) as client:
            walks.append(walk(client, link, campaign.protocol, mind, facts))
    return walks


def served() -> httpx.MockTransport:
    """Every view and middleware, within the test's own transaction."""
    browser = Client()

    def answer(request: httpx.Request) -> httpx.Response:
        kind = request.headers.get("content-type", "")
        got = browser.generic(request.method, request.url.raw_path.decode(), request.content, content_type=kind)
        return httpx.Response(got.status_code, headers=list(got.items()), content=got.content)

    return httpx.MockTransport(answer)
