"""Connections that lead nowhere inside: the address that is looked up is the one that is judged and connected to.

A name that means one thing when it is judged and another when it is called, a redirect, or an IPv6 form of an internal
address would otherwise let whoever may name an address reach what only this server can.
"""

import socket
import ssl
import time
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import httpcore
from django.conf import settings

# Names that lead to this machine or into its network, whoever is asked.
LOCAL = ("localhost", "localdomain", "local", "internal", "lan", "home.arpa")
OPENING = "Whoever runs this server can open a network of your own to it, by the setting WEBHOOK_NETWORKS."
Address = IPv4Address | IPv6Address
# Translated to the IPv4 address in its last 32 bits (RFC 6052).
NAT64 = IPv6Network("64:ff9b::/96")


class Refused(Exception):
    """Nothing is sent there."""


def is_own(address: Address) -> bool:
    """In a network that the settings name."""
    return any(address in network for network in settings.WEBHOOK_NETWORKS)


def is_public(address: Address) -> bool:
    """Also what lies inside an IPv6 address that leads to an IPv4 one."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:  # Given up by RFC 3879, global to Python, and still in use inside.
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def require_outside(host: str, port: int, plain: bool) -> None:
    """Refused for what no look-up can change: an address in any spelling, and names of this machine or its network."""
    name = host.rstrip(".").lower()
    if (named := _address_in(name, port)) is not None:
        require_allowed(host, named, plain)
    elif not settings.WEBHOOK_NETWORKS and ("." not in name or name.endswith(tuple(f".{one}" for one in LOCAL))):
        raise Refused(f"{host} is a name within a network, and nothing is sent there. {OPENING}")


def _address_in(name: str, port: int) -> Address | None:
    """Also as the system reads it: 127.1, 0x7f000001 and 2130706433 are one address. Asks nobody."""
    with suppress(OSError, UnicodeError):
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
        return ip_address(str(found[0][4][0]).partition("%")[0])
    return None


def require_allowed(host: str, address: Address, plain: bool) -> None:
    if is_own(address) or (is_public(address) and not plain):
        return
    told = "not reached over TLS" if is_public(address) else "no public address"
    at = "" if host.strip("[]") == str(address) else f" is at {address}, which"
    raise Refused(f"{host}{at} is {told}: nothing is sent there. {OPENING}")


def look_up(host: str, port: int) -> list[Address]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused(f"Nobody knows the host {host}.") from error
    return list(dict.fromkeys(ip_address(str(entry[4][0]).partition("%")[0]) for entry in found))


class _Stream(httpcore.NetworkStream):
    """Nothing on it takes longer than all of it may: an answer that comes a byte at a time ends too."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self.stream, self.deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, _left(self.deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, _left(self.deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _left(self.deadline, httpcore.ConnectTimeout)
        return _Stream(self.stream.start_tls(ssl_context, server_hostname, left), self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


class Guarded(httpcore.NetworkBackend):
    """`plain` connections, without TLS, are for networks of our own."""

    def __init__(self, seconds: float, plain: bool) -> None:
        self.deadline, self.plain = time.monotonic() + seconds, plain
        self.network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        found = look_up(host, port)
        for address in found:
            require_allowed(host, address, self.plain)
        for address in found[:-1]:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return self._connect(address, port)
        return self._connect(found[-1], port)

    def _connect(self, address: Address, port: int) -> httpcore.NetworkStream:
        stream = self.network.connect_tcp(str(address), port, _left(self.deadline, httpcore.ConnectTimeout))
        return _Stream(stream, self.deadline)


def _left(deadline: float, late: type[Exception]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise late("It took too long.")
    return left
