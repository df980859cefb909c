"""Wording is Markdown, and never more than that."""

from typing import Any

import lxml.html
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from accounts.models import Team
from campaigns.marking_up import SCHEMES, TAGS, as_html
from campaigns.models import Campaign
from judging.models import Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, text_of
from tests.security.nasty import TEXTS


def test_it_works() -> None:
    assert as_html("Read *all* of it.\n\n- one\n- **two**\n\nThen [ask](https://lab.example/us).") == (
        "<p>Read <em>all</em> of it.</p>\n<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>\n"
        '<p>Then <a href="https://lab.example/us" target="_blank" rel="noopener noreferrer">ask</a>.</p>'
    )


def test_plain_lines_stay_as_they_were_written() -> None:
    assert as_html("One line,\r\nand the next.\n\nA new paragraph.") == (
        "<p>One line,<br>\nand the next.</p>\n<p>A new paragraph.</p>"
    )


def test_headings_do_not_break_into_the_pages_own() -> None:
    assert as_html("# What we ask\n\nThis.") == "<p><strong>What we ask</strong></p>\n<p>This.</p>"


def test_html_is_text() -> None:
    assert as_html("<b>bold</b> & <script>alert(1)</script>") == (
        "<p>&lt;b&gt;bold&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;</p>"
    )


@pytest.mark.parametrize(
    "written",
    [
        "[x](javascript:alert(1))", "[x](JaVaScRiPt&colon;alert(1))", "[x](data:text/html,<script>alert(1)</script>)",
        "<javascript:alert(1)>", "[x](vbscript:x)", "[x]: javascript:alert(1)\n\n[x]", "[x](file:///etc/passwd)",
        "[x](\x01javascript:alert(1))", "[x](java\nscript:alert(1))",
    ],
)  # fmt: skip
def test_no_link_leads_to_a_script(written: str) -> None:
    page = lxml.html.fragment_fromstring(as_html(written), create_parent="div")
    assert not [link for link in page.iterlinks() if not link[2].startswith(("http", "mailto:", "tel:", "%"))]


def test_pictures_are_not_fetched_from_elsewhere() -> None:
    assert "<img" not in as_html("![x](https://evil.example/pixel.png)")


def _is_clean(wording: str) -> bool:
    page = lxml.html.fragment_fromstring(f"{as_html(wording)}", create_parent="div")
    attributes = {name for element in page.iter() if element is not page for name in element.attrib}
    links = [element.get("href", "") for element in page.iter("a")]
    return (
        {element.tag for element in page.iter()} - {"div"} <= TAGS
        and attributes <= {"href", "target", "rel", "start"}
        and all(":" not in link or link.split(":")[0].lower() in SCHEMES or "/" in link.split(":")[0] for link in links)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_nasty_gets_through(name: str) -> None:
    assert _is_clean(TEXTS[name])


PIECES = st.sampled_from(
    ["<script>", "[", "](", ")", "javascript:", "\n", "\n\n", "- ", "# ", "`", "*", "_", "<", ">", "&", '"', "'",
     "&#x3c;", "onerror=", "<img src=x ", "![", "http://", "\u202e", "<!--", "<a href=", " "]
) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)  # fmt: skip


@examples(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(PIECES, max_size=25))
def test_nothing_made_up_gets_through(pieces: list[str]) -> None:
    assert _is_clean("".join(pieces))


@pytest.mark.django_db
@pytest.mark.long
def test_every_page_with_wording_has_it_marked_up(client: Client, team: Team) -> None:
    wordings: dict[str, Any] = {
        name: f"**{name}** <script>alert(1)</script>"
        for name in ("consent", "instructions", "content_warning", "debrief", "exit_message")
    }
    campaign = live_campaign(team, **wordings)
    states = Participation.State
    novice, reader = worker(campaign, "a", state=states.ARRIVED), worker(campaign, "b", state=states.CONSENTED)
    done = worker(campaign, "c", state=states.COMPLETED)
    told = worker(campaign, "d", state=states.COMPLETED, screening={"debriefed": True})
    pages = "".join(text_of(client.get(page_of(one))) for one in (novice, reader, done, told))
    for name in wordings:
        assert f"<strong>{name}</strong> &lt;script&gt;" in pages, name
    assert "<script>alert" not in pages


@pytest.mark.django_db
def test_translations_are_marked_up_too_from_right_to_left(client: Client, team: Team) -> None:
    arabic = {"consent": "**\u0645\u0648\u0627\u0641\u0642**\n\n1. \u0648\u0627\u062d\u062f"}
    campaign: Campaign = live_campaign(team, translations={"ar": arabic})
    page = text_of(client.get(page_of(worker(campaign, state=Participation.State.ARRIVED, language="ar"))))
    assert 'dir="rtl"' in page and '<div class="wording" dir="auto"><p><strong>\u0645\u0648\u0627\u0641\u0642' in page
    assert "<ol>\n<li>\u0648\u0627\u062d\u062f</li>" in page


def test_it_is_rendered_once() -> None:
    as_html.cache_clear()
    for _ in range(3):
        as_html("The same *wording*.")
    assert as_html.cache_info().misses == 1
