"""What part of the judgments the report is of, where it is not of all."""

from reports.sections.section import Caution, Matter, Report, Section, caution

# Below so many texts an interval over texts says little.
FEW = 20


def find_warnings(matter: Matter, report: Report) -> list[Caution]:
    found = report["meta"].get("filter")
    if found is None:
        return []
    message = (
        f"This is a part of the campaign ({found['in_words']}): {found['n']:,} of {found['of']:,} judgments that "
        f"count, {found['n_texts']:,} texts. It was chosen with the answers at hand, so read it as a hint to test "
        "anew, not as a finding."
    )
    cautions = [caution("filtered", message)]
    if found["n_texts"] < FEW:
        few = f"Fewer than {FEW} texts are left: intervals are wide, and chance is easily taken for a difference."
        cautions.append(caution("few_texts", few))
    return cautions


SECTION = Section("filter", "Filter", warnings=find_warnings)
