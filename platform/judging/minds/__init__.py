"""How simulated workers read and answer each protocol's page: one reader a protocol."""

from judging.minds.foretelling import foretell, foretell_edit
from judging.minds.guessing import guess_label, uncover
from judging.minds.marking import mark_anything, mark_others, mark_telling
from judging.minds.rating import prefer_marks, rate_anyhow, rate_contrarily, rate_marks, rate_word
from judging.minds.reader import Reader

READERS: dict[str, Reader] = {
    "topk_guess": Reader(guess_label),
    "reveal": Reader(uncover),
    "rating": Reader(rate_marks, rate_anyhow, rate_contrarily),
    "pairwise": Reader(prefer_marks),
    "word_importance": Reader(rate_word, rate_anyhow, rate_contrarily),
    "forward_simulation": Reader(foretell),
    "counterfactual_simulation": Reader(foretell_edit),
    "rationale_marking": Reader(mark_telling, mark_anything, mark_others),
}

__all__ = ["READERS", "Reader"]
