from campaigns.parts.arms import ArmsPart
from campaigns.parts.part import Part
from campaigns.parts.protocol import ProtocolPart
from campaigns.parts.recruitment import RecruitmentPart

PARTS: tuple[type[Part], ...] = (ProtocolPart, ArmsPart, RecruitmentPart)

__all__ = ["PARTS", "Part"]
