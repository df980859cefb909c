"""Pages of heat maps from the file that `explain` writes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from config.publishing import MOST_IN_ONE_FILE, place_problem, publish
from language.words import segment
from workers.storing import EXPLANATIONS, table_writer

ABOUT = {"classifier": "org/critic", "label_names": json.dumps({"0": "neg", "1": "pos"})}


def row(text_id: str, method: str, content: str = "A great film.", **changes: Any) -> dict[str, Any]:
    words = segment(content)
    return {
        "text_id": text_id,
        "method": method,
        "params": "{}",
        "target": 1,
        "predicted": 1,
        "probability": 0.75,
        "probabilities": [0.25, 0.75],
        "words": [content[word.start : word.end] for word in words],
        "offsets": [[word.start, word.end] for word in words],
        "scores": [0.5 - at for at in range(len(words) - 1)] + [None],
        "special_pieces": ["[CLS]"],
        "special_scores": [0.125],
        "seconds": 0.25,
        "text": content,
    } | changes


def written(path: Path, *rows: dict[str, Any]) -> Path:
    with table_writer(path, EXPLANATIONS, ABOUT) as write:
        for one in rows:
            write(one)
    return path


@pytest.fixture
def explanations(tmp_path: Path) -> Path:
    return written(
        tmp_path / "maps.parquet",
        *(row("a", method) for method in ("lime", "random")),
        *(row("b & c", method, "<i>dull</i> film") for method in ("lime", "random")),
        row("ar", "imported:gpt", "هذا الفيلم جميل", params='{"prompt": "v2"}', completeness_error=0.5, language="ar"),
    )


def test_it_works(explanations: Path, tmp_path: Path) -> None:
    opened = publish(explanations, tmp_path / "new" / "maps.html", "reviews.csv")
    page = opened.read_text(encoding="utf-8")
    assert opened == tmp_path / "new" / "maps.html" and page.count('class="picture') == 3
    assert "Heat maps of reviews.csv" in page and "org/critic" in page and "0.750" in page
    assert 'data-s="+0.5" data-r="1">A<' in page and '<span class="mono">[CLS]</span> +0.125' in page
    assert "what any method must beat. Lu et al. 2024" in page and "Maps made elsewhere and imported." in page
    assert "1 word without a score" in page and "1 word not seen" in page
    assert "gpt (imported)" in page and "prompt = v2" in page and "50 %</strong>, large" in page
    assert 'dir="auto" lang="ar"' in page and "&lt;</span>" in page and "<i>dull" not in page


def test_the_page_needs_nothing_from_anywhere(explanations: Path, tmp_path: Path) -> None:
    page = publish(explanations, tmp_path / "maps.html", "reviews.csv").read_text(encoding="utf-8")
    assert set(re.findall(r'(?:src|href|data-copy-from)="([a-z]*[:#/]?)', page)) == {"data:", "#"}
    assert not re.search(r"url\(|@import|https?://", page)


def test_every_id_is_there_once(explanations: Path, tmp_path: Path) -> None:
    page = publish(explanations, tmp_path / "maps.html", "reviews.csv").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and not [one for one in ids if " " in one]


def test_a_folder_has_an_index_and_a_page_a_text(explanations: Path, tmp_path: Path) -> None:
    opened = publish(explanations, tmp_path / "pages", "reviews.csv")
    assert sorted(path.name for path in opened.parent.iterdir()) == [
        "index.html", "text-0001.html", "text-0002.html", "text-0003.html",
    ]  # fmt: skip
    index, second = (opened.parent / name for name in ("index.html", "text-0002.html"))
    assert 'href="text-0003.html">ar</a>' in index.read_text() and "3 texts" in index.read_text()
    assert 'rel="prev" href="text-0001.html"' in second.read_text()
    assert 'rel="next" href="text-0003.html"' in second.read_text() and 'href="index.html"' in second.read_text()


def test_no_explanations_make_a_page_that_says_so(tmp_path: Path) -> None:
    for where in ("maps.html", "pages"):
        page = publish(written(tmp_path / "none.parquet"), tmp_path / where, "reviews.csv").read_text()
        assert "No text could be explained" in page


def test_the_same_file_makes_the_same_page(explanations: Path, tmp_path: Path) -> None:
    first, second = (publish(explanations, tmp_path / name, "x").read_bytes() for name in ("a.html", "b.html"))
    assert first == second


def test_places_that_cannot_be_written_are_refused_before(tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "file").write_text("")
    assert "is a folder" in place_problem(tmp_path / "folder.html", 1)
    assert "is a file" in place_problem(tmp_path / "file", 1)
    assert "name a folder" in place_problem(tmp_path / "many.html", MOST_IN_ONE_FILE + 1)
    assert place_problem(tmp_path / "new", 500) == place_problem(tmp_path / "new.html", MOST_IN_ONE_FILE) == ""
