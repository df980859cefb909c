import pytest

from accounts.browsers import browser_of

MOZILLA = "Mozilla/5.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "browser"),
    [
        (f"{MOZILLA} (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"),
        (f"{MOZILLA} (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/156.0 Safari/537.36", "Chrome on Windows"),
        (f"{MOZILLA} (Windows NT 10.0) {WEBKIT} Chrome/156.0 Safari/537.36 Edg/156.0", "Edge on Windows"),
        (f"{MOZILLA} (Linux; Android 16; K) {WEBKIT} Chrome/156.0 Mobile Safari/537.36", "Chrome on Android"),
        (
            f"{MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1",
            "Safari on an iPhone",
        ),
        (f"{MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15", "Safari on a Mac"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "A browser that says nothing of itself"),
    ],
)
def test_it_works(user_agent: str, browser: str) -> None:
    assert browser_of(user_agent) == browser
