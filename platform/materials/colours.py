"""The stylesheet's colours on a light ground, for figures that leave the page."""

# By strength, from 1 to 5.
FOR = ("#e6effa", "#cbdff6", "#a9caf0", "#84b2e8", "#609ade")
AGAINST = ("#fdf0e2", "#fbdfc0", "#f7c795", "#f2ad66", "#ea9139")
FOR_LINE, AGAINST_LINE = "#1f5fae", "#a84f00"
INK, QUIET = "#1d2125", "#686f76"


def ground(strength: int) -> str:
    return (FOR if strength > 0 else AGAINST)[abs(strength) - 1]


def line(strength: int) -> str:
    return FOR_LINE if strength > 0 else AGAINST_LINE


def contrast(first: str, second: str) -> float:
    """Of two colours #rrggbb, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def least_contrast() -> float:
    """Of text on any mark; every shade between paper and the strongest lies above it."""
    return min(contrast(INK, ground) for ground in (*FOR, *AGAINST))
