from recruitment.class_code import CLASS_CODE
from recruitment.invitation import INVITATION
from recruitment.mturk_protocol import MTURK_PROTOCOL
from recruitment.open_link import OPEN_LINK
from recruitment.outcomes import OUTCOMES
from recruitment.panel import PANEL
from recruitment.prolific import PROLIFIC
from recruitment.provider import Arrival, Exit, Provider, Way

PROVIDERS: dict[str, Provider] = {
    provider.name: provider for provider in (PROLIFIC, OPEN_LINK, INVITATION, CLASS_CODE, PANEL, MTURK_PROTOCOL)
}

__all__ = ["OUTCOMES", "PROVIDERS", "Arrival", "Exit", "Provider", "Way"]
