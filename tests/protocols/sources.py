"""Sources to render: words with scores, as the campaigns app hands them over."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from language.words import segment
from protocols import Map, Source

REVIEW = "A great film, with a dull ending."
REVIEW_SCORES = (0.1, 0.9, 0.5, 0.0, 0.2, 0.1, -0.6, 0.3, 0.0)  # punctuation has scores too: never used

scores = st.none() | st.floats(-10, 10) | st.sampled_from([0.0, 1.0, float("nan"), float("inf"), -1e-300])
pieces = st.sampled_from(
    ["secretword", "great", "<b>", "été", "🙂", "سلام", "不错", ",", ".", "\n", "!", "don't", "great"]
)

# The first Chinese word opens a dictionary, which takes too long for a drawn example.
segment("不错")


def source(
    content: str = REVIEW, given: Sequence[float | None] = REVIEW_SCORES, signed: bool = True, **changes: Any
) -> Source:
    words = segment(content)
    return replace(
        Source(
            content=content,
            starts=[word.start for word in words],
            ends=[word.end for word in words],
            maps=[Map(given, signed)],
            predicted="positive",
            labels=["negative", "positive"],
            question="What is it?",
            cannot_tell=True,
            k=3,
        ),
        **changes,
    )


@st.composite
def sources(draw: st.DrawFn, /, **changes: Any) -> Source:
    content = " ".join(draw(st.lists(pieces, min_size=1, max_size=25)))
    count = len(segment(content))
    given = draw(st.lists(scores, min_size=count, max_size=count))
    return source(content, given, signed=draw(st.booleans()), **changes)
