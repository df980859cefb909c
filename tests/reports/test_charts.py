import re
from xml.etree import ElementTree

import pytest

from analysis.study import study_of_judgments
from catalogue.methods import METHODS
from reports.drawing import WIDE
from reports.palette import PALETTE, SPARE, colour
from reports.presenting import draw_figures
from reports.reporting import build_report
from reports.stacking import stack_answers
from tests.reports.studies import guessing_study, rating_study

GROUNDS = {"light": "#ffffff", "dark": "#171b21"}


def luminance(hex_colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(hex_colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@pytest.mark.parametrize("mark", [*PALETTE.values(), *SPARE])
def test_every_colour_stands_out_on_light_and_dark(mark: str, ground: str) -> None:
    assert contrast(mark, ground) >= 3


def test_every_method_of_the_catalogue_has_a_colour_of_its_own() -> None:
    assert set(PALETTE) == set(METHODS) and len({*PALETTE.values(), *SPARE}) == len(PALETTE) + len(SPARE)


def test_a_method_keeps_its_colour() -> None:
    assert colour("random") == PALETTE["random"]
    assert colour("my_method") == colour("my_method") in SPARE


def test_it_works() -> None:
    figures = draw_figures(build_report(guessing_study(), replicates=50))
    assert set(figures) >= {
        "accuracy_by_k", "accuracy_by_k_narrow", "scores", "scores_narrow", "critical_difference", "differences",
        "human_and_metrics", "human_and_metrics_narrow",
    }  # fmt: skip
    assert {name.removesuffix("_narrow") for name in figures} == {n for n in figures if not n.endswith("_narrow")}
    for svg in figures.values():
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "currentColor" in svg


def test_ratings_have_their_own_figures() -> None:
    figures = draw_figures(build_report(rating_study(), replicates=50))
    assert {"scores", "answers", "human_and_metrics"} < set(figures)
    assert "accuracy_by_k" not in figures
    assert "240 ratings, from 1 to 5" in figures["answers"]


def test_titles_state_measure_and_n_and_methods_are_labelled() -> None:
    svg = draw_figures(build_report(guessing_study(), replicates=50))["accuracy_by_k"]
    for words in ("Share of 20 texts recognised", "95 % Wilson", "Integrated gradients", "LIME", "Random"):
        assert words in svg


def test_wide_figures_fill_the_card_and_narrow_ones_a_phone() -> None:
    for study in (guessing_study(), rating_study()):
        for name, svg in draw_figures(build_report(study, replicates=50)).items():
            width = float(re.findall(r'viewBox="0 0 ([\d.]+)', svg)[0])
            assert (230 < width < 400) if name.endswith("_narrow") else (900 < width < 1100), name


def test_shares_start_at_zero_and_say_per_cent_as_the_text_does() -> None:
    figures = draw_figures(build_report(guessing_study(), replicates=50))
    for name in ("accuracy_by_k", "scores", "human_and_metrics"):
        assert ">0 %<" in figures[name] and ">100 %<" in figures[name]


def test_metrics_say_which_end_is_better() -> None:
    svg = draw_figures(build_report(guessing_study(), replicates=50))["human_and_metrics"]
    assert "comprehensiveness (higher is better)" in svg and "sufficiency (lower is better)" in svg


def test_a_second_drawing_has_the_same_bytes() -> None:
    report = build_report(guessing_study(), replicates=50)
    assert draw_figures(report) == draw_figures(report)


def test_figures_can_share_a_page() -> None:
    figures = draw_figures(build_report(guessing_study(), replicates=50))
    ids = [found for svg in figures.values() for found in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids))


def test_one_judgment_can_be_drawn() -> None:
    figures = draw_figures(build_report(guessing_study(n_texts=1, votes=1), replicates=50))
    assert "accuracy_by_k" in figures


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_figures({"meta": {"protocol": "topk_guess"}, "methods": []}) == {}


def test_without_random_there_is_no_line_of_nothing() -> None:
    whole = rating_study()
    assert whole.judgments is not None
    without = study_of_judgments("rating", whole.judgments[whole.judgments["method"] != "random"])
    for study, lines in ((whole, True), (without, False)):
        drawn = draw_figures(build_report(study, replicates=20))["scores"]
        assert ("stroke-dasharray" in drawn) is lines
        assert re.search(r'<g class="mark-rule[^>]*role="graphics-symbol"[^>]*></g>', drawn) is None


def test_answers_on_a_slider_are_drawn_in_bands_of_ten() -> None:
    spec = stack_answers([{"method": "lime", "answers": {str(point): 1 for point in range(101)}}], WIDE)
    bars = spec["data"]["values"]
    assert [bar["note"] for bar in bars] == ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90"]
    assert "90 in 10.9 %, 11 of 101 answers" in bars[-1]["tip"] and bars[-1]["end"] == pytest.approx(1)
    assert "101 ratings, from 0 to 100; bands of 10" in str(spec["title"])
