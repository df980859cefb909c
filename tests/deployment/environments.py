"""Virtual environments that hold what an image's `pip install` brings, and nothing else of what is installed here.

All of it is here already, in the versions of constraints.txt: each distribution that the project needs, and that those
need in turn, is linked into a fresh environment. What is not declared is then missing, as it would be in the image.
"""

import csv
import sys
import tomllib
import venv
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deployment.composing import ROOT


def needed(extras: Iterable[str]) -> dict[str, Distribution]:
    """By name, all that pyproject.toml asks for with these extras, and what that asks for in turn."""
    found: dict[str, Distribution] = {}
    waiting = [(one, "") for one in _declared(extras)]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        asked = ["", *requirement.extras]
        if name in found and asked == [""]:
            continue
        found[name] = distribution(name)
        waiting += [(Requirement(one), extra) for one in found[name].requires or [] for extra in asked]
    return found


def _declared(extras: Iterable[str]) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    return [
        Requirement(one) for one in [*project["dependencies"], *(one for extra in extras for one in optional[extra])]
    ]


def build(folder: Path, app: Path, extras: Iterable[str]) -> Path:
    """The environment's Python. `app` is installed in it as `pip install --editable` does it."""
    venv.create(folder, symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "lib" / version / "site-packages"
    chosen = needed(extras)
    for name, one in chosen.items():
        _link(one, site, name)
        _write_scripts(one, folder / "bin")
    (site / "peekaword.pth").write_text(f"{app / 'platform'}\n{app}\n")
    _link_about(distribution("peekaword"), site)
    return folder / "bin" / "python"


def _link(one: Distribution, site: Path, name: str) -> None:
    """Folders whole where they are this distribution's alone, and file by file where others share them."""
    shared = _shared()
    tops = {file.partition("/")[0] for file in _files(one)} - {"..", "__pycache__"}
    alone = {top for top in tops if shared[top] == {name}}
    for linked in [*alone, *(file for file in _files(one) if file.partition("/")[0] in tops - alone)]:
        target = site / linked
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(Path(str(one.locate_file(linked))))


def _link_about(one: Distribution, site: Path) -> None:
    """What is known of the distribution, without its files."""
    (about,) = {file.partition("/")[0] for file in _files(one) if ".dist-info/" in file}
    (site / about).symlink_to(Path(str(one.locate_file(about))))


def _files(one: Distribution) -> list[str]:
    """As its record says. `Distribution.files` looks for each on disk, which takes a minute for all."""
    return [row[0] for row in csv.reader((one.read_text("RECORD") or "").splitlines()) if "__pycache__" not in row[0]]


@cache
def _shared() -> dict[str, set[str]]:
    """Whose files lie in each top folder of what is installed here."""
    owners: dict[str, set[str]] = defaultdict(set)
    for one in distributions():
        for top in {file.partition("/")[0] for file in _files(one)}:
            owners[top].add(canonicalize_name(one.name))
    return owners


def _write_scripts(one: Distribution, folder: Path) -> None:
    for entry in one.entry_points.select(group="console_scripts"):
        module, _, function = entry.value.partition(":")
        script = folder / entry.name
        script.write_text(
            f"#!{folder / 'python'}\nimport sys\nfrom {module} import {function.partition(' ')[0].partition('.')[0]}\n"
            f"sys.exit({function.partition(' ')[0]}())\n"
        )
        script.chmod(0o755)
