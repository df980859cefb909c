"""How often one address may come: enough for a class that shares one, too little for who tries names or codes."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from accounts.api.throttling import count


def crowded(request: HttpRequest, policy: str, limit: int) -> bool:
    """Whether the address has come more than `limit` times within a minute. Without the cache nobody is kept out."""
    address = address_of(request)
    return bool(limit) and not _is_own(address) and count(policy, f"address {address}", limit).left < 0


def address_of(request: HttpRequest) -> str:
    """What the proxy has seen, where there is one that we trust; all before it is the sender's own word."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")


def _is_own(address: str) -> bool:
    """Simulated workers come from the server itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
