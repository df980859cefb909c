"""Maps from pages and programs: read where they are uploaded to, imported at once, and not kept."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from materials.maps.checking import Asked
from materials.maps.importing import MapsOutcome, import_maps
from materials.maps.reading import open_maps
from materials.models import Dataset
from materials.uploading import stored_name


def import_uploaded(dataset: Dataset, data: Mapping[str, Any]) -> MapsOutcome:
    """`data` is the cleaned data of a `MapsForm`. FileError or MapsError for the file itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / stored_name(data["file"].name)
        with path.open("wb") as out:
            for chunk in data["file"].chunks():
                out.write(chunk)
        return import_file(dataset, path, data)


def import_file(dataset: Dataset, path: Path, data: Mapping[str, Any]) -> MapsOutcome:
    """The same of a file that is here already."""
    file = open_maps(path, data["method"])
    asked = Asked(data["method"], data["source"], data["unsigned"], data["rest_zero"])
    return import_maps(dataset, file.rows(), data["classifier"], asked, data["accept_rest"])
