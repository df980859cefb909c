"""Which of the versions that we pin have known holes: asked of OSV (google.github.io/osv.dev/api, read 2026-11)."""

import re
from collections.abc import Mapping

import httpx

URL = "https://api.osv.dev/v1/querybatch"
SECONDS = 20
# Of advisories that do not concern us: why.
ACCEPTED: Mapping[str, str] = {}
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;#]+)", re.MULTILINE)


class Unreachable(Exception):
    """Nothing was learnt, which is not the same as nothing being wrong."""


def pinned(constraints: str) -> dict[str, str]:
    return dict(_PIN.findall(constraints))


def known_holes(versions: Mapping[str, str], transport: httpx.BaseTransport | None = None) -> dict[str, list[str]]:
    """Advisories by package, without those that are accepted. Unreachable where OSV does not answer."""
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in versions.items()
    ]
    try:
        with httpx.Client(transport=transport, timeout=SECONDS) as client:
            answer = client.post(URL, json={"queries": queries}).raise_for_status()
        results = answer.json()["results"]
        found = {
            name: [one["id"] for one in result.get("vulns", ()) if one["id"] not in ACCEPTED]
            for name, result in zip(versions, results, strict=True)
        }
    except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unreachable(str(error)) from error
    return {name: ids for name, ids in found.items() if ids}
