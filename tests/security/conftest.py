from pathlib import Path
from typing import Any

import pytest

from tests.security.world import World, build


@pytest.fixture
def world(db: None, tmp_path: Path, settings: Any) -> World:
    settings.MEDIA_ROOT, settings.METRICS_TOKEN = tmp_path, "a token for machines that read numbers"
    return build("ours")
