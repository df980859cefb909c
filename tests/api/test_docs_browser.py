import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_page_of_the_api_fits_a_phone_opens_by_key_and_is_clean(chromium: Browser, live_server: LiveServer) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 900})
    page.goto(f"{live_server.url}/api/docs/")
    one = page.locator("#post-api-v1-runs")
    one.locator("summary").focus()
    page.keyboard.press("Enter")
    assert one.get_by_text("integrated_gradients").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert Axe().run(page).response["violations"] == []
    page.close()
