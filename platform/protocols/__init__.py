from protocols.protocol import CANNOT_TELL, Answer, Content, Edited, Map, Option, Presentation, Protocol, Source
from protocols.rating import RATING
from protocols.topk_guess import TOPK_GUESS

PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in (TOPK_GUESS, RATING)}

__all__ = [
    "CANNOT_TELL",
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
