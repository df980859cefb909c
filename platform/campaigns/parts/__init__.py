from campaigns.parts.arms import ArmsPart
from campaigns.parts.care import CarePart
from campaigns.parts.languages import LanguagesPart
from campaigns.parts.part import Part
from campaigns.parts.plan import PlanPart
from campaigns.parts.protocol import ProtocolPart
from campaigns.parts.quality import QualityPart
from campaigns.parts.recruitment import RecruitmentPart

PARTS: tuple[type[Part], ...] = (
    ProtocolPart, ArmsPart, QualityPart, CarePart, RecruitmentPart, PlanPart, LanguagesPart,
)  # fmt: skip

__all__ = ["PARTS", "Part"]
