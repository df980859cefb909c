"""A browser by what it says of itself, in words that its owner knows it by."""

# The first that is named counts: most browsers name others besides themselves.
_BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrom": "Chrome", "Safari/": "Safari"}
_SYSTEMS = {
    "iPhone": "an iPhone", "iPad": "an iPad", "Android": "Android", "Windows": "Windows", "Macintosh": "a Mac",
    "Linux": "Linux",
}  # fmt: skip


def browser_of(user_agent: str) -> str:
    browser = next((name for mark, name in _BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or user_agent[:60] or "A browser that says nothing of itself"
