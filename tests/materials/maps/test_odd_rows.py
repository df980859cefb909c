"""Whatever a file holds, a row is taken or rejected with a reason: nothing ends in a traceback."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import Team
from materials.errors import FileError
from materials.maps.checking import Asked
from materials.maps.importing import MapsError, MapsOutcome, import_maps
from materials.maps.reading import open_maps
from materials.models import Dataset
from tests.materials.actors import films, judge, predict_right

GOOD = {"text_id": "neg0", "method": "mine", "words": ["neg", "0"], "scores": [1, 2]}
COLUMNS = [
    "text_id", "text", "method", "scores", "offsets", "words", "tokens", "target", "params", "source", "signed",
    "classifier", "special", "completeness_error", "seed", "seconds", "versions",
]  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5) | st.just("\0"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)
changes = st.dictionaries(st.sampled_from(COLUMNS), values, min_size=1, max_size=2)


def bring(team: Team, path: Path) -> MapsOutcome:
    dataset = Dataset.objects.filter(name="Films").first()
    if dataset is None:
        dataset = films(team, {"neg": 1}, words=4)
        predict_right(dataset, judge(team, ["neg", "pos"]))
    return import_maps(dataset, open_maps(path).rows(), None, Asked(), accept_rest=True)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changed=st.lists(changes, min_size=1, max_size=6))
@example(changed=[{"target": ["\ud800"]}, {"text_id": "\ud800"}, {"tokens": ["\ud800"]}, {"params": "[" * 10_000}])
def test_it_works(team: Team, tmp_path: Path, changed: list[dict[str, Any]]) -> None:
    path = tmp_path / "maps.jsonl"
    path.write_text("".join(json.dumps(GOOD | one) + "\n" for one in [{}, *changed]))
    try:
        outcome = bring(team, path)
    except MapsError as error:
        assert "signed in some rows" in str(error) or "would be" in str(error)
        return
    assert outcome.taken + outcome.known + outcome.rejected == len(changed) + 1
    assert all(rejection.reason and "\n" not in rejection.reason for rejection in outcome.first)


def test_odd_types_of_parquet_are_rejected(team: Team, tmp_path: Path) -> None:
    path = tmp_path / "maps.parquet"
    for name, value in {
        "scores": b"1,2",
        "text_id": b"\xff",
        "params": [["a", "1"]],
        "target": 1.5,
        "offsets": [[0.0, 3.0], [4.0, 5.0]],
    }.items():
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist([GOOD | {name: value}]), path)
        try:
            outcome = bring(team, path)
        except FileError as error:
            assert "\n" not in str(error)
        else:
            assert outcome.rejected == 1 and outcome.first[0].column == name
