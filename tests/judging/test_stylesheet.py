"""The colours under test are those of the one stylesheet, in light and in dark."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).resolve().parents[2] / "static/css/peekaword.css").read_text()
LIGHT, DARK = re.findall(r":root \{(.*?)\n\s*\}", SHEET, re.DOTALL)[:2]
TEXT = [
    ("ink", "ground"), ("ink", "surface"), ("ink-2", "ground"), ("ink-2", "surface"), ("ink-2", "surface-2"),
    ("ink-3", "ground"), ("ink-3", "surface"), ("accent", "ground"), ("accent", "surface"), ("on-accent", "accent"),
    ("on-accent", "accent-strong"), ("ink", "accent-soft"), ("danger", "surface"), ("on-danger", "danger"),
    ("ink", "danger-soft"), ("ink", "good-soft"), ("ink", "info-soft"), ("ink", "warn-soft"), ("warn", "ground"),
    *((("ink", f"{kind}-{step}")) for kind in ("for", "against") for step in range(1, 6)),
]  # fmt: skip
MARKS = [
    ("pill", "surface"),
    ("line-strong", "surface"),
    ("good", "surface"),
    ("danger", "surface"),
    ("info", "surface"),
]


def colours(theme: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", theme))


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), TEXT)
def test_text_can_be_read(theme: str, ink: str, paper: str) -> None:
    known = colours(theme)
    assert contrast(known[ink], known[paper]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("mark", "paper"), MARKS)
def test_marks_can_be_seen(theme: str, mark: str, paper: str) -> None:
    known = colours(theme)
    assert contrast(known[mark], known[paper]) >= 3


@pytest.mark.parametrize("kind", ["for", "against"])
def test_stronger_marks_stand_out_more(kind: str) -> None:
    for theme in (LIGHT, DARK):
        known = colours(theme)
        steps = [contrast(known[f"{kind}-{step}"], known["surface"]) for step in range(1, 6)]
        assert steps == sorted(steps) and len(set(steps)) == 5


def test_both_themes_name_the_same_colours() -> None:
    assert colours(LIGHT).keys() == colours(DARK).keys()


def test_every_class_of_the_workers_templates_is_styled() -> None:
    templates = Path(__file__).resolve().parents[2] / "templates"
    for path in [*(templates / "worker").glob("*.html"), *(templates / "protocols").glob("*.html")]:
        for names in re.findall(r'class="([^"{]+)', path.read_text()):
            for name in names.split():
                assert f".{name.rstrip('-')}" in SHEET, f"{path.name}: {name}"
