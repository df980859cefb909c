import pytest

from materials.checking import Columns
from materials.guessing import USUAL, guess_column


@pytest.mark.parametrize(
    ("columns", "text", "label"),
    [
        (["text", "label"], "text", "label"),
        (["id", "review", "sentiment"], "review", "sentiment"),
        (["Sentence", "Class"], "Sentence", "Class"),
        (["comment", "category"], "comment", "category"),
        (["title", "body", "target"], "body", "target"),
        (["document", "stars"], "document", "stars"),
        (["tweet_id", "tweet", "gold label"], "tweet", "gold label"),
        (["content", "Rating "], "content", "Rating "),
        (["Satz", "Kategorie"], "Satz", "Kategorie"),
        (["reseña", "categoría"], "reseña", "categoría"),
        (["avis", "étiquette"], "avis", "étiquette"),
        (["レビュー", "ラベル"], "レビュー", "ラベル"),
        (["评论", "标签"], "评论", "标签"),
        (["النص", "التصنيف"], "النص", "التصنيف"),
        (["a", "b"], "", ""),
        (["Review", "review"], "", ""),
    ],
)
def test_columns_are_known_by_usual_names(columns: list[str], text: str, label: str) -> None:
    assert (guess_column(columns, "text"), guess_column(columns, "label")) == (text, label)


def test_no_name_stands_for_two_fields() -> None:
    names = [name for usual in USUAL.values() for name in usual.split()]
    assert len(names) == len(set(names))


def test_every_column_that_is_asked_for_is_known_by_its_own_name() -> None:
    assert set(USUAL) == set(Columns._fields)
    assert all(usual.split()[0] == field for field, usual in USUAL.items())
