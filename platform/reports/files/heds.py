"""The questions of HEDS 3.0, the Human Evaluation Data Sheet (Belz & Thomson 2024, arXiv:2412.07940).

Numbers and field names are those of the form at https://nlp-heds.github.io, read 2026-11; labels are ours, short: the
form has the questions in full. `todo` says what a person has to fill in where the platform cannot know.
"""

from dataclasses import dataclass

SOURCE = "HEDS 3.0: Belz & Thomson 2024, arXiv:2412.07940; the form and its full questions: https://nlp-heds.github.io"


@dataclass(frozen=True)
class Question:
    """`field` is its name in the form, which takes text, or one of several options, or several of them.

    Questions of section 4 are asked of each quality criterion.
    """

    number: str
    field: str
    label: str
    todo: str = ""

    @property
    def of_criterion(self) -> bool:
        return self.number.startswith("4.")


PAPER, CONTACT = "heds-paper_and_resources-paper", "heds-paper_and_resources-names_and_affiliations"
SAMPLE, EVALUATORS = "heds-sample_evaluators_design-sample", "heds-sample_evaluators_design-evaluators"
DESIGN = "heds-sample_evaluators_design-experimental_design"
CRITERION, ELICITED = "heds-criteria-criterion", "heds-criteria-criterion-response_elicitation"
QUESTIONS = (
    Question("1.1.1", f"{PAPER}-link", "Where the main reference is", "The paper or report, or that there is none."),
    Question("1.1.2", f"{PAPER}-experiment_identification", "Which experiment this is"),
    Question("1.2", "heds-paper_and_resources-resources-links", "Where the resources are", "Where they are shared."),
    *(
        Question(f"1.3.{at}.{part}", f"{CONTACT}-{who}-{field}", f"{label} of {whom}", "A name, a place, an address.")
        for at, who, whom in (
            (1, "person_completing_this_sheet", "the person completing this sheet"),
            (2, "contact_author", "the contact author"),
        )
        for part, field, label in ((1, "name", "Name"), (2, "affiliation", "Affiliation"), (3, "email", "E-mail"))
    ),
    Question("2.1", "heds-system-input_types", "Input of the evaluated systems"),
    Question("2.2", "heds-system-output_types", "Output of the evaluated systems"),
    Question("2.3", "heds-system-tasks", "Task of the evaluated systems"),
    Question("2.4", "heds-system-input_languages", "Language of the input", "The language of the dataset."),
    Question("2.5", "heds-system-output_languages", "Language of the output", "The language of the dataset."),
    Question("3.1.1", f"{SAMPLE}-number_of_system_outputs", "Items evaluated per system"),
    Question("3.1.2", f"{SAMPLE}-system_output_selection", "How items were selected"),
    Question("3.1.3.1", f"{SAMPLE}-statistical_power-method", "Power analysis", "The method, or N/A."),
    Question("3.1.3.2", f"{SAMPLE}-statistical_power-value", "Power of the sample", "Its result, or N/A."),
    Question("3.1.3.3", f"{SAMPLE}-statistical_power-script", "Code of the power analysis", "Where it is, or N/A."),
    Question("3.2.1", f"{EVALUATORS}-number_of_evaluators", "Evaluators whose assessments count"),
    Question("3.2.2.1", f"{EVALUATORS}-evaluators-expertise", "Domain experts", "Whether workers were experts."),
    Question("3.2.2.2", f"{EVALUATORS}-evaluators-payment", "Payment", "Whether and how workers were paid."),
    Question("3.2.2.3", f"{EVALUATORS}-evaluators-known_to_authors", "Known before", "Whether you knew any of them."),
    Question("3.2.2.4", f"{EVALUATORS}-evaluators-are_authors", "Researchers among them", "Whether any judged."),
    Question("3.2.3", f"{EVALUATORS}-recruitment_method", "How evaluators were recruited"),
    Question("3.2.4", f"{EVALUATORS}-training_practice", "Training and practice"),
    Question(
        "3.2.5", f"{EVALUATORS}-characteristics", "Other characteristics",
        "What the questions before and after the work told, in numbers.",
    ),
    Question("3.3.1", f"{DESIGN}-preregistered", "Preregistration", "Whether it was preregistered, with a link."),
    Question("3.3.2", f"{DESIGN}-collection_method", "Medium of the responses"),
    Question("3.3.3.1", f"{DESIGN}-quality_assurance-method", "Types of quality assurance"),
    Question("3.3.3.2", f"{DESIGN}-quality_assurance-description", "Methods of quality assurance"),
    Question("3.3.4.1", f"{DESIGN}-what_evaluators_see-link", "Where the interface can be seen", "A link to pictures."),
    Question("3.3.4.2", f"{DESIGN}-what_evaluators_see-description", "What evaluators see"),
    Question("3.3.5", f"{DESIGN}-evaluator_freedom", "Freedom of when and how fast"),
    Question("3.3.6", f"{DESIGN}-evaluators_can_ask_questions", "Questions and feedback", "Whether they could ask."),
    Question("3.3.7", f"{DESIGN}-experimental_conditions", "Conditions of the evaluation"),
    Question("3.3.8", f"{DESIGN}-evaluators_place_of_choosing", "How conditions vary"),
    Question("4.1.1", f"{CRITERION}-criteria-quality_type", "Type of quality", "Correctness, goodness or a feature."),
    Question("4.1.2", f"{CRITERION}-criteria-output_aspect", "Aspect of the output", "Form, content, or both."),
    Question(
        "4.1.3", f"{CRITERION}-criteria-self_vs_external_frame", "Frame of reference",
        "In its own right, by the input, or by something else.",
    ),
    Question("4.2.1", f"{CRITERION}-evaluation_mode-objective_or_subjective", "Objective or subjective"),
    Question("4.2.2", f"{CRITERION}-evaluation_mode-absolute_or_relative", "Absolute or relative"),
    Question("4.2.3", f"{CRITERION}-evaluation_mode-intrinsic_or_extrinsic", "Intrinsic or extrinsic"),
    Question("4.3.1.1", f"{ELICITED}-qc_name-participant_criterion_name", "Criterion as evaluators read it"),
    Question("4.3.1.2", f"{ELICITED}-qc_name-mapped_criterion_name", "Standard name", "Its name in QCET, say."),
    Question("4.3.2", f"{ELICITED}-participant_criterion_definiiton", "Definition as evaluators read it"),
    Question("4.3.3", f"{ELICITED}-size_of_scale", "Size of the scale"),
    Question("4.3.4", f"{ELICITED}-list_or_range", "Values of the scale"),
    Question("4.3.5", f"{ELICITED}-scale_presented_as", "How the scale is presented"),
    Question("4.3.6", f"{ELICITED}-task_description", "Task, where there is no scale"),
    Question("4.3.7", f"{ELICITED}-verbatim_question", "Question in its own words"),
    Question("4.3.8", f"{ELICITED}-form_of_response", "Form of response elicitation"),
    Question("4.3.9", f"{ELICITED}-response_aggregation", "How responses become scores"),
    Question("4.3.10", f"{ELICITED}-effect_size_method", "Effect size and significance"),
    Question("4.3.11.1", f"{ELICITED}-inter_annotator-agreement", "Inter-annotator agreement: method"),
    Question("4.3.11.2", f"{ELICITED}-inter_annotator-agreement_score", "Inter-annotator agreement: score"),
    Question("4.3.12.1", f"{ELICITED}-intra_annotator-intra_annotator_agreement", "Intra-annotator: method"),
    Question("4.3.12.2", f"{ELICITED}-intra_annotator-intra_annotator_agreement_score", "Intra-annotator: score"),
    Question("5.1", "heds-ethics-review_body", "Ethics committee", "Who approved it, or that nobody did."),
    Question("5.2", "heds-ethics-personal_data", "Personal data", "Whether texts or answers hold any."),
    Question("5.3", "heds-ethics-special_category_data", "Special categories", "Whether texts or answers hold any."),
    Question("5.4", "heds-ethics-impact_assessments", "Impact assessments", "What was assessed, or that nothing was."),
)  # fmt: skip
# What can be chosen, as the form calls it, by question and place; only what is ever chosen here.
OPTIONS = {
    "3.1.2": {2: "2. By an automatic random process but using stratified sampling over given properties"},
    "3.2.2.2": {1: "1. Paid (monetary compensation)"},
    "3.3.1": {1: "1. Yes (please provide link)"},
    "3.3.3.1": {
        2: "2. Automatic quality checking methods are used during and/or after evaluation",
        3: "3. Manual quality checking methods are used during/post evaluation",
        4: "4. Evaluators are excluded if they fail quality checks (often or badly enough)",
        7: "7. None of the above (no quality assurance methods used)",
    },
    "3.3.5": {2: "2. Evaluators must complete each individual assessment within a set amount of time"},
    "3.3.6": {
        3: "3. Evaluators provide feedback after the evaluation",
        4: "4. Other (please describe)",
    },
    "3.3.7": {1: "1. Evaluators carry out assessments at a place of their own choosing"},
    "4.2.1": {1: "1. Objective", 2: "2. Subjective"},
    "4.2.2": {1: "1. Absolute", 2: "2. Relative"},
    "4.2.3": {1: "1. Intrinsic", 2: "2. Extrinsic"},
    "4.3.5": {1: "1. Multiple-choice options", 3: "3. Slider", 4: "4. N/A (there is no rating instrument)"},
    "4.3.8": {
        2: "2. Direct quality estimation",
        3: "3. Relative quality estimation (including ranking)",
        6: "6. Evaluation through post-editing/annotation",
        9: "9. Task performance measurements",
    },
}
