"""A folder appears whole or not at all, whoever writes it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp


@contextmanager
def appearing(out_folder: Path) -> Iterator[Path]:
    """A folder beside the goal to write in; it takes the goal's place at the end, and goes if anything fails."""
    out_folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(mkdtemp(prefix=f".{out_folder.name}-", dir=out_folder.parent))
    unfinished.chmod(0o755)
    try:
        yield unfinished
        shutil.rmtree(out_folder, ignore_errors=True)
        unfinished.rename(out_folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
