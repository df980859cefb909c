"""What a team can be told of, and what each message says. docs/webhooks.md shows them."""

PING = "ping"
EVENTS = {
    "explanations.completed": "All explanations of a run are computed, or have failed",
    "campaign.launched": "A campaign has gone live",
    "campaign.paused": "A campaign takes no new workers for a while",
    "campaign.closed": "A campaign takes no more judgments",
    "participant.completed": "A worker has finished",
    "report.ready": "A report with all its files is made",
}
