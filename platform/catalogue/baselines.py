"""Arms that show no method's map: what people can do without one, or with all there is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Baseline:
    name: str
    label: str
    description: str


BASELINES: dict[str, Baseline] = {
    one.name: one
    for one in (
        Baseline("no_explanation", "No explanation", "The same task with nothing highlighted."),
        Baseline("full_text", "Full text", "The whole text, readable: the best that words can do."),
    )
}
