"""The one thing to begin with."""

import os
from collections.abc import Callable
from types import TracebackType
from typing import Self, Unpack

import httpx

from peekaword_client import types
from peekaword_client.campaigns import Archives, Campaigns, Drafts, Judgments, Participants, Prolific, Reports
from peekaword_client.errors import PeekawordError
from peekaword_client.materials import Catalogue, Classifiers, Datasets, Imports, Removals, Runs, Uploads
from peekaword_client.teams import Teams, Webhooks, token_for
from peekaword_client.transport import Transport


class Peekaword:
    """Everything that the server's pages do, under the token's scopes and its owner's roles.

    Left out, `url` and `token` are those of the environment: PEEKAWORD_URL and PEEKAWORD_TOKEN. PeekawordError where no
    address is there either; without a token there is nothing but to trade a password for one, by `token`.
    """

    def __init__(
        self,
        url: str = "",
        token: str = "",
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        url = url or os.environ.get("PEEKAWORD_URL", "")
        if not url.startswith(("http://", "https://")):
            given = f"{url!r} is no web address" if url else "No server is named"
            raise PeekawordError(f"{given}: set PEEKAWORD_URL (and PEEKAWORD_TOKEN), or say Peekaword(url, token).")
        at = Transport(url, token or os.environ.get("PEEKAWORD_TOKEN", ""), timeout, transport)
        if pause:
            at.pause = pause
        self._at = at
        self.catalogue = Catalogue(at)
        self.datasets, self.uploads, self.imports = Datasets(at), Uploads(at), Imports(at)
        self.classifiers, self.runs, self.removals = Classifiers(at), Runs(at), Removals(at)
        self.campaigns, self.drafts, self.participants = Campaigns(at), Drafts(at), Participants(at)
        self.archives, self.prolific = Archives(at), Prolific(at)
        self.judgments, self.reports = Judgments(at), Reports(at)
        self.teams, self.webhooks = Teams(at), Webhooks(at)

    def token(self, **asked: Unpack[types.CredentialsRequest]) -> types.NewToken:
        """Trade a user name and a password for a token. The secret in the answer cannot be had again."""
        return token_for(self._at, **asked)

    def close(self) -> None:
        self._at.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
