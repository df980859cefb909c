"""heds.json: the Human Evaluation Data Sheet, as far as the platform knows; heds_form.json: the same for its form."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.study import MARKING, PAIRWISE, RATING, REVEAL, SIMULATION, TOPK_GUESS
from catalogue.languages import LANGUAGES
from materials.counting import counted
from protocols import PROTOCOLS
from protocols.scales import SLIDER_END, points_of
from protocols.word_importance import POINTS
from reports.files.heds import OPTIONS, QUESTIONS, SOURCE, Question
from reports.files.kind import File, FileKind, Parcel, text_file
from reports.files.methods import TESTS
from reports.measures import MEASURES
from reports.palette import coefficient_label, method_label
from reports.tabulating import show

Report = dict[str, Any]
# What people did, rather than what they thought, is measured.
PERFORMED = (TOPK_GUESS, REVEAL, *SIMULATION)
GRADED = (RATING, "word_importance")


@dataclass(frozen=True)
class Answer:
    """In words; `options` are the places of what is chosen among the question's, empty where it is answered in text."""

    text: str
    options: tuple[int, ...] = ()


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.of_people:
        answers = answer_all(parcel.report)
        criterion = MEASURES[parcel.report["meta"]["protocol"]].label
        yield text_file("heds.json", _json(_sheet(answers, criterion)))
        yield text_file("heds_form.json", _json(_form(answers, criterion)))


def answer_all(report: Report) -> dict[str, Answer]:
    """By the number of the question; those that only people can answer are left out."""
    design = report.get("design")
    found = dict(_always(report)) | dict(_elicited(report))
    return found | (dict(_designed(report, design)) if design else {})


def _always(report: Report) -> Iterator[tuple[str, Answer]]:
    meta = report["meta"]
    protocol = meta["protocol"]
    systems = ", ".join(method_label(row["method"]) for row in report["methods"])
    yield "1.1.2", Answer(f"Study {meta.get('source', '')}, data SHA-256 {meta['hashes']['data']}.")
    if systems:
        yield "2.1", Answer("A text and a classifier's prediction of its label.")
        yield "2.2", Answer("A saliency score for each word of the text.")
        yield "2.3", Answer(f"Explanation of a text classifier, by: {systems}.")
    if workers := len(report.get("workers", [])):
        yield "3.2.1", Answer(str(workers))
    yield "4.2.1", _option("4.2.1", 1 if protocol in PERFORMED else 2)
    yield "4.2.2", _option("4.2.2", 2 if protocol == PAIRWISE else 1)
    yield "4.2.3", _option("4.2.3", 2 if protocol in PERFORMED else 1)


def _elicited(report: Report) -> Iterator[tuple[str, Answer]]:
    protocol = report["meta"]["protocol"]
    forms = {PAIRWISE: 3, MARKING: 6, **dict.fromkeys(GRADED, 2), **dict.fromkeys(PERFORMED, 9)}
    if protocol in forms:
        yield "4.3.8", _option("4.3.8", forms[protocol])
    yield "4.3.9", Answer(MEASURES[protocol].note)
    tests = dict.fromkeys(
        row[key]["test"] for row in report["methods"] for key in ("vs_random", "vs_no_explanation") if key in row
    )
    tests |= dict.fromkeys(test for row in report.get("differences", []) for test in row.get("tests", {}))
    named = "; ".join(dict.fromkeys(TESTS.get(test, test) for test in tests))
    families = "adjusted by Holm: differences from an arm over the methods, others over all pairs"
    yield "4.3.10", Answer(f"Differences of scores, with {named}, {families}." if named else "None")
    agreed = report.get("agreement", [])
    yield "4.3.11.1", Answer("; ".join(_coefficient(row) for row in agreed) or "InterAA not assessed")
    known = [f"{_coefficient(row)}: {row['value']:.3f}{_within(row)}" for row in agreed if row["status"] == "ok"]
    yield "4.3.11.2", Answer("; ".join(known) or ("undefined" if agreed else "InterAA not assessed"))
    yield "4.3.12.1", Answer("IntraAA not assessed")
    yield "4.3.12.2", Answer("IntraAA not assessed")


def _coefficient(row: Report) -> str:
    return f"{coefficient_label(row['coefficient'])} ({row['level']})"


def _within(row: Report) -> str:
    return "" if row["ci"] is None else f" (95 % interval {show('scores', row['ci'])})"


def _designed(report: Report, design: Report) -> Iterator[tuple[str, Answer]]:
    """What the campaign's design tells."""
    protocol, size = PROTOCOLS[report["meta"]["protocol"]], design["size"]
    if code := design["dataset_language"]:
        language = LANGUAGES[code].english if code in LANGUAGES else code
        yield "2.4", Answer(language)
        yield "2.5", Answer(language)
    sampled = f"{counted(design['texts_per_label'], 'text')} for each label, drawn with seed {design['sample_seed']}."
    yield "3.1.1", Answer(f"{counted(size['texts'], 'text')}, under each of {counted(size['conditions'], 'condition')}")
    yield "3.1.2", _option("3.1.2", 2, sampled)
    if float(design["pay_per_worker"]):
        yield "3.2.2.2", _option("3.2.2.2", 1, f"{design['pay_per_worker']} {design['currency']} each.")
    yield "3.2.3", Answer(f"Recruited by: {design['recruited_by']}.")
    yield "3.2.4", Answer(_training(design))
    if found := report.get("preregistration"):
        said = (
            f"Frozen and hashed at launch, {found['registered_at']}, SHA-256 {found['hash']}; add where it is public."
        )
        yield "3.3.1", _option("3.3.1", 1, said)
    yield "3.3.2", Answer(f"Web pages of Peekaword {report['meta']['versions']['peekaword']}, in the worker's browser.")
    yield from _assured(report, design)
    yield "3.3.4.2", Answer(protocol.summary)
    yield "3.3.5", _option("3.3.5", 2, f"{counted(design['minutes_per_item'], 'minute')} an item.")
    if design["survey"] or design["contact"]:
        yield "3.3.6", _feedback(design)
    yield "3.3.7", _option("3.3.7", 1)
    yield "3.3.8", Answer("Place, time and device are the worker's own; window size and colour scheme were recorded.")
    yield from _instrument(protocol.name, design)


def _training(design: Report) -> str:
    parts = [counted(design["practice_items"], "practice text") + " with feedback" if design["practice_items"] else ""]
    if design["comprehension"]:
        parts.append(f"{counted(len(design['comprehension']), 'question')} about the instructions")
    return f"{'; '.join(part for part in parts if part) or 'None'}. Instructions: {design['instructions']}"


def _assured(report: Report, design: Report) -> Iterator[tuple[str, Answer]]:
    by_hand = report.get("participants", {}).get("excluded", 0)
    checks = design["checks"] or design["gold_items"] or design["comprehension"]
    chosen = {2: bool(checks or design["rules"]), 3: bool(by_hand), 4: bool(design["rules"] or by_hand)}
    places = tuple(place for place, is_so in chosen.items() if is_so) or (7,)
    yield "3.3.3.1", Answer("; ".join(OPTIONS["3.3.3.1"][place] for place in places), places)
    parts = [f"{counted(len(design['checks']), 'attention check')}"] if design["checks"] else []
    parts += [f"{counted(design['gold_items'], 'item')} with a known answer"] if design["gold_items"] else []
    parts += [f"left out: workers who {rule}" for rule in design["rules"].values()]
    parts += [f"{counted(by_hand, 'worker')} excluded by hand"] if by_hand else []
    yield "3.3.3.2", Answer("; ".join(parts) or "N/A")


def _feedback(design: Report) -> Answer:
    if design["survey"]:
        return _option("3.3.6", 3, counted(len(design["survey"]), "question") + " after the work.")
    return _option("3.3.6", 4, "The pages name a contact.")


def _instrument(protocol: str, design: Report) -> Iterator[tuple[str, Answer]]:
    """What workers answer on."""
    settings, values = design["protocol_settings"], [str(label) for label in design["classifier"][3]]
    points = points_of(settings) if protocol == RATING else POINTS
    slider = protocol == RATING and points == 0
    if protocol in GRADED:
        values = [f"0 to {SLIDER_END}"] if slider else [str(point + 1) for point in range(points)]
    elif protocol == PAIRWISE:
        values = ["first", "second", *(["neither"] if settings["ties"] == "allowed" else [])]
    elif design["cannot_tell"]:
        values.append("cannot tell")
    marked = protocol == MARKING
    size = "N/A" if marked else str(SLIDER_END + 1 if slider else len(values))
    yield "4.3.1.1", Answer("no name given")
    yield "4.3.2", Answer(design["instructions"])
    yield "4.3.3", Answer(size)
    yield "4.3.4", Answer("N/A" if marked else ", ".join(values))
    yield "4.3.5", _option("4.3.5", 4 if marked else 3 if slider else 1)
    yield "4.3.6", Answer(PROTOCOLS[protocol].summary if marked else "N/A")
    yield "4.3.7", Answer(design["question"])


def _option(number: str, place: int, detail: str = "") -> Answer:
    return Answer(" ".join([OPTIONS[number][place], detail]).strip(), (place,))


def _sheet(answers: dict[str, Answer], criterion: str) -> Report:
    rows = [
        {
            "question": one.number,
            "label": one.label,
            "field": one.field,
            "answer": answers[one.number].text if one.number in answers else None,
            "todo": None if one.number in answers else one.todo or "Not known to the platform.",
        }
        for one in QUESTIONS
    ]
    return {"source": SOURCE, "criterion": criterion, "questions": rows}


def _form(answers: dict[str, Answer], criterion: str) -> Report:
    """As the form reads it: a field's value stands under the criterion's name, or under nothing outside section 4."""
    fields: Report = {"heds-criteria-criterion": {"data": {}, "control": {criterion: True}, "text": {}}}
    for one in QUESTIONS:
        if one.number in answers and (one.number in OPTIONS or not one.number.startswith("2.")):
            fields |= _fields(one, answers[one.number], criterion if one.of_criterion else "")
    return fields


def _fields(question: Question, answer: Answer, key: str) -> Report:
    if not answer.options:
        return {question.field: {"data": {key: answer.text}, "control": {}}}
    chosen = [(place, OPTIONS[question.number][place]) for place in answer.options]
    found: Report = {
        f"{question.field}-{place}": {"data": {key: True}, "control": {}, "text": {key: text}} for place, text in chosen
    }
    return found | {f"{question.field}-other_text": {"data": {key: answer.text}, "control": {}}}


def _json(value: Report) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


DATASHEET = FileKind(
    "datasheet",
    "Datasheet",
    ("heds.json", "heds_form.json"),
    "HEDS 3.0, the Human Evaluation Data Sheet (Belz & Thomson 2024), with what the platform knows filled in and what "
    "a person has to add; heds_form.json can be uploaded to the form at nlp-heds.github.io.",
    make,
)
