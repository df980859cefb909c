"""Published data that tests are checked against, where it is at hand."""

from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def published(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"published data not at hand: {path}")
    return path
