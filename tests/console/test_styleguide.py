import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.conftest import signed_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "templates" / "console" / "styleguide.html").read_text()
COMPONENTS = ROOT / "templates" / "components"
# Stands in the head of every page.
EVERYWHERE = {"account_menu"}


def test_it_works(alice: User) -> None:
    page = signed_in(alice).get(reverse("styleguide")).content.decode()
    assert "accent-soft" in page and 'fill="var(--accent)"' in page
    assert "12,000 of 200,000 rows" in page and "51–100 of 500" in page
    assert "That is not “Reviews”" in page and "No datasets yet" in page


def test_every_component_is_shown() -> None:
    shown = set(re.findall(r'include "components/(\w+)\.html"', PAGE)) | EVERYWHERE
    assert shown == {path.stem for path in COMPONENTS.glob("*.html")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_shown_in_either_scheme_whatever_the_reader_s_own_is(alice: User, scheme: str) -> None:
    page = signed_in(alice).get(reverse("styleguide"), {"scheme": scheme}).content.decode()
    assert reverse("replay_style", args=[scheme]) in page and "css/peekaword.css" not in page


def test_a_scheme_that_is_none_is_the_reader_s_own(alice: User) -> None:
    page = signed_in(alice).get(reverse("styleguide"), {"scheme": "../x"}).content.decode()
    assert "css/peekaword" in page


def test_every_class_of_a_component_is_styled() -> None:
    styles = "".join((ROOT / "static" / "css" / name).read_text() for name in ("peekaword.css", "researcher.css"))
    for path in COMPONENTS.glob("*.html"):
        for names in re.findall(r'class="([^"{]+)', path.read_text()):
            for name in names.split():
                assert f".{name.rstrip('-')}" in styles, f"{path.name}: {name}"


def test_it_is_for_researchers(client: Client, alice: User) -> None:
    assert client.get(reverse("styleguide")).headers["Location"].startswith("/sign-in/")
    assert signed_in(alice).post(reverse("styleguide")).status_code == 405
