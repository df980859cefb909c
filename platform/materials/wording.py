"""What is said of heat maps in words, on the page and in figures alike."""

from collections.abc import Iterator, Sequence

from materials.picturing import HeatMap, Picture


def figure_heading(picture: Picture) -> str:
    gold = f", gold label {picture.gold}" if picture.gold else ""
    chance = next((one.shown for one in picture.chances if one.is_predicted), "")
    return f"Text {picture.key}{gold}, predicted {picture.predicted}{chance and f' ({chance})'}"


def map_facts(one: HeatMap) -> str:
    return " \N{MIDDLE DOT} ".join(_facts(one))


def _facts(one: HeatMap) -> Iterator[str]:
    yield f"explains {one.target}"
    yield f"largest score {one.largest}"
    if one.completeness_error is not None:
        yield f"completeness error {one.error_percent}" + (" (large)" if one.error_is_large else "")
    if one.unseen:
        yield one.unseen_in_words


def legend(maps: Sequence[HeatMap], solid: str, dashed: str) -> Iterator[str]:
    """`solid` and `dashed`: how marks for and against are told apart without colour."""
    yield "The stronger the colour, the larger a word's score beside the largest of the same map."
    if any(one.signed for one in maps):
        yield f"Blue, {solid}: spoke for the explained label. Orange, {dashed}: spoke against it."
    if any(not one.signed for one in maps):
        yield "Methods without a sign, blue only: how much a word mattered."
    if any(one.unseen and not one.imported for one in maps):
        yield "Grey italics: the model never saw the word."
    if any(one.unseen and one.imported for one in maps):
        yield "Grey italics in an imported map: it has no score for the word."
