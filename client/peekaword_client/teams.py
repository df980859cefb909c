"""Teams, tokens and webhooks."""

import hashlib
import hmac
import time
from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from peekaword_client import types
from peekaword_client.errors import BadSignature
from peekaword_client.transport import Transport

AT = "/api/v1"
SIGNATURE = "peekaword-signature"


class Teams:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self) -> Iterator[types.Team]:
        return self._at.pages(f"{AT}/teams/")

    def create(self, name: str) -> types.Team:
        made: types.Team = self._at.post(f"{AT}/teams/", {"name": name})
        return made

    def get(self, team: int) -> types.Team:
        found: types.Team = self._at.get(f"{AT}/teams/{team}/")
        return found

    def rename(self, team: int, name: str) -> types.Team:
        changed: types.Team = self._at.patch(f"{AT}/teams/{team}/", {"name": name})
        return changed

    def members(self, team: int) -> Iterator[types.Member]:
        return self._at.pages(f"{AT}/teams/{team}/members/")

    def change_role(self, team: int, user: int, role: types.RoleEnum) -> types.Member:
        changed: types.Member = self._at.patch(f"{AT}/teams/{team}/members/{user}/", {"role": role})
        return changed

    def remove_member(self, team: int, user: int) -> None:
        self._at.delete(f"{AT}/teams/{team}/members/{user}/")

    def log(
        self, team: int, person: str | None = None, act: str | None = None, q: str | None = None,
        since: str | None = None, until: str | None = None,
    ) -> Iterator[types.AuditEntry]:  # fmt: skip
        """Who did what, the newest first; days as 2026-11-30. For owners."""
        asked = {"person": person, "act": act, "q": q, "since": since, "until": until}
        return self._at.pages(f"{AT}/teams/{team}/log/", asked)

    def invitations(self, team: int) -> Iterator[types.Invitation]:
        return self._at.pages(f"{AT}/teams/{team}/invitations/")

    def invite(self, team: int, **asked: Unpack[types.NewInvitationRequest]) -> types.MadeInvitation:
        """With its link, which cannot be had again."""
        made: types.MadeInvitation = self._at.post(f"{AT}/teams/{team}/invitations/", asked, once=False)
        return made

    def withdraw_invitation(self, team: int, invitation: int) -> None:
        self._at.delete(f"{AT}/teams/{team}/invitations/{invitation}/")


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self) -> Iterator[types.Endpoint]:
        return self._at.pages(f"{AT}/webhooks/")

    def create(self, **asked: Unpack[types.NewEndpointRequest]) -> types.Secret:
        """With the secret that signs its messages, which cannot be had again."""
        made: types.Secret = self._at.post(f"{AT}/webhooks/", asked, once=False)
        return made

    def get(self, webhook: int) -> types.Endpoint:
        found: types.Endpoint = self._at.get(f"{AT}/webhooks/{webhook}/")
        return found

    def change(self, webhook: int, **asked: Unpack[types.PatchedEndpointRequest]) -> types.Endpoint:
        changed: types.Endpoint = self._at.patch(f"{AT}/webhooks/{webhook}/", asked)
        return changed

    def delete(self, webhook: int) -> None:
        self._at.delete(f"{AT}/webhooks/{webhook}/")

    def renew_secret(self, webhook: int) -> types.Secret:
        made: types.Secret = self._at.post(f"{AT}/webhooks/{webhook}/secret/", once=False)
        return made

    def ping(self, webhook: int) -> types.Delivery:
        made: types.Delivery = self._at.post(f"{AT}/webhooks/{webhook}/ping/")
        return made

    def deliveries(self, webhook: int) -> Iterator[types.Delivery]:
        return self._at.pages(f"{AT}/webhooks/{webhook}/deliveries/")

    def redeliver(self, webhook: int, delivery: int) -> types.Delivery:
        made: types.Delivery = self._at.post(f"{AT}/webhooks/{webhook}/deliveries/{delivery}/redeliver/")
        return made


def verify(secret: str, headers: Mapping[str, str], body: bytes, tolerance: float = 300.0) -> None:
    """For who receives webhooks: BadSignature unless the server signed this body, at most `tolerance` seconds ago.

    A message that is sent again has a new signature and its old `Peekaword-Delivery`: remember those you have seen.
    """
    given = {name.lower(): value for name, value in headers.items()}.get(SIGNATURE, "")
    parts = dict(part.partition("=")[::2] for part in given.split(","))
    stamp = parts.get("t", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 12):
        raise BadSignature("The header Peekaword-Signature is missing, or not of the form t=...,v1=....")
    wanted = hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(wanted.encode(), parts.get("v1", "").encode("utf-8", "replace")):
        raise BadSignature("The signature is not that of the secret.")
    if abs(time.time() - int(stamp)) > tolerance:
        raise BadSignature("It was signed too long ago, or one of the two clocks is wrong.")


def token_for(transport: Transport, **asked: Unpack[types.CredentialsRequest]) -> types.NewToken:
    made: types.NewToken = transport.post(f"{AT}/token/", _plain(asked), once=False)
    return made


def _plain(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: sorted(value) if isinstance(value, set | frozenset) else value for name, value in asked.items()}
