"""What workers are owed, and what may be held against them."""

from campaigns.easing import practice_conditions
from campaigns.lints.lint import Finding, Inspected, Severity
from materials.colours import least_contrast
from materials.counting import counted

# With fewer words even a careful reader often cannot tell: in Lu et al. (2024) a fifth of the reviews were not
# recognised by the majority with the best method's 10 words.
LOW_K = 20
READABLE = 4.5


def consent(seen: Inspected) -> Finding:
    if seen.campaign.consent.strip():
        return Finding("Consent", Severity.GOOD, "Workers agree to a text of yours before anything else.")
    return Finding(
        "Consent",
        Severity.STOP,
        "There is no consent text: workers would not know what they agree to, and what they give could not be used.",
        "Write one: what the study is about, that taking part is voluntary, what is stored, and for how long.",
    )


def contact(seen: Inspected) -> Finding:
    if seen.campaign.contact.strip():
        return Finding("Contact", Severity.GOOD, f"Workers can reach {seen.campaign.contact}.")
    return Finding(
        "Contact", Severity.WARNING, "Workers find nobody to ask.", "Give a name with an e-mail address as contact."
    )


def known_answers(seen: Inspected) -> Finding | None:
    """An honest worker has to be able to know them. Low-k guessing is no attention check."""
    if not seen.campaign.gold_items or not seen.conditions:
        return None
    easiest = practice_conditions(seen.conditions, 1)[0]
    if easiest.k is not None and easiest.k < LOW_K:
        return Finding(
            "Known answers",
            Severity.WARNING,
            f"Items with a known answer show {counted(easiest.k, 'word')}, the most of this design: a careful worker "
            "may well miss them, and must not be judged by them.",
            "Take attention checks that say what to choose instead, or add a larger number of words.",
        )
    return Finding("Known answers", Severity.GOOD, "Items with a known answer are shown in the easiest way there is.")


def contrast(seen: Inspected) -> Finding | None:
    if not seen.protocol.displays:
        return None
    found = least_contrast()
    if found < READABLE:
        return Finding(
            "Contrast",
            Severity.WARNING,
            f"Text on the strongest mark has a contrast of {found:.1f} to 1 only.",
            f"Take lighter colours: {READABLE} to 1 can be read by nearly everybody.",
        )
    return Finding("Contrast", Severity.GOOD, f"Text on the strongest mark keeps a contrast of {found:.1f} to 1.")
