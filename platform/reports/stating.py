"""What may have moved an answer besides what was asked, as far as the record of the stimulus says it."""

from statistics import fmean
from typing import Any

from analysis.study import RATING, WORD_IMPORTANCE
from judging.entering import UNKNOWN
from protocols.displays import Drawn

Facts = dict[str, Any]
# Ours by what the record calls it; positions in the sentence, as in the data that such ratings are compared with.
_OF_A_WORD = {
    "saliency": "saliency",
    "saliency_rank": "rank",
    "saliency_before": "saliency_before",
    "saliency_after": "saliency_after",
    "word_length": "word_length",
    "word_position": "sentence_position",
    "capitals": "capitals",
    "sentence_length": "sentence_length",
    "text_length": "text_length",
}


def facts_of(protocol: str, content: dict[str, Any], shown: dict[str, Any], position: int | None) -> Facts:
    """By the names of COVARIATES; empty where nothing is kept. Of judgments from elsewhere, what came with them."""
    if UNKNOWN in shown:
        elsewhere: Facts = shown[UNKNOWN]
        return elsewhere
    if protocol == WORD_IMPORTANCE and content.get("facts"):
        facts = {ours: content["facts"][theirs] for ours, theirs in _OF_A_WORD.items() if theirs in content["facts"]}
    elif protocol == RATING and content.get("map"):
        words = content["map"]["words"]
        facts = {"text_length": len(words)} | _of_marks(content["text"], [Drawn(*word) for word in words])
    else:
        return {}
    return facts | ({} if position is None else {"order": position})


def _of_marks(text: str, words: list[Drawn]) -> Facts:
    """How much is marked, how strongly, and what kind of words; of no marked word only that there is none."""
    marked = [place for place, word in enumerate(words) if word.step]
    if not marked:
        return {"marked_share": 0.0} if words else {}
    drawn = [words[place] for place in marked]
    return {
        "marked_share": len(marked) / len(words),
        "marked_saliency": fmean(abs(word.weight or 0.0) for word in drawn),
        "marked_length": fmean(word.end - word.start for word in drawn),
        "marked_position": fmean(marked) / max(len(words) - 1, 1),
        "marked_capitals": fmean(text[word.start].isupper() for word in drawn),
    }
