from campaigns.parts.arms import ArmsPart
from campaigns.parts.part import Part
from campaigns.parts.protocol import ProtocolPart

PARTS: tuple[type[Part], ...] = (ProtocolPart, ArmsPart)

__all__ = ["PARTS", "Part"]
