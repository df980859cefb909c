from protocols.protocol import Content, Protocol, Source

PROTOCOLS: dict[str, Protocol] = {}

__all__ = ["PROTOCOLS", "Content", "Protocol", "Source"]
