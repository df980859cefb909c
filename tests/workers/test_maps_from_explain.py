"""The file that `explain` writes is imported as it is: every bit of every score, on the same words."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest
from django.core.management import call_command

from accounts.models import Team
from materials.models import Dataset, Explanation
from tests.materials.actors import judge, sha256

CONTENTS = ["a great film", "caf\u00e9 👍🏽 film, isn't it\u00a0great?", "awful\r\nreally " + "film " * 80]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_it_works(team: Team, folders: Callable[[str], Path], tmp_path: Path, kind: str) -> None:
    dataset = Dataset.objects.create(team=team, name="Films", slug="films")
    for at, content in enumerate(CONTENTS):
        dataset.texts.create(key=str(at), content=content, content_hash=sha256(content))
    judge(team, ["neg", "pos"])
    source, out = tmp_path / "films.parquet", tmp_path / "maps.parquet"
    texts = {"id": [str(at) for at in range(len(CONTENTS))], "text": CONTENTS}
    pyarrow.parquet.write_table(pyarrow.table(texts), source)
    chosen = {"classifier": str(folders(kind)), "methods": "integrated_gradients,attention_all,random", "out": out}
    call_command("explain", str(source), **chosen)
    call_command("import_explanations", str(out), dataset="Films")
    rows = pyarrow.parquet.read_table(out).to_pylist()
    assert len(rows) == Explanation.objects.count() == 9
    for row in rows:
        made = Explanation.objects.get(text__key=row["text_id"], method=f"imported:{row['method']}")
        assert list(map(repr, made.scores)) == list(map(repr, row["scores"]))
        assert [[start, end] for start, end in zip(made.starts, made.ends, strict=True)] == row["offsets"]
        assert (made.target, made.seed) == (row["target"], row["seed"])
        assert made.completeness_error == row["completeness_error"] and made.seconds == row["seconds"]
        assert [piece for piece, _ in made.special] == row["special_pieces"]
        assert [score for _, score in made.special] == row["special_scores"]
    assert None in Explanation.objects.filter(text__key="2")[0].scores
