"""What every lint tells of, and what it looks at."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from django.core.cache import cache

from campaigns.describing import planned
from campaigns.designing import Estimate
from campaigns.models import Campaign, Condition, SampledText
from language.words import segment
from protocols import PROTOCOLS, Protocol

Role = SampledText.Role
# Of a large sample, what is looked at word by word.
LOOKED_AT = 1000
REMEMBERED_SECONDS = 3600


class Severity(Enum):
    """`STOP` is what would lose workers: it refuses the launch."""

    STOP = "stop"
    WARNING = "warning"
    GOOD = "good"


@dataclass(frozen=True)
class Finding:
    """`text` says what was found, `remedy` what to do; a good finding needs none."""

    name: str
    severity: Severity
    text: str
    remedy: str = ""

    @property
    def good(self) -> bool:
        return self.severity == Severity.GOOD

    @property
    def stops(self) -> bool:
        return self.severity == Severity.STOP


class Inspected:
    """A prepared campaign. Everything is read once, by whichever lint wants it first."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    @property
    def protocol(self) -> Protocol:
        return PROTOCOLS[self.campaign.protocol]

    @cached_property
    def sample(self) -> list[SampledText]:
        return list(self.campaign.sample.select_related("text"))

    @cached_property
    def items(self) -> list[SampledText]:
        return self.of(Role.ITEM)

    def of(self, role: SampledText.Role) -> list[SampledText]:
        return [sampled for sampled in self.sample if sampled.role == role]

    @cached_property
    def conditions(self) -> list[Condition]:
        return list(self.campaign.conditions.all())

    @cached_property
    def plan(self) -> Estimate:
        return planned(self.campaign)

    @cached_property
    def words(self) -> dict[int, list[str]]:
        """Of each text looked at, by its id; without punctuation."""
        return {one.text_id: self._words(one) for one in self.sample[:LOOKED_AT]}

    def _words(self, sampled: SampledText) -> list[str]:
        content, language = sampled.text.content, sampled.text.language or self.campaign.dataset.language
        return [content[word.start : word.end] for word in segment(content, language) if not word.punctuation]

    @property
    def looked_at(self) -> str:
        """Said where not all could be looked at."""
        return f" of the first {LOOKED_AT:,}" if len(self.sample) > LOOKED_AT else ""


# None where it does not apply to the campaign.
Lint = Callable[[Inspected], Finding | None]


def remembered(lint: Lint) -> Lint:
    """Reading a thousand texts takes a second, and neither they nor what is shown of them changes until the campaign is
    prepared anew, which writes new rows."""

    def found(seen: Inspected) -> Finding | None:
        rows = [one.pk for one in (*seen.sample[-1:], *seen.conditions[-1:])]
        labels = "|".join(seen.campaign.classifier.label_names)
        key = hashlib.sha256(f"{lint.__name__}:{seen.campaign.pk}:{rows}:{labels}".encode()).hexdigest()
        return cache.get_or_set(f"lint:{key}", lambda: lint(seen), REMEMBERED_SECONDS)

    return found
