from protocols.counterfactual_simulation import COUNTERFACTUAL_SIMULATION
from protocols.forward_simulation import FORWARD_SIMULATION
from protocols.labels import LABELS
from protocols.pairwise import PAIRWISE
from protocols.protocol import CANNOT_TELL, Answer, Content, Edited, Map, Option, Presentation, Protocol, Source
from protocols.rating import RATING
from protocols.rationale_marking import RATIONALE_MARKING
from protocols.reveal import REVEAL
from protocols.topk_guess import TOPK_GUESS
from protocols.word_importance import WORD_IMPORTANCE

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        TOPK_GUESS,
        REVEAL,
        RATING,
        PAIRWISE,
        WORD_IMPORTANCE,
        FORWARD_SIMULATION,
        COUNTERFACTUAL_SIMULATION,
        RATIONALE_MARKING,
    )
}
# Those that are asked here, and what judgments from elsewhere may be.
KNOWN: dict[str, Protocol] = {**PROTOCOLS, LABELS.name: LABELS}

__all__ = [
    "CANNOT_TELL",
    "KNOWN",
    "PROTOCOLS",
    "Answer",
    "Content",
    "Edited",
    "Map",
    "Option",
    "Presentation",
    "Protocol",
    "Source",
]
