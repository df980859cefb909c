"""Who receives a message can tell that we sent it, and when: HMAC-SHA256 of time and body under the endpoint's secret.

The secret is itself an HMAC of the endpoint's salt under the server's key. So a copy of the database tells none, and
nothing has to be encrypted. A server whose SECRET_KEY changes has new secrets.
"""

import hashlib
import hmac

from django.conf import settings

from webhooks.models import Endpoint

EVENT, DELIVERY, SIGNATURE = "Peekaword-Event", "Peekaword-Delivery", "Peekaword-Signature"


def secret_of(endpoint: Endpoint) -> str:
    """Shown once, when it is made."""
    key = hashlib.sha256(b"webhooks:" + settings.SECRET_KEY.encode()).digest()
    return "pws_" + hmac.new(key, endpoint.salt.encode(), hashlib.sha256).hexdigest()


def sign(secret: str, timestamp: int, body: bytes) -> str:
    """The header's value: `t=<Unix seconds>,v1=<hexadecimal>`."""
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return f"t={timestamp},v1={signed.hexdigest()}"
