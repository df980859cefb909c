"""What the server takes and answers, written by client/typing_out.py from its OpenAPI schema: not by hand."""

# ruff: noqa: E501
from typing import Any, Literal, NotRequired, TypedDict

AllocationEnum = Literal["least_filled", "latin_square", "between"]


class AmountsRequest(TypedDict):
    amounts: dict[str, str]


class Archive(TypedDict):
    id: int
    kind: "ArchiveKindEnum"
    campaign: str | None
    file: str
    state: "ArchiveStateEnum"
    step: str
    done: int
    total: int
    error: str
    created_at: str
    finished_at: str | None


ArchiveKindEnum = Literal["export", "import"]

ArchiveStateEnum = Literal["waiting", "done", "failed"]


class Attempt(TypedDict):
    number: int
    at: str
    status: int | None
    milliseconds: int
    response: str
    error: str


class AuditEntry(TypedDict):
    id: int
    at: str
    person: str
    act: str
    subject_kind: str
    subject: str
    detail: dict[str, Any]


BetterEnum = Literal["higher", "lower", "nearer_zero"]

BlankEnum = Literal[""]


class Build(TypedDict):
    state: "BuildStateEnum"
    current: bool
    step: str
    done: int
    total: int
    error: str
    finished_at: str | None


BuildStateEnum = Literal["none", "waiting", "done", "failed"]


class Campaign(TypedDict):
    slug: str
    team: int
    protocol: str
    dataset: str
    classifier: str
    name: str
    texts_per_label: int
    sample_seed: int
    methods: list[str]
    method_params: dict[str, dict[str, Any]]
    metrics: list[str]
    ks: list[int]
    baselines: list[str]
    displays: list[str]
    protocol_settings: dict[str, Any]
    judgments_per_stimulus: int
    judge_against: "JudgeAgainstEnum"
    only_correct: bool
    most_per_worker: int
    minutes_per_item: int
    allocation: "AllocationEnum"
    block_size: int
    once_per_dataset: bool
    unfinished_count: bool
    idle_minutes: int
    examples_per_label: int
    practice_items: int
    practice_needed: int
    comprehension: list["Test"]
    checks: list["Test"]
    gold_items: int
    rules: dict[str, dict[str, float]]
    content_warning: str
    debrief: str
    demographics: list["Question"]
    survey: list["Question"]
    retention_months: int | None
    language: str
    translations: dict[str, dict[str, Any]]
    question: str
    cannot_tell: bool
    instructions: str
    consent: str
    contact: str
    recruitment: str
    recruitment_settings: dict[str, Any]
    exits: dict[str, "Exit"]
    worker_parameter: str
    exit_message: str
    completion_code: str
    exit_redirect: str
    pay_per_worker: str
    seconds_per_item: int
    hypotheses: str
    comparisons: list[list[str]]
    state: "CampaignState"
    notices: list["Notice"]
    design_hash: str
    created_at: str
    launched_at: str | None
    closed_at: str | None
    archived_at: str | None
    copied_from: str | None
    imported: bool


CampaignState = Literal["draft", "preparing", "ready", "live", "paused", "closed"]


class ClassCode(TypedDict):
    code: str
    uses: int
    used: int
    created_at: str


class Classifier(TypedDict):
    slug: str
    name: str
    team: int
    kind: str
    options: dict[str, Any]
    source: str
    revision: str
    state: "ClassifierState"
    error: str
    label_names: list[str]
    problem_type: str
    weights_hash: str
    created_at: str


ClassifierState = Literal["loading", "ready", "failed"]


class ColumnsRequest(TypedDict):
    text: NotRequired[str]
    label: NotRequired[str]
    id: NotRequired[str]
    language: NotRequired[str]
    rationale: NotRequired[str]
    warning: NotRequired[str]
    template: NotRequired[str]
    edit_of: NotRequired[str]


class CompleteRequest(TypedDict):
    dataset: NotRequired[str]
    language: NotRequired[str]
    columns: NotRequired["ColumnsRequest"]
    labels: NotRequired[list[str]]
    accept_rest: NotRequired[bool]
    sha256: NotRequired[str]


class Completeness(TypedDict):
    status: str
    median: float | None
    share_large: float | None
    n: int


class Contrast(TypedDict):
    one: str
    other: str
    status: "StatusEnum"
    measure: str
    paired: int | None
    methods: list["ContrastRow"]


class ContrastRow(TypedDict):
    method: str
    one: float | None
    one_ci: list[float] | None
    n_one: int
    other: float | None
    other_ci: list[float] | None
    n_other: int
    difference: float | None
    ci: list[float] | None


class Cost(TypedDict):
    status: str
    seconds: float | None
    passes: float | None


class CountRequest(TypedDict):
    count: int


class CredentialsRequest(TypedDict):
    username: str
    password: str
    name: NotRequired[str]
    scopes: NotRequired[list["ScopesEnum"]]
    days: NotRequired[int]


class Dataset(TypedDict):
    slug: str
    name: str
    team: int
    language: str
    label_names: list[str]
    texts: int
    created_at: str


class Delivery(TypedDict):
    id: int
    key: str
    event: str
    body: str
    state: "DeliveryStateEnum"
    tries: int
    due_at: str
    created_at: str
    attempts: list["Attempt"]


DeliveryStateEnum = Literal["waiting", "delivered", "failed"]


class Detail(TypedDict):
    name: str
    value: str


class Done(TypedDict):
    done: int


class Earning(TypedDict):
    worker: str
    reference: str
    seconds: float
    pay: str
    hourly: float | None
    top_up: str


EncodingEnum = Literal[
    "utf-8", "cp1252", "cp1250", "cp1251", "gb18030", "big5", "cp932", "cp949", "mac_roman", "utf-16-le"
]


class Endpoint(TypedDict):
    id: int
    team: int
    url: str
    events: list["EventsEnum"]
    active: bool
    failing_since: str | None
    switched_off_at: str | None
    created_at: str


EntryEnum = Literal["anyone", "invitation", "code"]


class Error(TypedDict):
    pointer: str
    detail: str
    code: str


class Estimate(TypedDict):
    texts: int
    conditions: int
    stimuli: int
    judgments: int
    load: int
    workers: int
    minutes: float
    pay: str
    hourly: str
    examples: int
    aside: int
    groups: int


EventsEnum = Literal[
    "explanations.completed",
    "campaign.launched",
    "campaign.paused",
    "campaign.closed",
    "participant.completed",
    "report.ready",
]


class ExcludeRequest(TypedDict):
    reason: str


class Exit(TypedDict):
    code: str
    redirect: str
    message: str


class ExitRequest(TypedDict):
    code: NotRequired[str]
    redirect: NotRequired[str]
    message: NotRequired[str]


class Failure(TypedDict):
    id: int
    text: str
    method: str
    reason: str


class File(TypedDict):
    name: str
    size: int


class Finding(TypedDict):
    name: str
    severity: "SeverityEnum"
    text: str
    remedy: str


class FollowedRun(TypedDict):
    id: int
    dataset: str
    classifier: str
    kind: "RunKind"
    state: "RunState"
    methods: list["MethodAsked"]
    metrics: list["MetricAsked"]
    created_at: str
    finished_at: str | None
    progress: "RunProgress"


class Gathered(TypedDict):
    texts: int
    empty: int
    short: int
    least: int
    replaced: list[str]


class Import(TypedDict):
    id: int
    dataset: str | None
    file: str
    state: "ImportState"
    rows: int
    rows_read: int | None
    taken: int
    rejected: int
    first: list["Rejection"]
    error: str
    created_at: str
    finished_at: str | None


ImportState = Literal["waiting", "done", "rejected", "failed"]


class InputConsistency(TypedDict):
    status: str
    value: float | None
    ci: list[float] | None
    n: int
    undefined: int
    skipped: int
    other_label: int


class Invitation(TypedDict):
    id: int
    role: "RoleEnum"
    email: str
    created_at: str
    expires_at: str


JobEnum = Literal["evaluate", "prepare", "launch", "judge"]

JudgeAgainstEnum = Literal["gold", "prediction"]


class Judged(TypedDict):
    dataset: str
    classifier: str
    texts: int
    predicted: int
    right: int
    judged: int
    accuracy: float | None
    mismatch: str


class KnownAnswer(TypedDict):
    task: str
    label: str
    verdict: str
    reason: str
    figures: Any
    otherwise: Any


class LabelsRequest(TypedDict):
    names: dict[str, str]


class MadeInvitation(TypedDict):
    id: int
    role: "RoleEnum"
    email: str
    created_at: str
    expires_at: str
    token: str


class Map(TypedDict):
    text_id: str
    classifier: str
    method: str
    params: dict[str, Any]
    source: str
    signed: bool
    target: str
    words: list[str]
    offsets: list[list[int]]
    scores: list[float | None]
    special: list[Any]
    completeness_error: float | None
    seed: int | None
    seconds: float
    versions: dict[str, Any]
    text: str


class MapsOutcome(TypedDict):
    taken: int
    known: int
    rejected: int
    methods: list[str]
    first: list["Rejection"]


class Member(TypedDict):
    user: int
    username: str
    role: "RoleEnum"


class Method(TypedDict):
    name: str
    label: str
    family: str
    citation: str
    description: str
    classifier_kinds: list[str]
    parameters: list["Parameter"]
    signed: bool
    complete: bool


class MethodAsked(TypedDict):
    method: str
    params: dict[str, Any]


class Metric(TypedDict):
    name: str
    label: str
    family: str
    citation: str
    description: str
    classifier_kinds: list[str]
    parameters: list["Parameter"]
    higher_is_better: bool
    needs: str


class MetricAgreement(TypedDict):
    status: str
    value: float | None
    n: int


class MetricAsked(TypedDict):
    metric: str
    params: dict[str, Any]


class ModelConsistency(TypedDict):
    status: str
    value: float | None
    ci: list[float] | None
    n: int
    undefined: int
    classifier: str
    skipped: int


class NameRequest(TypedDict):
    name: str


class NewArchiveRequest(TypedDict):
    upload: str


class NewCampaignRequest(TypedDict):
    protocol: "ProtocolEnum"
    dataset: str
    classifier: str
    name: str
    texts_per_label: NotRequired[int]
    sample_seed: NotRequired[int]
    methods: NotRequired[list[str]]
    method_params: NotRequired[dict[str, dict[str, Any]]]
    metrics: NotRequired[list[str]]
    ks: NotRequired[list[int]]
    baselines: NotRequired[list[str]]
    displays: NotRequired[list[str]]
    protocol_settings: NotRequired[dict[str, Any]]
    judgments_per_stimulus: NotRequired[int]
    judge_against: NotRequired["JudgeAgainstEnum"]
    only_correct: NotRequired[bool]
    most_per_worker: NotRequired[int]
    minutes_per_item: NotRequired[int]
    allocation: NotRequired["AllocationEnum"]
    block_size: NotRequired[int]
    once_per_dataset: NotRequired[bool]
    unfinished_count: NotRequired[bool]
    idle_minutes: NotRequired[int]
    examples_per_label: NotRequired[int]
    practice_items: NotRequired[int]
    practice_needed: NotRequired[int]
    comprehension: NotRequired[list["TestRequest"]]
    checks: NotRequired[list["TestRequest"]]
    gold_items: NotRequired[int]
    rules: NotRequired[dict[str, dict[str, float]]]
    content_warning: NotRequired[str]
    debrief: NotRequired[str]
    demographics: NotRequired[list["QuestionRequest"]]
    survey: NotRequired[list["QuestionRequest"]]
    retention_months: NotRequired[int | None]
    language: NotRequired[str]
    translations: NotRequired[dict[str, dict[str, Any]]]
    question: NotRequired[str]
    cannot_tell: NotRequired[bool]
    instructions: NotRequired[str]
    consent: NotRequired[str]
    contact: NotRequired[str]
    recruitment: NotRequired["RecruitmentEnum"]
    recruitment_settings: NotRequired[dict[str, Any]]
    exits: NotRequired[dict[str, "ExitRequest"]]
    worker_parameter: NotRequired[str]
    exit_message: NotRequired[str]
    completion_code: NotRequired[str]
    exit_redirect: NotRequired[str]
    pay_per_worker: NotRequired[str]
    seconds_per_item: NotRequired[int]
    hypotheses: NotRequired[str]
    comparisons: NotRequired[list[list[str]]]


NewClassifierKindEnum = Literal["transformer", "lstm", "causal-lm"]


class NewClassifierRequest(TypedDict):
    name: str
    source: str
    revision: NotRequired[str]
    kind: NotRequired["NewClassifierKindEnum | BlankEnum"]
    words: NotRequired[list[str]]
    contrast: NotRequired[bool]
    team: NotRequired[int]


class NewDatasetRequest(TypedDict):
    name: str
    language: NotRequired[str]
    team: NotRequired[int]


class NewEndpointRequest(TypedDict):
    team: NotRequired[int]
    url: str
    events: list["EventsEnum"]


class NewInvitationRequest(TypedDict):
    role: "RoleEnum"
    email: NotRequired[str]


class NewMapsRequest(TypedDict):
    upload: str
    classifier: NotRequired[str]
    method: NotRequired[str]
    source: NotRequired[str]
    unsigned: NotRequired[bool]
    rest_zero: NotRequired[bool]
    accept_rest: NotRequired[bool]


class NewPassportRequest(TypedDict):
    dataset: str
    texts: NotRequired[int]
    methods: NotRequired[list[str]]
    metrics: NotRequired[list[str]]


class NewRunRequest(TypedDict):
    dataset: str
    classifier: str
    kind: "RunKind"
    methods: NotRequired[dict[str, dict[str, Any]]]
    metrics: NotRequired[dict[str, dict[str, Any]]]
    texts: NotRequired[int]


class NewSketchRequest(TypedDict):
    filled_in: NotRequired[dict[str, list[str]]]
    campaign: NotRequired[str]


class NewTeamRequest(TypedDict):
    name: str


class NewToken(TypedDict):
    token: str
    scopes: list[str]
    expires_at: str


class NewUploadRequest(TypedDict):
    file: str
    size: int
    dataset: NotRequired[str]
    team: NotRequired[int]
    encoding: NotRequired["EncodingEnum | BlankEnum"]
    plain_quotes: NotRequired[bool]


class Notice(TypedDict):
    text: int
    key: str
    reason: str


class Owed(TypedDict):
    owed: dict[str, str]


class Parameter(TypedDict):
    name: str
    default: Any
    description: str
    minimum: float | None
    maximum: float | None
    choices: list[str]


class Participant(TypedDict):
    number: int
    worker: str
    state: "ParticipantStateEnum"
    simulated: bool
    language: str
    arm: str
    quota: int
    counted: int
    arrived_at: str
    consented_at: str | None
    started_at: str | None
    finished_at: str | None
    excluded_at: str | None
    exclusion_reason: str
    erased_at: str | None


ParticipantStateEnum = Literal[
    "arrived", "consented", "practised", "completed", "declined", "returned", "screened_out", "timed_out", "elsewhere"
]


class Passport(TypedDict):
    meta: "PassportMeta"
    metrics: list["PassportMetric"]
    methods: list["PassportMethod"]
    agreement: "PassportAgreement"


class PassportAgreement(TypedDict):
    coefficient: str
    keys: list[str]
    cells: list[list["MetricAgreement"]]


class PassportMeta(TypedDict):
    classifier: str
    dataset: str
    kind: str
    weights_hash: str
    n_texts: int
    n_explained_texts: int
    n_methods: int
    n_compared: int
    n_metrics_of_mean_rank: int
    seed: int
    replicates: int
    confidence: float


class PassportMethod(TypedDict):
    status: str
    method: str
    params: dict[str, Any]
    settings: dict[str, Any]
    family: str
    n_texts: int
    metrics: dict[str, "PassportValue"]
    completeness: "Completeness"
    cost: "Cost"
    known_answers: list["KnownAnswer"]
    stability: "Stability"
    model_consistency: list["ModelConsistency"]
    input_consistency: "InputConsistency"
    mean_rank: float | None
    mean_rank_ci: list[float] | None
    mean_rank_by_family: dict[str, float | None]


class PassportMetric(TypedDict):
    key: str
    metric: str
    params: dict[str, Any]
    family: str
    better: "BetterEnum"
    n_ranked: int


class PassportValue(TypedDict):
    status: str
    value: float | None
    ci: list[float] | None
    n: int
    undefined: dict[str, int]
    rank: int | None
    rank_ci: list[float] | None


class PatchedChangesRequest(TypedDict):
    name: NotRequired[str]
    label_names: NotRequired[list[str]]


class PatchedDatasetChangesRequest(TypedDict):
    name: NotRequired[str]
    language: NotRequired[str]


class PatchedDesignRequest(TypedDict):
    dataset: NotRequired[str]
    classifier: NotRequired[str]
    name: NotRequired[str]
    texts_per_label: NotRequired[int]
    sample_seed: NotRequired[int]
    methods: NotRequired[list[str]]
    method_params: NotRequired[dict[str, dict[str, Any]]]
    metrics: NotRequired[list[str]]
    ks: NotRequired[list[int]]
    baselines: NotRequired[list[str]]
    displays: NotRequired[list[str]]
    protocol_settings: NotRequired[dict[str, Any]]
    judgments_per_stimulus: NotRequired[int]
    judge_against: NotRequired["JudgeAgainstEnum"]
    only_correct: NotRequired[bool]
    most_per_worker: NotRequired[int]
    minutes_per_item: NotRequired[int]
    allocation: NotRequired["AllocationEnum"]
    block_size: NotRequired[int]
    once_per_dataset: NotRequired[bool]
    unfinished_count: NotRequired[bool]
    idle_minutes: NotRequired[int]
    examples_per_label: NotRequired[int]
    practice_items: NotRequired[int]
    practice_needed: NotRequired[int]
    comprehension: NotRequired[list["TestRequest"]]
    checks: NotRequired[list["TestRequest"]]
    gold_items: NotRequired[int]
    rules: NotRequired[dict[str, dict[str, float]]]
    content_warning: NotRequired[str]
    debrief: NotRequired[str]
    demographics: NotRequired[list["QuestionRequest"]]
    survey: NotRequired[list["QuestionRequest"]]
    retention_months: NotRequired[int | None]
    language: NotRequired[str]
    translations: NotRequired[dict[str, dict[str, Any]]]
    question: NotRequired[str]
    cannot_tell: NotRequired[bool]
    instructions: NotRequired[str]
    consent: NotRequired[str]
    contact: NotRequired[str]
    recruitment: NotRequired["RecruitmentEnum"]
    recruitment_settings: NotRequired[dict[str, Any]]
    exits: NotRequired[dict[str, "ExitRequest"]]
    worker_parameter: NotRequired[str]
    exit_message: NotRequired[str]
    completion_code: NotRequired[str]
    exit_redirect: NotRequired[str]
    pay_per_worker: NotRequired[str]
    seconds_per_item: NotRequired[int]
    hypotheses: NotRequired[str]
    comparisons: NotRequired[list[list[str]]]


class PatchedEndpointRequest(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list["EventsEnum"]]
    active: NotRequired[bool]


class PatchedNewTeamRequest(TypedDict):
    name: NotRequired[str]


class PatchedRoleRequest(TypedDict):
    role: NotRequired["RoleEnum"]


class PatchedSketchChangesRequest(TypedDict):
    filled_in: NotRequired[dict[str, list[str]]]


class Payment(TypedDict):
    id: int
    reference: str
    amounts: dict[str, str]
    total_cents: int
    state: "PaymentStateEnum"
    created_at: str
    sent_at: str | None


PaymentStateEnum = Literal["set_up", "sent", "unsure"]


class PlacesRequest(TypedDict):
    more: int


class Plan(TypedDict):
    protocol: str
    assumptions: "PlanAssumptions"
    test: str | None
    correction: str | None
    alpha: float
    wanted: "Wanted"
    seed: int
    design: "PlannedDesign"
    designs: list["PlannedDesign"]
    grid: list["PlannedDesign"]
    answer: str
    warnings: list[str]
    notes: list[str]


class PlanAssumptions(TypedDict):
    base: float
    effect: float
    text: float
    text_method: float
    worker: float
    rest: float
    votes: int
    steps: int
    scale: list[int]
    spread: float
    ties: float
    seconds: float
    between: bool
    words: int
    marked: float
    source: str


class PlannedDesign(TypedDict):
    texts: int
    judgments: int
    methods: int
    ks: int
    conditions: int
    stimuli: int
    judgments_in_all: int
    load: int
    items: int
    allocation: str
    workers: int
    minutes: float
    pay: float
    hourly: float
    power: float | None
    power_of_all: float | None
    power_error: float | None
    interval_width: float
    false_positives: float | None
    false_positives_error: float | None
    simulated: int
    status: str


class PossibleEstimate(TypedDict):
    estimate: "Estimate | None"
    computing_seconds: float | None


class PredictedText(TypedDict):
    id: int
    key: str
    content: str
    label: str
    language: str
    rationale: list[list[int]] | None
    warning: str
    template: str
    edit_of: str | None
    predictions: list["Prediction"]


class Prediction(TypedDict):
    classifier: str
    label: str
    probabilities: list[float]


class Preview(TypedDict):
    columns: list[str]
    guess: dict[str, str]
    about: int


class Problem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list["Error"]


class Progress(TypedDict):
    job: "JobEnum"
    state: "ProgressStateEnum"
    done: int
    total: int
    failed: int
    seconds_left: float | None
    step: str
    error: str


ProgressStateEnum = Literal["idle", "running", "paused", "done", "failed", "cancelled"]


class Protocol(TypedDict):
    name: str
    label: str
    summary: str
    level: str
    default_question: str
    maps: int
    needs_k: bool
    baselines: list[str]
    displays: list[str]


ProtocolEnum = Literal[
    "topk_guess",
    "reveal",
    "rating",
    "pairwise",
    "word_importance",
    "forward_simulation",
    "counterfactual_simulation",
    "rationale_marking",
]


class Question(TypedDict):
    question: str
    kind: "QuestionKindEnum"
    choices: list[str]
    optional: bool


QuestionKindEnum = Literal["choice", "number", "text"]


class QuestionRequest(TypedDict):
    question: str
    kind: NotRequired["QuestionKindEnum"]
    choices: NotRequired[list[str]]
    optional: NotRequired[bool]


class Recruitment(TypedDict):
    provider: str
    entry: "EntryEnum"
    link: str
    wanted: int
    filled: int
    at_work: int
    open: int
    workers: int


RecruitmentEnum = Literal["prolific", "open_link", "invitation", "class_code", "panel", "mturk_protocol"]


class Rejection(TypedDict):
    line: int
    column: str
    reason: str
    excerpt: str


class Removal(TypedDict):
    id: int
    team: int
    kind: "RemovalKindEnum"
    name: str
    state: "RemovalStateEnum"
    done: int
    total: int
    error: str
    created_at: str
    finished_at: str | None


RemovalKindEnum = Literal["dataset", "classifier", "campaign"]

RemovalStateEnum = Literal["waiting", "done", "failed"]


class Replay(TypedDict):
    id: int
    text: str
    arm: str
    role: str
    content: Any
    presentation: Any
    step: int
    protocol: str
    version: int
    expected: str
    answer: str
    details: list["Detail"]
    given: Any
    score: float | None
    counts: bool
    late: bool
    worker: str | None
    simulated: bool | None
    position: int | None
    received_at: str | None
    seconds: float | None
    active_seconds: float | None
    away_seconds: float | None
    language: str | None
    screen: "Screen | None"
    before: int | None
    after: int | None


RoleEnum = Literal["owner", "editor", "analyst"]


class Run(TypedDict):
    id: int
    dataset: str
    classifier: str
    kind: "RunKind"
    state: "RunState"
    methods: list["MethodAsked"]
    metrics: list["MetricAsked"]
    created_at: str
    finished_at: str | None


RunKind = Literal["predict", "explain"]


class RunProgress(TypedDict):
    total: int
    done: int
    failed: int
    seconds_left: float | None


RunState = Literal["running", "done", "cancelled"]


class Runs(TypedDict):
    runs: list["FollowedRun"]


SchemeEnum = Literal["light", "dark"]

ScopesEnum = Literal[
    "materials:read",
    "materials:write",
    "campaigns:read",
    "campaigns:write",
    "workers:read",
    "workers:write",
    "reports:read",
    "reports:write",
    "webhooks:read",
    "webhooks:write",
    "teams:read",
    "teams:write",
]


class Score(TypedDict):
    id: int
    text: str
    classifier: str
    method: str
    method_params: dict[str, Any]
    metric: str
    params: dict[str, Any]
    value: float | None
    reason: str


class Screen(TypedDict):
    width: int
    height: int
    scheme: "SchemeEnum"
    told: bool


class Secret(TypedDict):
    id: int
    team: int
    url: str
    events: list["EventsEnum"]
    active: bool
    failing_since: str | None
    switched_off_at: str | None
    created_at: str
    secret: str


class Seen(TypedDict):
    number: int
    total: int
    condition: int
    arm: str
    expected: str
    content: Any


class Settlement(TypedDict):
    columns: list[str]
    rows: list[list[str]]


SeverityEnum = Literal["stop", "warning", "good"]


class Sketch(TypedDict):
    key: str
    campaign: str | None
    name: str
    filled_in: dict[str, list[str]]
    version: int
    beside: str | None
    saved_at: str


class Stability(TypedDict):
    status: str
    value: float | None
    ci: list[float] | None
    n: int
    undefined: int
    seeds: list[int]


StatusEnum = Literal["ok", "other_measure", "nothing_scored", "no_common_method"]


class Study(TypedDict):
    study_id: str
    status: str
    places: int
    taken: int
    read_at: str | None
    linked_at: str


class StudyDraftRequest(TypedDict):
    name: str
    description: str
    places: int


class StudyIdRequest(TypedDict):
    study: str


class Submission(TypedDict):
    submission_id: str
    status: str
    status_at: str
    return_requested: bool


class TakeRequest(TypedDict):
    percent: NotRequired[int]
    least: NotRequired[int]
    overwrite: NotRequired[bool]


class Taken(TypedDict):
    texts: int


class Tally(TypedDict):
    done: int
    left: int


class Team(TypedDict):
    id: int
    name: str


class Test(TypedDict):
    question: str
    choices: list[str]
    right: int


class TestRequest(TypedDict):
    question: str
    choices: list[str]
    right: int


class Text(TypedDict):
    id: int
    key: str
    content: str
    label: str
    language: str
    rationale: list[list[int]] | None
    warning: str
    template: str
    edit_of: str | None


class Ticket(TypedDict):
    number: int
    link: str


class Tickets(TypedDict):
    invitations: list["Ticket"]


class Upload(TypedDict):
    id: str
    file: str
    offset: int
    size: int
    part_bytes: int
    import_id: int | None


class UsesRequest(TypedDict):
    uses: int


class Wanted(TypedDict):
    power: float | None
    width: float | None


class Watch(TypedDict):
    done: int
    wanted: int
    late: int
    not_counted: int
    arrived: int
    declined: int
    started: int
    at_work: int
    finished: int
    dropped: int
    simulated: int
    median_seconds: float | None
    pace: float | None
    hours_left: float | None
    median_minutes: float | None
    hourly_pay: float | None
    underpaid: bool
    arms: list["WatchedArm"]


class WatchedArm(TypedDict):
    label: str
    cells: list["WatchedCell"]
    workers: int | None


class WatchedCell(TypedDict):
    k: int | None
    done: int
    wanted: int


class WorkerInvitation(TypedDict):
    number: int
    state: str
    created_at: str
    revoked_at: str | None
