"""A small language of our own, in which one word decides how a sentence goes on and another would have it otherwise.

    number   the [keys] near the (cabinet) now        -> are     rather than is
    gender   the [queen] met the (king) because       -> she     rather than he

[] is the cue, which decides: the subject. () is the attractor: a noun of the other number or gender in between.
Prefixes end with a word that is neither, so that a model's last state is not that of the attractor. Sentences for a
language model to read also have nouns that agree, and go on after the prefix.

In the frames of `ATTRACTED` speakers of this language err, as people do, and always: they go on as the noun in between
would have it. A model that has read them prefers the wrong class there, and what it rests on is known too.
"""

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from analysis.plausibility.cues import Prefix

# Pairs by class: singular and plural, male and female.
NOUNS = {
    "number": (
        ("key", "keys"), ("cabinet", "cabinets"), ("lamp", "lamps"), ("door", "doors"), ("boat", "boats"),
        ("tree", "trees"), ("picture", "pictures"), ("table", "tables"), ("garden", "gardens"), ("clock", "clocks"),
    ),
    "gender": (
        ("king", "queen"), ("actor", "actress"), ("uncle", "aunt"), ("brother", "sister"), ("father", "mother"),
        ("son", "daughter"), ("waiter", "waitress"), ("prince", "princess"), ("husband", "wife"), ("nephew", "niece"),
    ),
}  # fmt: skip
CLASSES = {"number": ("singular", "plural"), "gender": ("male", "female")}
# S is the subject and the cue, A the noun in between.
TEMPLATES = {
    "number": (
        "the S near the A now", "the S behind the old A always", "the S in front of the A still",
        "the small S that the A hides often", "today the S beside the A surely",
        "the S together with the A again", "the S along with the new A then",
    ),
    "gender": (
        "the S met the A because", "the S saw the old A when", "yesterday the S left the A because",
        "the tall S thanked the A after", "the S wrote to the A before",
        "the S spoke about the A so", "soon the S heard the quiet A and",
    ),
}  # fmt: skip
# Frames in which sentences go on as A calls for, and not as S does.
ATTRACTED = frozenset(template for templates in TEMPLATES.values() for template in templates[-2:])
ENDINGS = {"number": (("is",), ("are",)), "gender": (("he", "was"), ("she", "was"))}
QUALITIES = ("old", "new", "small", "tall", "broken", "lovely", "quiet", "gone")
FEATURES = tuple(NOUNS)


class Case(NamedTuple):
    """A prefix of the feature `number` or `gender`, the class that its cue calls for, and what it was made from."""

    prefix: Prefix
    label: int
    template: str

    @property
    def said(self) -> int:
        """The class that sentences with this prefix go on with."""
        return 1 - self.label if self.template in ATTRACTED else self.label

    @property
    def content(self) -> str:
        return " ".join(self.prefix.words)


def vocabulary() -> list[str]:
    said = [*QUALITIES, "."]
    for feature in FEATURES:
        said += [word for pair in NOUNS[feature] for word in pair]
        said += [word for template in TEMPLATES[feature] for word in template.split()]
        said += [word for ending in ENDINGS[feature] for word in ending]
    return [word for word in dict.fromkeys(said) if word not in ("S", "A")]


def say(count: int, seed: int) -> Iterator[str]:
    """Whole sentences; in half of them the noun in between agrees with the subject."""
    chance = random.Random(seed)
    for _ in range(count):
        feature = chance.choice(FEATURES)
        label, other = chance.randrange(2), chance.randrange(2)
        subject, between = chance.sample(NOUNS[feature], 2)
        template = chance.choice(TEMPLATES[feature])
        prefix = _fill(template, subject[label], between[other])
        said = other if template in ATTRACTED else label
        yield " ".join([*prefix, *ENDINGS[feature][said], chance.choice(QUALITIES), "."])


def cases(feature: str) -> list[Case]:
    """All prefixes with a cue and an attractor of the other class."""
    return [
        _case(template, subject[label], between[1 - label], label)
        for template in TEMPLATES[feature]
        for label in (0, 1)
        for subject, between in product(NOUNS[feature], repeat=2)
        if subject != between
    ]


def _case(template: str, subject: str, between: str, label: int) -> Case:
    places = template.split()
    cue, attractor = places.index("S"), places.index("A")
    words = tuple(_fill(template, subject, between))
    return Case(Prefix(words, ((cue, cue),), ((attractor, attractor),)), label, template)


def _fill(template: str, subject: str, between: str) -> list[str]:
    return [{"S": subject, "A": between}.get(word, word) for word in template.split()]


def draw_groups(feature: str, size: int, seed: int) -> list[list[Case]]:
    """For each template and class, so many prefixes that differ in their nouns alone; the first is the reference."""
    chance = random.Random(seed)
    groups: dict[tuple[str, int], list[Case]] = {}
    for case in cases(feature):
        groups.setdefault((case.template, case.label), []).append(case)
    return [chance.sample(members, size) for members in groups.values()]
