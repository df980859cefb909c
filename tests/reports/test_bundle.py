"""The library that draws charts in the browser: made once, served under a name of its content, and for everybody."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from reports.bundling import bundle_name, bundle_path


@pytest.fixture
def made(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A short bundle instead of Vega's; how often it was made."""
    settings.VAR = tmp_path
    times: list[str] = []

    def bundle(snippet: str) -> str:
        times.append(snippet)
        return "window.vegaEmbed = 1;"

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    return times


def test_it_works(made: list[str]) -> None:
    for accepted, encoding in (("gzip", "gzip"), ("identity", None)):
        answer = Client().get(f"/charts/{bundle_name()}", headers={"Accept-Encoding": accepted})
        assert answer.get("Content-Encoding") == encoding
        content = gzip.decompress(answer.content) if encoding else answer.content
        assert content == b"window.vegaEmbed = 1;"
        assert "immutable" in answer["Cache-Control"] and answer["Content-Type"].startswith("text/javascript")
    assert len(made) == 1


def test_nothing_is_left_half_made(made: list[str]) -> None:
    assert [path.name for path in bundle_path().parent.iterdir()] == [f"{bundle_name()}.gz"]


def test_other_names_are_not_found(made: list[str]) -> None:
    assert Client().get("/charts/vega-000.js").status_code == 404
    assert Client().post(f"/charts/{bundle_name()}").status_code == 405
    assert made == []
