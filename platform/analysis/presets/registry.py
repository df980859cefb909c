"""The presets by name: what kind of outside file each reads."""

from collections.abc import Callable
from pathlib import Path

from analysis.presets.lu2024 import read_lu2024
from analysis.presets.peekaword import read_peekaword
from analysis.study import Study

PRESETS: dict[str, Callable[[Path], Study]] = {
    "lu2024": read_lu2024,
    "peekaword": read_peekaword,
}
