"""Who may do what: one line a pattern, with the methods that it answers to. All other methods are refused.

A new address needs its line here. What stands for the open parts of a pattern is in `world.py`.
"""

from tests.security.outcomes import (
    ADD,
    ANYBODY,
    BEARER,
    BEGUN,
    EDIT,
    NOBODY,
    OK,
    OWN,
    PASS,
    READ,
    REFUSED,
    SIGN_IN,
    SIGNED,
    SIGNED_IN,
    SUPERVISE,
    Outcomes,
)

Row = dict[str, Outcomes]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

WORKERS: dict[str, Row] = {
    "hooks/prolific/": {"POST": SIGNED},
    "w/<slug:slug>/": {"GET": PASS},
    "w/<slug:slug>/<str:token>/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/language/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/consent/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/before/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/comprehension/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/learn/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/practice/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/check/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/warning/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/after/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/debrief/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/finish/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/time/": {"GET": PASS, "POST": PASS},
    "w/<slug:slug>/<str:token>/leave/": {"GET": PASS, "POST": PASS},
}

AROUND: dict[str, Row] = {
    "": {"GET": SIGNED_IN},
    "search/": {"GET": SIGNED_IN},
    "healthz": {"GET": ANYBODY},
    "readyz": {"GET": ANYBODY},
    "metrics": {"GET": BEARER},
    "queue/": {"GET": Outcomes(SIGN_IN, OK, REFUSED, REFUSED, OK)},
    "queue/<int:number>/retry/": {"POST": Outcomes(SIGN_IN, REFUSED, REFUSED, REFUSED, REFUSED)},
    "sign-in/": {"GET": ANYBODY, "POST": ANYBODY},
    # Leads to signing in whoever has not just said a password.
    "sign-in/code/": {"GET": ANYBODY, "POST": ANYBODY},
    "sign-in/inactive/": {"GET": ANYBODY},
    "forgotten/": {"GET": ANYBODY, "POST": ANYBODY},
    "forgotten/sent/": {"GET": ANYBODY},
    "forgotten/done/": {"GET": ANYBODY},
    "forgotten/<uidb36>-<key>/": {"GET": ANYBODY, "POST": ANYBODY},
    "settings/email/<key>/": {"GET": ANYBODY, "POST": NOBODY},
    "invitations/<str:token>/": {"GET": PASS},
    # Without an invitation in the session.
    "join/": {"GET": NOBODY, "POST": NOBODY},
    "styleguide/": {"GET": SIGNED_IN},
    "replay/<str:scheme>.css": {"GET": ANYBODY},
    "charts/<str:name>": {"GET": ANYBODY},
    # The last: it ends what the others need.
    "sign-out/": {"POST": ANYBODY},
}

MATERIALS: dict[str, Row] = {
    "datasets/": {"GET": SIGNED_IN},
    "datasets/import/": {"GET": ADD, "POST": ADD},
    "datasets/import/<upload:token>/": {"GET": BEGUN, "POST": BEGUN},
    "datasets/import/<upload:token>/progress/": {"GET": BEGUN},
    "datasets/import/<upload:token>/rejected.csv": {"GET": BEGUN},
    # What is another's, or gone, is left as it is.
    "datasets/import/<upload:token>/discard/": {"POST": SIGNED_IN},
    "datasets/<slug:slug>/": {"GET": READ},
    "datasets/<slug:slug>/import/": {"GET": EDIT, "POST": EDIT},
    "datasets/<slug:slug>/labels/": {"POST": EDIT},
    "datasets/<slug:slug>/maps/": {"GET": READ, "POST": EDIT},
    "datasets/<slug:slug>/maps.<maps_kind:kind>": {"GET": READ},
    "datasets/<slug:slug>/settings/": {"GET": EDIT, "POST": EDIT},
    "datasets/<slug:slug>/delete/": {"POST": OWN},
    "datasets/<slug:slug>/evaluate/": {"POST": EDIT},
    "datasets/<slug:slug>/texts/<int:pk>/": {"GET": READ},
    "datasets/<slug:slug>/texts/<int:pk>/figure.<figure:kind>": {"GET": READ},
    "explanations/": {"GET": SIGNED_IN},
    "explanations/<int:pk>/": {"GET": READ},
    "explanations/<int:pk>/retry/": {"POST": EDIT},
    "removals/<int:number>/": {"GET": READ},
    "removals/<int:number>/retry/": {"POST": OWN},
    "runs/<int:pk>/": {"GET": READ},
    "runs/<int:pk>/<run_action:action>/": {"POST": EDIT},
    "classifiers/": {"GET": SIGNED_IN},
    "classifiers/new/": {"GET": ADD, "POST": ADD},
    "classifiers/<slug:slug>/": {"GET": READ},
    "classifiers/<slug:slug>/settings/": {"GET": EDIT, "POST": EDIT},
    "classifiers/<slug:slug>/delete/": {"POST": OWN},
    "classifiers/<slug:slug>/state/": {"GET": READ},
    "classifiers/<slug:slug>/reload/": {"POST": EDIT},
    "classifiers/<slug:slug>/labels/": {"POST": EDIT},
    "classifiers/<slug:slug>/passport/": {"GET": READ},
    "classifiers/<slug:slug>/passport.json": {"GET": READ},
    "classifiers/<slug:slug>/passport.svg": {"GET": READ},
    "classifiers/<slug:slug>/passport/compute/": {"POST": EDIT},
    "classifiers/<slug:slug>/passport/estimate/": {"POST": READ},
}

CAMPAIGNS: dict[str, Row] = {
    "campaigns/": {"GET": SIGNED_IN},
    "campaigns/plan/": {"GET": SIGNED_IN},
    "campaigns/compare/": {"GET": SIGNED_IN},
    "campaigns/new/": {"GET": ADD, "POST": ADD},
    "campaigns/import/": {"GET": ADD, "POST": ADD},
    "campaigns/import/<int:number>/": {"GET": EDIT},
    # What is another's, or gone, is left as it is.
    "campaigns/import/<int:number>/dismiss/": {"POST": SIGNED_IN},
    "campaigns/<slug:slug>/archive/": {"GET": SUPERVISE, "POST": SUPERVISE},
    "campaigns/<slug:slug>/archive/archive.zip": {"GET": SUPERVISE},
    "campaigns/methods/": {"POST": SIGNED_IN},
    "campaigns/estimate/": {"POST": SIGNED_IN},
    "campaigns/autosave/": {"POST": ADD},
    "campaigns/sketches/<uuid:key>/drop/": {"POST": BEGUN},
    "campaigns/<slug:slug>/": {"GET": READ},
    "campaigns/<slug:slug>/edit/": {"GET": EDIT, "POST": EDIT},
    "campaigns/<slug:slug>/autosave/": {"POST": EDIT},
    "campaigns/<slug:slug>/launching/": {"GET": READ},
    "campaigns/<slug:slug>/remove/": {"GET": OWN, "POST": OWN},
    "campaigns/<slug:slug>/progress/": {"GET": READ},
    "campaigns/<slug:slug>/preview/": {"GET": READ},
    "campaigns/<slug:slug>/preregistration/": {"GET": READ},
    "campaigns/<slug:slug>/preregistration.<str:kind>": {"GET": READ},
    "campaigns/<slug:slug>/copy/": {"POST": EDIT},
    "campaigns/<slug:slug>/delete/": {"POST": EDIT},
    "campaigns/<slug:slug>/<campaign_action:action>/": {"POST": EDIT},
    "campaigns/<slug:slug>/rationales/": {"GET": EDIT, "POST": EDIT},
}

# All that is about the people who work, with what their work came to.
RECRUITMENT = "campaigns/<slug:slug>/recruitment/"
RESULTS: dict[str, Row] = {
    RECRUITMENT: {"GET": SUPERVISE},
    f"{RECRUITMENT}invitations/": {"POST": SUPERVISE},
    f"{RECRUITMENT}invitations/<int:number>/revoke/": {"POST": SUPERVISE},
    f"{RECRUITMENT}codes/": {"POST": SUPERVISE},
    f"{RECRUITMENT}codes/<str:code>/revoke/": {"POST": SUPERVISE},
    f"{RECRUITMENT}study/": {"POST": SUPERVISE},
    f"{RECRUITMENT}study/draft/": {"POST": SUPERVISE},
    f"{RECRUITMENT}submissions/": {"POST": SUPERVISE},
    f"{RECRUITMENT}submissions/approve/": {"POST": SUPERVISE},
    f"{RECRUITMENT}submissions/returns/": {"POST": SUPERVISE},
    f"{RECRUITMENT}places/": {"POST": SUPERVISE},
    f"{RECRUITMENT}bonuses/": {"POST": SUPERVISE},
    f"{RECRUITMENT}bonuses/<int:number>/pay/": {"POST": SUPERVISE},
    "campaigns/<slug:slug>/participants/": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/participants/pay/": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/participants/<slug:kind>.csv": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/participants/participants.csv": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/participants/pay.csv": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/participants/<int:number>/exclude/": {"POST": SUPERVISE},
    "campaigns/<slug:slug>/participants/<int:number>/readmit/": {"POST": SUPERVISE},
    "campaigns/<slug:slug>/judgments/": {"GET": READ},
    "campaigns/<slug:slug>/judgments/<int:number>/": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/judgments/<int:number>/seen/": {"GET": SUPERVISE},
    "campaigns/<slug:slug>/live/": {"GET": READ},
    "campaigns/<slug:slug>/report/": {"GET": READ},
    "campaigns/<slug:slug>/report/text/": {"GET": READ},
    "campaigns/<slug:slug>/report/ready/": {"GET": READ},
    "campaigns/<slug:slug>/report/report.zip": {"GET": READ},
    "campaigns/<slug:slug>/report/build/": {"GET": READ, "POST": READ},
    "campaigns/<slug:slug>/report/files/<path:name>": {"GET": READ},
    "campaigns/<slug:slug>/report/judgments.csv": {"GET": READ},
}

OWN_PAGE: Row = {"GET": SIGNED_IN, "POST": SIGNED_IN}
# There is none to turn off, nor a code to show.
NO_SECOND_STEP = NOBODY._replace(anonymous=SIGN_IN)
TEAM = "teams/<int:pk>/"
ACCOUNTS: dict[str, Row] = {
    "settings/": OWN_PAGE,
    "settings/email/": OWN_PAGE,
    "settings/password/": OWN_PAGE,
    "settings/password/first/": OWN_PAGE,
    "settings/sessions/": OWN_PAGE,
    "settings/two-step/": {"GET": SIGNED_IN},
    "settings/two-step/on/": OWN_PAGE,
    "settings/two-step/off/": {"GET": NO_SECOND_STEP, "POST": NO_SECOND_STEP},
    "settings/two-step/codes/": {"GET": NO_SECOND_STEP},
    "settings/two-step/codes/new/": OWN_PAGE,
    "settings/two-step/codes/codes.txt": {"GET": NO_SECOND_STEP, "POST": NO_SECOND_STEP},
    "settings/tokens/": {"GET": SIGNED_IN},
    "settings/tokens/new/": OWN_PAGE,
    "settings/tokens/<int:number>/revoke/": {"POST": BEGUN},
    "settings/confirm/": OWN_PAGE,
    "settings/confirm/code/": OWN_PAGE,
    "teams/": OWN_PAGE,
    TEAM: {"GET": READ},
    f"{TEAM}choose/": {"POST": READ},
    f"{TEAM}leave/": {"POST": READ},
    f"{TEAM}log/": {"GET": OWN},
    f"{TEAM}rename/": {"POST": OWN},
    f"{TEAM}invite/": {"POST": OWN},
    f"{TEAM}invitations/<int:number>/withdraw/": {"POST": OWN},
    f"{TEAM}members/<int:number>/role/": {"POST": OWN},
    f"{TEAM}members/<int:number>/remove/": {"POST": OWN},
}

WEBHOOK = "settings/webhooks/<int:number>/"
WEBHOOKS: dict[str, Row] = {
    # Those of the teams that one edits: an analyst sees a page without any.
    "settings/webhooks/": {"GET": SIGNED_IN},
    "settings/webhooks/new/": {"GET": ADD, "POST": ADD},
    WEBHOOK: {"GET": EDIT, "POST": EDIT},
    f"{WEBHOOK}secret/": {"POST": EDIT},
    f"{WEBHOOK}ping/": {"POST": EDIT},
    f"{WEBHOOK}delete/": {"POST": EDIT},
    f"{WEBHOOK}deliveries/<int:delivery>/": {"POST": EDIT},
}

# All that is below api/v1/ has its own table, by methods, roles and scopes: tests/api/test_access.py.
API: dict[str, Row] = {
    "api/schema/": {"GET": ANYBODY},
    "api/docs/": {"GET": ANYBODY},
    r"api/[\s\S]*/": dict.fromkeys(METHODS, NOBODY),
    # Without the last slash: who reads is led on.
    r"api/[\s\S]+": dict.fromkeys(METHODS, NOBODY) | {"GET": ANYBODY},
}

ROWS: dict[str, dict[str, Row]] = {
    "workers": WORKERS,
    "around": AROUND,
    "materials": MATERIALS,
    "campaigns": CAMPAIGNS,
    "results": RESULTS,
    "accounts": ACCOUNTS,
    "webhooks": WEBHOOKS,
    "api": API,
}
TABLE: dict[str, Row] = {pattern: row for part in ROWS.values() for pattern, row in part.items()}

# What stands for the parts that name no row of the database.
WORDS = {
    r"[\s\S]*": "nowhere",
    r"[\s\S]+": "nowhere",
    "<maps_kind:kind>": "jsonl",
    "<figure:kind>": "svg",
    "<run_action:action>": "cancel",
    "preregistration.<str:kind>": "preregistration.json",
    "<campaign_action:action>": "pause",
    "<path:name>": "report.json",
    "<str:scheme>": "light",
    "<slug:kind>.csv": "review.csv",
    "<uidb36>-<key>": "1-guessed",
    "<key>": "guessed",
}

# Where no cookie says who somebody is, there is nothing that another site could abuse: why, is told beside each.
FREE_OF_CSRF = {
    # Signed by Prolific.
    "hooks/prolific/",
    # The address itself is the pass, and no other site can know it.
    *(pattern for pattern in WORKERS if "<str:token>" in pattern),
}
