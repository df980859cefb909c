"""The kinds of files of a report, in the order of its page. A new one: a module beside these and a line here."""

from reports.files.checking import CHECK
from reports.files.citing import CITED
from reports.files.codebook import CODEBOOK
from reports.files.datasheet import DATASHEET
from reports.files.document import DOCUMENT
from reports.files.figures import FIGURES
from reports.files.kind import File, FileKind, Parcel
from reports.files.labels import AGGREGATED
from reports.files.machine import MACHINE
from reports.files.methods import METHODS
from reports.files.page import PAGE
from reports.files.parquet import PARQUET
from reports.files.tables import TABLES

FILES: tuple[FileKind, ...] = (
    PAGE, DOCUMENT, MACHINE, METHODS, TABLES, AGGREGATED, FIGURES, PARQUET, CHECK, CODEBOOK, DATASHEET, CITED,
)  # fmt: skip

__all__ = ["FILES", "File", "FileKind", "Parcel"]
