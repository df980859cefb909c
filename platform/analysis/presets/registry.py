"""The presets by name: what kind of outside file each reads."""

from collections.abc import Callable
from dataclasses import dataclass

from analysis.plausibility.cues import CueStudy
from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.ding2021 import read_ding2021
from analysis.presets.lu2024 import read_lu2024
from analysis.presets.mapping import read_mapping
from analysis.presets.mturk import read_mturk
from analysis.presets.peekaword import read_peekaword
from analysis.presets.schuff2022 import read_schuff2022
from analysis.study import Study


@dataclass(frozen=True)
class Preset:
    """`read` takes a path, and by keyword what the `options` of the command line say; it may be called without them.

    One that `numbers` workers takes `by_id`, too: who puts files together has to know whom they have in common.
    """

    read: Callable[..., Study | CueStudy]
    options: tuple[str, ...] = ()
    numbers: bool = False


PRESETS = {
    "crowdkit": Preset(read_crowdkit, options=("level", "truth")),
    "ding2021": Preset(read_ding2021, options=("set_name",)),
    "lu2024": Preset(read_lu2024),
    "mapping": Preset(read_mapping, options=("level", "mapping")),
    "mturk": Preset(read_mturk, options=("level", "answer", "text", "method", "k", "expected"), numbers=True),
    "peekaword": Preset(read_peekaword),
    "schuff2022": Preset(read_schuff2022, options=("display",)),
}
