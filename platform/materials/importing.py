"""Texts of a file into a dataset: every row is checked first, and all is written or nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db import IntegrityError, transaction

from accounts.models import Team
from materials import staging
from materials.checking import Checked, Columns, Rejection, check, choose_columns
from materials.errors import FileError
from materials.models import Dataset
from materials.naming import insert_named
from materials.reading import Row, Table, open_table, read_rows

__all__ = [
    "Columns",
    "FileError",
    "Outcome",
    "Rejection",
    "Row",
    "Table",
    "choose_columns",
    "find_or_create_dataset",
    "import_texts",
    "open_table",
    "read_rows",
]

# This many rejected rows are kept to be listed; all are told to `on_rejected`.
LISTED = 200
BATCH = 1000


@dataclass
class Outcome:
    """`written` is False where rows were rejected and the rest was not accepted: the dataset is as before.

    `taken` then says how many rows could be written.
    """

    taken: int = 0
    rejected: int = 0
    written: bool = False
    first: list[Rejection] = field(default_factory=list)

    def reject(self, rejection: Rejection) -> None:
        self.rejected += 1
        if len(self.first) < LISTED:
            self.first.append(rejection)


def find_or_create_dataset(team: Team, name: str, language: str = "") -> Dataset:
    """The team's dataset of this name; whoever makes the same at the same moment gets the same."""
    known = Dataset.objects.filter(team=team, name=name).first()
    if known:
        return known
    made = Dataset(team=team, name=name, language=language)
    try:
        with transaction.atomic():
            insert_named(made)
    except IntegrityError:
        return Dataset.objects.get(team=team, name=name)
    return made


def import_texts(
    dataset: Dataset,
    rows: Iterable[Row],
    columns: Columns,
    label_names: Sequence[str] = (),
    accept_rest: bool = False,
    on_rejected: Callable[[Rejection], None] = lambda rejection: None,
) -> Outcome:
    """Write the good rows, if there are no others or `accept_rest` is set. FileError if the file itself is bad.

    `label_names`, where given, are the only labels allowed. Doubles within the file or of texts in the dataset are
    rejected, so the same file again changes nothing. Memory does not grow with the file: rows wait in the database.
    """
    outcome = Outcome()
    with transaction.atomic():
        Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
        staging.create()
        for batch in _batches(check(row, columns, label_names) for row in rows):
            staging.copy(batch)
        staging.find_doubles(dataset, columns.text, columns.id)
        staging.find_lost_edits(dataset, columns.edit_of)
        for rejection in staging.rejections():
            outcome.reject(rejection)
            on_rejected(rejection)
        # Nothing but bad rows makes no dataset; into one that has texts, the same file may come again.
        outcome.written = not outcome.rejected or (accept_rest and (staging.count_good() > 0 or dataset.texts.exists()))
        outcome.taken = staging.write(dataset) if outcome.written else staging.count_good()
        staging.drop()
    return outcome


def _batches(rows: Iterable[Checked]) -> Iterator[list[Checked]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch
