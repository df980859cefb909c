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
