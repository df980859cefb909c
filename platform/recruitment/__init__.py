from recruitment.open_link import OPEN_LINK
from recruitment.provider import Arrival, Provider

PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in (OPEN_LINK,)}

__all__ = ["PROVIDERS", "Arrival", "Provider"]
