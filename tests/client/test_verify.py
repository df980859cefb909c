import time

import pytest

from peekaword_client import BadSignature, verify
from webhooks.signing import SIGNATURE, sign

BODY = b'{"event": "report.ready"}'


def _headers(secret: str = "pws_a", at: float | None = None, body: bytes = BODY) -> dict[str, str]:
    return {SIGNATURE: sign(secret, int(time.time() if at is None else at), body)}


def test_it_works() -> None:
    verify("pws_a", _headers(), BODY)
    verify("pws_a", {name.upper(): value for name, value in _headers().items()}, BODY)


@pytest.mark.parametrize(
    "headers",
    [_headers("pws_b"), _headers(body=b"{}"), {}, {SIGNATURE: "v1=00"}, {SIGNATURE: "t=x,v1=0"},
     {SIGNATURE: "t=1,v1=ä"}, {SIGNATURE: "t=²,v1="}],
)  # fmt: skip
def test_what_the_server_did_not_sign_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(BadSignature):
        verify("pws_a", headers, BODY)


def test_what_was_signed_too_long_ago_is_refused() -> None:
    old = _headers(at=time.time() - 1000)
    with pytest.raises(BadSignature, match="too long ago"):
        verify("pws_a", old, BODY)
    verify("pws_a", old, BODY, tolerance=2000)
