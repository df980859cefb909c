import hashlib
import json
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Team
from materials.checking import ColumnError
from materials.importing import Columns, Outcome, Row, choose_columns, find_or_create_dataset, import_texts
from materials.models import Dataset, Text

BOTH = Columns("text", "label")


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return Dataset.objects.create(team=team, name="Films", slug="films")


def rows(*cells: tuple[str, ...], names: tuple[str, ...] = ("text", "label")) -> list[Row]:
    return [Row(line, dict(zip(filter(None, names), row, strict=True))) for line, row in enumerate(cells, start=2)]


def reasons(outcome: Outcome) -> list[str]:
    return [str(rejection) for rejection in outcome.first]


def test_it_works(dataset: Dataset) -> None:
    outcome = import_texts(dataset, rows(("fine", "pos"), ("dull", " neg ")), BOTH)
    assert (outcome.taken, outcome.rejected, outcome.written) == (2, 0, True)
    first, second = dataset.texts.all()
    assert (first.content, first.label, first.key, first.rationale) == ("fine", "pos", "2", None)
    assert first.content_hash == hashlib.sha256(b"fine").hexdigest()
    assert second.label == "neg" and dataset.label_names() == ["neg", "pos"]


def test_every_character_reaches_the_database(dataset: Dataset) -> None:
    texts = ["tab\t back\\slash \\N \\.", "\r\n\\.\n", "cafe\u0301 café", "👩\u200d👧", "\u00a0x ", "שלום", "'; DROP"]
    import_texts(dataset, rows(*((text, "a") for text in texts)), BOTH)
    assert list(dataset.texts.values_list("content", flat=True)) == texts


def test_ids_languages_and_rationales_are_taken(dataset: Dataset) -> None:
    columns = Columns("text", "label", "id", "language", "rationale")
    import_texts(dataset, rows(("fine film", "pos", "r7", "en-GB", '[["5", "9"], [0, 4]]'), names=columns), columns)
    text = dataset.texts.get()
    assert (text.key, text.language, text.rationale) == ("r7", "en-GB", [[0, 4], [5, 9]])


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (("", "pos", "1", "", ""), "line 2, text: is empty"),
        ((" \u00a0\n", "pos", "1", "", ""), "line 2, text: is empty"),
        (("x" * 20_001, "pos", "1", "", ""), "line 2, text: has 20,001 characters; the most is 20,000"),
        (("a\x00b", "pos", "1", "", ""), "line 2, text: holds the character U+0000, which cannot be stored, at 2"),
        (("a\ud800", "pos", "1", "", ""), "line 2, text: holds the character U+D800, which cannot be stored, at 2"),
        (("a", "ugly", "1", "", ""), "line 2, label: is the unknown label 'ugly'; the labels are neg, pos"),
        (("a", "pos", "", "", ""), "line 2, id: is empty"),
        (("a", "pos", "1", "no language", ""), "expected a language tag such as en or pt-BR"),
        (("a", "pos", "1", "", "the end"), "line 2, rationale: is no list of spans"),
        (("a", "pos", "1", "", "[[0, 2]]"), "holds the span [0, 2], but the text has the characters 0 to 1"),
    ],
)
def test_a_bad_cell_is_named_with_line_column_and_reason(dataset: Dataset, cells: tuple[str, ...], says: str) -> None:
    columns = Columns("text", "label", "id", "language", "rationale")
    outcome = import_texts(dataset, rows(cells, names=columns), columns, ["pos", "neg"])
    assert says in reasons(outcome)[0]
    assert not outcome.written and not dataset.texts.exists()


def test_a_ragged_row_is_rejected(dataset: Dataset) -> None:
    outcome = import_texts(dataset, [Row(4, {}, "has 3 cells where the header has 2")], BOTH)
    assert reasons(outcome) == ["line 4, row: has 3 cells where the header has 2"]


def test_nothing_is_written_unless_the_rest_is_accepted(dataset: Dataset) -> None:
    mixed = rows(("fine", "pos"), ("", "neg"), ("fine", "pos"))
    refused = import_texts(dataset, mixed, BOTH)
    assert (refused.taken, refused.rejected, refused.written) == (1, 2, False)
    assert reasons(refused) == ["line 3, text: is empty", "line 4, text: is the same as in line 2"]
    assert not dataset.texts.exists()
    accepted = import_texts(dataset, mixed, BOTH, accept_rest=True)
    assert (accepted.taken, accepted.written, dataset.texts.count()) == (1, True, 1)


def test_the_same_file_again_changes_nothing(dataset: Dataset) -> None:
    for _ in range(2):
        outcome = import_texts(dataset, rows(("fine", "pos"), ("dull", "neg")), BOTH, accept_rest=True)
    assert reasons(outcome)[0] == "line 2, text: is in the dataset already, as 2"
    assert (outcome.taken, outcome.rejected, dataset.texts.count()) == (0, 2, 2)


def test_a_double_id_is_rejected(dataset: Dataset) -> None:
    names = columns = Columns("text", "label", "id")
    import_texts(dataset, rows(("a", "", "1"), names=names[:3]), columns)
    outcome = import_texts(dataset, rows(("b", "", "1"), ("c", "", "2"), ("d", "", "2"), names=names[:3]), columns)
    assert reasons(outcome) == [
        "line 2, id: is the id of another text of the dataset",
        "line 4, id: is the same as in line 3",
    ]


def test_another_file_without_ids_joins_the_dataset(dataset: Dataset) -> None:
    import_texts(dataset, rows(("a", "x")), BOTH)
    assert import_texts(dataset, rows(("b", "x")), BOTH).taken == 1
    keys = list(dataset.texts.values_list("key", flat=True))
    assert keys[0] == "2" and keys[1].startswith("2-") and len(keys[1]) == 14


def test_the_database_refuses_doubles(dataset: Dataset) -> None:
    Text.objects.create(dataset=dataset, key="1", content="a", content_hash="h")
    for fields in ({"key": "1", "content_hash": "i"}, {"key": "2", "content_hash": "h"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Text.objects.create(dataset=dataset, content="a", **fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Dataset.objects.create(team=dataset.team, name="Films", slug="films-2")


@pytest.mark.django_db(transaction=True)
def test_one_file_imported_twice_at_once_is_taken_once(team: Team) -> None:
    def run(number: int) -> Outcome:
        try:
            with transaction.atomic():
                dataset = find_or_create_dataset(team, "Films")
                texts = rows(*((f"text {index}", "pos") for index in range(500)))
                return import_texts(dataset, texts, BOTH, accept_rest=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(run, range(4)))
    assert sorted(outcome.taken for outcome in outcomes) == [0, 0, 0, 500]
    assert Dataset.objects.count() == 1 and Text.objects.count() == 500


def test_memory_does_not_grow_with_the_file(dataset: Dataset) -> None:
    def many() -> Iterator[Row]:
        for number in range(20_000):
            yield Row(number, {"text": f"{number} {'word ' * 100}", "label": "pos" if number % 2 else "neg"})

    tracemalloc.start()
    outcome = import_texts(dataset, many(), BOTH)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert outcome.taken == dataset.texts.count() == 20_000
    assert peak < 8 * 2**20


def test_columns_are_found_in_other_capitals_and_by_mapping() -> None:
    assert choose_columns(["Text", "LABEL", "x"], Columns("")) == Columns("Text", "LABEL")
    assert choose_columns(["review", "y"], Columns("review", "y")) == Columns("review", "y")
    assert choose_columns(["text", "label"], Columns(""), labelled=False) == Columns("text")


def test_a_missing_column_lists_those_found() -> None:
    with pytest.raises(ColumnError, match="'review', 'stars'.*--text-column 'review', perhaps"):
        choose_columns(["review", "stars"], Columns(""))
    with pytest.raises(ColumnError, match="holds the id"):
        choose_columns(["text", "label"], Columns("", id="key"))


def test_rationales_are_stored_as_json(dataset: Dataset) -> None:
    columns = Columns("text", rationale="rationale")
    import_texts(dataset, rows(("abc", json.dumps([[1, 3]])), names=("text", "rationale")), columns)
    assert dataset.texts.get().rationale == [[1, 3]]


PAIRS = Columns("text", "label", "id", edit_of="edit_of")


@pytest.mark.django_db
def test_a_database_that_was_all_but_empty_compares_no_row_with_each(dataset: Dataset) -> None:
    """The planner was told of one text, and is not told of those that come."""
    import_texts(dataset, pairs(("the only text", "only", "")), PAIRS)
    many = [(f"text {n}", f"key {n}", f"key {n - 1000}" if n >= 1000 else "") for n in range(2000)]
    plans: list[str] = []

    def explained(execute: Any, sql: str, given: Any, *rest: Any) -> Any:
        if "staged_text s" in sql:
            with connection.cursor() as cursor:
                cursor.cursor.execute(f"EXPLAIN {sql}", given)
                plans.append("\n".join(line for (line,) in cursor.fetchall()))
        return execute(sql, given, *rest)

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE materials_text")
    with connection.execute_wrapper(explained):
        outcome = import_texts(dataset, pairs(*many), PAIRS)
    assert outcome.taken == 2000 and dataset.texts.filter(edit_of__isnull=False).count() == 1000
    assert len(plans) == 9 and not [plan for plan in plans if "Nested Loop" in plan]


def pairs(*cells: tuple[str, str, str]) -> list[Row]:
    """Rows of text, id and what it is an edit of."""
    return rows(
        *((text, "pos", key, original) for text, key, original in cells), names=("text", "label", "id", "edit_of")
    )


@pytest.mark.django_db
def test_edits_are_paired_with_their_originals_in_any_order(dataset: Dataset) -> None:
    outcome = import_texts(dataset, pairs(("dull", "b", "a"), ("fine", "a", ""), ("drab", "c", "a")), PAIRS)
    assert outcome.written
    assert {text.key: text.edit_of and text.edit_of.key for text in dataset.texts.all()} == {
        "a": None,
        "b": "a",
        "c": "a",
    }


@pytest.mark.django_db
def test_an_original_may_be_in_the_dataset_before(dataset: Dataset) -> None:
    import_texts(dataset, pairs(("fine", "a", "")), PAIRS)
    import_texts(dataset, pairs(("dull", "b", " a ")), PAIRS)
    assert [text.key for text in dataset.texts.get(key="a").edits.all()] == ["b"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([("fine", "a", "x")], ["line 2, edit_of: names x, which is the id of no text of the dataset"]),
        ([("fine", "a", "a")], ["line 2, edit_of: is the text's own id"]),
        ([("fine", "a", "known")], []),
        ([("fine", "a", "edit")], ["line 2, edit_of: names edit, which is an edit itself"]),
        ([("fine", "a", "known"), ("dull", "b", "a")], ["line 3, edit_of: names a, which is an edit itself"]),
        ([("fine", "a", "b"), ("dull", "b", "a")], ["line 2, edit_of: names b", "line 3, edit_of: names a"]),
        ([("", "a", ""), ("dull", "b", "a")], ["line 2, text: is empty", "line 3, edit_of: names a, which is the id"]),
        ([("fine", "a", "x" * 201)], ["line 2, edit_of: has 201 characters"]),
    ],
)
def test_an_edit_without_an_original_is_rejected(
    dataset: Dataset, cells: list[tuple[str, str, str]], says: list[str]
) -> None:
    import_texts(dataset, pairs(("known", "known", ""), ("edit", "edit", "known")), PAIRS)
    outcome = import_texts(dataset, pairs(*cells), PAIRS)
    assert [reason.startswith(start) for reason, start in zip(reasons(outcome), says, strict=True)] == [True] * len(
        says
    )


@pytest.mark.django_db
def test_the_rest_is_taken_without_lost_edits(dataset: Dataset) -> None:
    outcome = import_texts(
        dataset, pairs(("", "a", ""), ("dull", "b", "a"), ("fine", "c", "")), PAIRS, accept_rest=True
    )
    assert (outcome.taken, outcome.rejected) == (1, 2) and dataset.texts.get().key == "c"


@pytest.mark.django_db
def test_templates_are_taken(dataset: Dataset) -> None:
    columns = Columns("text", "label", template="template")
    import_texts(dataset, rows(("fine", "pos", "7"), ("bad", "neg", ""), names=("text", "label", "template")), columns)
    assert list(dataset.texts.values_list("template", flat=True)) == ["7", ""]


def test_warnings_are_taken(dataset: Dataset) -> None:
    columns = Columns("text", "label", warning="warning")
    import_texts(dataset, rows(("a grim film", "neg", "It speaks of war."), names=columns), columns)
    assert dataset.texts.get().warning == "It speaks of war."


def test_twenty_thousand_pairs_are_imported_as_quickly_as_plain_texts(dataset: Dataset) -> None:
    """Each with each would be four hundred million look-ups: the import would not come back."""

    def many() -> Iterator[Row]:
        for number in range(10_000):
            yield Row(2 * number, {"text": f"{number} a", "label": "pos", "id": f"a{number}"})
            edit = {"text": f"{number} b", "label": "pos", "id": f"b{number}", "edit_of": f"a{number}"}
            yield Row(2 * number + 1, edit)

    assert import_texts(dataset, many(), PAIRS).taken == 20_000
    edits = dataset.texts.filter(edit_of__isnull=False)
    assert edits.count() == 10_000 and edits.values_list("edit_of__key", flat=True).get(key="b7") == "a7"
