"""What a token may be used for. A role in the team is needed besides: a scope adds nothing to it."""

SCOPES = {
    "materials:read": "Read datasets, texts, classifiers, explanations and metric scores",
    "materials:write": "Import and delete datasets, add classifiers, start explanations",
    "campaigns:read": "Read campaigns and their progress",
    "campaigns:write": "Design, launch, pause and close campaigns",
    "workers:read": "Read data about workers: participants, judgments, pay",
    "workers:write": "Exclude, readmit and approve workers",
    "reports:read": "Read reports and their files",
    "reports:write": "Have reports made",
    "webhooks:read": "Read webhooks and their deliveries",
    "webhooks:write": "Add, change and delete webhooks",
    "teams:read": "Read teams, their members and, as an owner, their logs",
    "teams:write": "Rename teams, invite members, change roles and remove members",
}
