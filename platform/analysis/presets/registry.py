"""The presets by name: what kind of outside file each reads."""

from collections.abc import Callable
from dataclasses import dataclass

from analysis.plausibility.cues import CueStudy
from analysis.presets.ding2021 import read_ding2021
from analysis.presets.lu2024 import read_lu2024
from analysis.presets.peekaword import read_peekaword
from analysis.study import Study


@dataclass(frozen=True)
class Preset:
    """`read` takes a path, and by keyword what the `options` of the command line say; it may be called without them."""

    read: Callable[..., Study | CueStudy]
    options: tuple[str, ...] = ()


PRESETS = {
    "ding2021": Preset(read_ding2021, options=("set_name",)),
    "lu2024": Preset(read_lu2024),
    "peekaword": Preset(read_peekaword),
}
