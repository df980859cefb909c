import socket
from ipaddress import ip_address, ip_network
from typing import Any

import httpcore
import pytest

from webhooks.addressing import Guarded, Refused, is_public

INTERNAL = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2001:db8::1", "fec0::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INTERNAL)
def test_internal_addresses_are_known_in_all_their_forms(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ip_address(address))


def _resolved(monkeypatch: pytest.MonkeyPatch, *rounds: list[str]) -> list[str]:
    """Names mean one thing at the first look and another at the next. Answers what was connected to."""
    looks, connected = iter(rounds), list[str]()

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(looks)]

    class Network:
        def connect_tcp(self, host: str, *_: Any) -> Any:
            connected.append(host)
            raise httpcore.ConnectError("closed")

    monkeypatch.setattr("webhooks.addressing.socket.getaddrinfo", getaddrinfo)
    monkeypatch.setattr("webhooks.addressing.httpcore.SyncBackend", Network)
    return connected


def test_the_address_that_was_judged_is_the_one_that_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = _resolved(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    with pytest.raises(httpcore.ConnectError):
        Guarded(5, plain=False).connect_tcp("rebinding.example", 443)
    assert connected == ["93.184.215.14"]


def test_one_internal_address_among_others_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = _resolved(monkeypatch, ["93.184.215.14", "10.0.0.1"])
    with pytest.raises(Refused, match=r"10\.0\.0\.1, which is no public address"):
        Guarded(5, plain=False).connect_tcp("both.example", 443)
    assert connected == []


def test_nothing_goes_to_public_addresses_without_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = _resolved(monkeypatch, ["93.184.215.14"])
    with pytest.raises(Refused, match="not reached over TLS"):
        Guarded(5, plain=True).connect_tcp("plain.example", 80)
    assert connected == []


def test_networks_of_our_own_are_reached(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8")]
    connected = _resolved(monkeypatch, ["10.0.0.1"])
    with pytest.raises(httpcore.ConnectError):
        Guarded(5, plain=True).connect_tcp("own.example", 80)
    assert connected == ["10.0.0.1"]


def test_a_name_that_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: Any, **__: Any) -> None:
        raise socket.gaierror("Name or service not known")

    monkeypatch.setattr("webhooks.addressing.socket.getaddrinfo", getaddrinfo)
    with pytest.raises(Refused, match="Nobody knows the host"):
        Guarded(5, plain=False).connect_tcp("no-such-host.invalid", 443)
