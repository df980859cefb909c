import pytest
from django.test import Client
from django.urls import reverse

SITE = "http://testserver"


@pytest.mark.parametrize(
    ("came_from", "next_page"),
    [
        (f"{SITE}/campaigns/films/?tab=1#end", "%2Fcampaigns%2Ffilms%2F%3Ftab%3D1"),
        ("https://elsewhere.example/campaigns/films/", "/campaigns/films/pause/"),
        (f"{SITE}/sign-in/", "/campaigns/films/pause/"),
        ("", "/campaigns/films/pause/"),
    ],
)
def test_a_form_sent_signed_out_leads_back_to_its_page(db: None, came_from: str, next_page: str) -> None:
    answer = Client().post("/campaigns/films/pause/", headers={"referer": came_from} if came_from else {})
    assert answer.headers["Location"] == f"/sign-in/?next={next_page}"


def test_a_part_of_a_page_asked_for_signed_out_takes_the_whole_page_to_sign_in(db: None) -> None:
    headers = {"hx-request": "true", "hx-current-url": f"{SITE}/campaigns/films/live/"}
    answer = Client().get("/campaigns/films/live/", headers=headers)
    assert answer.status_code == 200 and answer.content == b""
    assert answer.headers["HX-Redirect"] == "/sign-in/?next=%2Fcampaigns%2Ffilms%2Flive%2F"


def test_nothing_else_is_led_elsewhere(db: None) -> None:
    assert Client().get("/datasets/").headers["Location"] == "/sign-in/?next=/datasets/"
    answer = Client().post(reverse("logout"), headers={"referer": f"{SITE}/datasets/"})
    assert answer.headers["Location"] == "/sign-in/"
