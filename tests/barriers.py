"""What axe finds on a page: nothing, on any."""

from pathlib import Path
from typing import Any

import axe_playwright_python.sync_playwright as axe
from playwright.sync_api import Page

AXE = (Path(axe.__file__).parent / "axe.min.js").read_text()
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
OF_COLOUR = ALL_RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}
OF_WIDTH = ALL_RULES | {"runOnly": ["target-size", "scrollable-region-focusable"]}
RULES = {"rules": {"target-size": {"enabled": True}}}


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """The page's context has AXE for its first script."""
    found = page.evaluate("(options) => axe.run(document, options)", options | RULES)["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]
