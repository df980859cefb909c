"""What the numbers rest on: how complete the data are, and who gave them. Warnings alone."""

from analysis.study import MARKING, RANDOM, STIMULUS, TOPK_GUESS, Study
from reports.palette import method_label
from reports.sections.section import Caution, Matter, Report, Section, caution


def find_warnings(matter: Matter, _report: Report) -> list[Caution]:
    study = matter.study
    return [
        *(caution(*notice) for notice in study.notices),
        *_about_design(study),
        *_about_votes(study),
        *_about_explanations(study),
    ]


def _about_design(study: Study) -> list[Caution]:
    found = []
    if study.methods and RANDOM not in study.methods and study.protocol != MARKING:
        found.append(caution("no_random_arm", "There is no Random arm, so no method is compared with chance."))
    if study.protocol != TOPK_GUESS:
        return found
    cells, texts = study.cells, study.cells["text"].nunique()
    wanted = texts * study.cells["method"].nunique() * study.cells["k"].nunique()
    if len(cells) < wanted:
        missing = f"{wanted - len(cells):,} of {wanted:,} cells (text, method, k) have no judgment."
        found.append(caution("unjudged_cells", f"{missing} Scores compare methods on different texts."))
    return found


def _about_votes(study: Study) -> list[Caution]:
    if study.answers is None:
        message = "Only majority verdicts are known: agreement and workers cannot be described."
        return [caution("only_majority_verdicts", message)]
    found = []
    votes = study.answers.groupby(STIMULUS, dropna=False).size()
    if votes.min() < votes.max():
        message = f"Stimuli have between {votes.min()} and {votes.max()} judgments: the data are not complete."
        found.append(caution("uneven_votes", message))
    if study.meta.get("simulated"):
        simulated = f"{study.meta['simulated']:,} of {_judgments(len(study.answers))}"
        found.append(caution("simulated_workers", f"{simulated} come from simulated workers, not from people."))
    late = int(study.answers["late"].sum())
    if late:
        message = f"{_judgments(late)} of {len(study.answers):,} came late and counted here."
        found.append(caution("late_judgments", message))
    if study.meta.get("not_counted"):
        beyond = _judgments(study.meta["not_counted"])
        message = f"{beyond} kept in the export and not counted here: they came when all were in, or of workers who "
        message += "stopped half way or were excluded."
        found.append(caution("not_counted", message))
    return found


def _about_explanations(study: Study) -> list[Caution]:
    errors: dict[str, float] = study.meta.get("incomplete_methods", {})
    return [
        caution(
            "incomplete_explanations",
            f"{method_label(method)}: the median relative completeness error is {error * 100:.0f} %, so its scores do "
            "not add up to the model's output as the method promises.",
        )
        for method, error in errors.items()
    ]


def _judgments(count: int) -> str:
    return "1 judgment" if count == 1 else f"{count:,} judgments"


SECTION = Section("basis", "What the numbers rest on", warnings=find_warnings)
