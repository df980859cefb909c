"""What may not stand in a log does not, whatever wrote it."""

import pytest

from operations.scrubbing import HIDDEN, scrub


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("GET /w/reviews/81.kqZ3-x_y/ 200", f"GET /w/reviews/{HIDDEN}/ 200"),
        ("GET /w/reviews/81.kqZ3-x_y/consent/", f"GET /w/reviews/{HIDDEN}/consent/"),
        ("http://a.example/w/reviews/?PROLIFIC_PID=5f&STUDY_ID=2", f"http://a.example/w/reviews/?{HIDDEN}"),
        ("Not Found: /w/reviews/", "Not Found: /w/reviews/"),
        ("/reset/MQ/cz4-1f2e/", f"/reset/{HIDDEN}"),
        ("asked for ?ticket=abc&page=2", f"asked for ?ticket={HIDDEN}&page=2"),
        ("Authorization: Bearer abcdefgh12", f"Authorization: Bearer {HIDDEN}"),
        ("pkw_Zm9vYmFy is unknown", f"{HIDDEN} is unknown"),
        ("cannot reach redis://:pass@redis:6379/0", f"cannot reach redis://:{HIDDEN}@redis:6379/0"),
        ("cannot reach postgres://me:pass@db/peekaword", f"cannot reach postgres://me:{HIDDEN}@db/peekaword"),
        ("no account of alice.b@lab.example.org here", f"no account of {HIDDEN} here"),
        ("a token is needed; the key of the map", "a token is needed; the key of the map"),
    ],
)
def test_it_works(written: str, left: str) -> None:
    assert scrub(written) == left
    assert scrub(left) == left
