"""Figures as SVG: valid XML that says the whole text, whatever its script."""

import re
from pathlib import Path

import pytest
from lxml import etree

from materials.arranging import arrange
from materials.colours import AGAINST, AGAINST_LINE, FOR, FOR_LINE, INK, QUIET
from materials.drawing import WIDTH, draw
from materials.gauging import width
from tests.materials.heat import REVIEW, even, heat_map, picture

SVG = "{http://www.w3.org/2000/svg}"
SHEET = Path(__file__).resolve().parents[2] / "static" / "css" / "peekaword.css"


def drawn(*maps: object, **changes: str) -> etree._Element:
    return etree.fromstring(draw(picture(*maps, **changes), maps).encode())  # type: ignore[arg-type]


def words_of(root: etree._Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text") if one.get("textLength")]


def test_it_works() -> None:
    root = drawn(heat_map(settings={"samples": 500}, completeness_error=0.4))
    said = " ".join(root.itertext())
    assert words_of(root) == ["A", "great", "film", ",", "with", "a", "dull", "ending", "."]
    assert "LIME (samples = 500)" in said and "completeness error 40 % (large)" in said and "Text t1" in said
    assert "spoke against it" in said and "Grey italics" in said


def test_it_needs_nothing_from_outside() -> None:
    svg = draw(picture(heat_map()), [heat_map()])
    assert re.findall(r'https?://[^"\s]+', svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|<style|href|url\(", svg)


def test_markup_in_a_text_is_text() -> None:
    content = '<script>alert("&")</script> \x07'
    root = drawn(heat_map(content, [1.0] * len(heat_map(content, []).starts)))
    assert "script" in "".join(words_of(root)) and root.find(f".//{SVG}script") is None


def test_marks_for_and_against_differ_in_more_than_colour() -> None:
    root = drawn(heat_map())
    lines = {one.get("stroke"): one.get("stroke-dasharray") for one in root.iter(f"{SVG}path")}
    assert lines == {FOR_LINE: None, AGAINST_LINE: "4 3"}


def test_lines_wrap_within_the_figure_and_a_comma_stays_with_its_word() -> None:
    made = even("wonderful, " * 60 + "end")
    lines = arrange(made, 400, 15)
    assert len(lines) > 5 and all(piece.x + piece.width <= 400.01 for line in lines for piece in line)
    assert all(line[0].text != "," for line in lines)


def test_a_word_wider_than_a_line_is_cut() -> None:
    made = heat_map("a" * 300, [1.0])
    assert sum(len(piece.text) for line in arrange(made, 400, 15) for piece in line) == 300
    assert all(piece.width <= 400 for line in arrange(made, 400, 15) for piece in line)


def test_line_breaks_of_the_text_are_kept() -> None:
    assert [[piece.text for piece in line] for line in arrange(heat_map("a\n\nb c", [1.0, 1.0, 1.0]), 400, 15)] == [
        ["a"],
        ["b", "c"],
    ]


def test_right_to_left_text_runs_from_the_right_edge() -> None:
    line = arrange(even("هذا الفيلم iPhone Pro جميل"), 400, 15)[0]
    at = {piece.text: piece.x for piece in line}
    assert at["هذا"] + width("هذا", 15) == pytest.approx(400)
    assert at["هذا"] > at["الفيلم"] > at["Pro"] > at["iPhone"] > at["جميل"]
    assert {piece.text: piece.leftward for piece in line}["iPhone"] is False


def test_chinese_wraps_without_spaces() -> None:
    made = even("这部电影非常好看，" * 20)
    lines = arrange(made, 400, 15)
    assert len(lines) > 3 and all(line[0].text != "，" for line in lines)


def test_joined_emoji_are_as_wide_as_one() -> None:
    assert width("👩\u200d💻", 10) == width("👩", 10) == 10
    assert width("e\u0301", 10) == width("é", 10) == width("e", 10)


def test_all_maps_stand_in_one_figure() -> None:
    root = drawn(heat_map(label="First"), heat_map(label="Second", signed=False))
    heads = [one.text for one in root.iter(f"{SVG}text") if one.get("font-weight") == "bold"]
    assert heads[-2:] == ["First", "Second"] and root.get("width") == str(WIDTH)


def test_the_language_is_named() -> None:
    assert drawn(heat_map(REVIEW), language="ar").get("{http://www.w3.org/XML/1998/namespace}lang") == "ar"


def test_the_colours_are_the_stylesheet_s() -> None:
    light = SHEET.read_text().split("@media (prefers-color-scheme: dark)")[0]
    known = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    for name, colours in (("for", FOR), ("against", AGAINST)):
        assert tuple(known[f"{name}-{step}"] for step in range(1, 6)) == colours
    names = ("for-line", "against-line", "ink", "ink-3")
    assert [known[name] for name in names] == [FOR_LINE, AGAINST_LINE, INK, QUIET]
