"""All configuration comes from the environment; docs/settings.md lists every name read here."""

import secrets
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from catalogue import languages
from config.environment import ROOT, env, env_bool, env_choice, env_float, env_int, env_list, env_networks, var_folder
from config.logs import log_config

# Lets Django's classes carry type parameters at run time, as its type stubs have them.
django_stubs_ext.monkeypatch()

VAR = var_folder()
DEBUG = env_bool("DEBUG", False)


def _secret_key() -> str:
    """A server is told its key; the embedded set-up keeps one of its own beside its data."""
    if env("SECRET_KEY"):
        return env("SECRET_KEY")
    if env("DATABASE_URL") and not env("PEEKAWORD_EMBEDDED"):
        raise ImproperlyConfigured("SECRET_KEY is not set: give it 50 or more random characters.")
    path = VAR / "secret_key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(secrets.token_urlsafe(64))
        path.chmod(0o600)
    return path.read_text().strip()


def _databases() -> dict[str, Any]:
    """The one database, or Django's dummy for commands that need none."""
    url = env("DATABASE_URL")
    if not url:
        return {"default": {"ENGINE": "django.db.backends.dummy"}}
    if urlsplit(url).scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL: expected postgres://user:password@host:port/name.")
    return {"default": dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)}


SECRET_KEY = _secret_key()
# Worker ids are stored only as hashes under this key: changing it makes returning workers strangers.
WORKER_ID_KEY = env("WORKER_ID_KEY") or SECRET_KEY
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "operations.failing.tell_of_forgery"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "allauth",
    "accounts.apps.AllauthConfig",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "webhooks",
    "materials",
    "campaigns",
    "judging",
    "reports",
    "operations",
    "config",
]

MIDDLEWARE = [
    # Both cost next to nothing on the worker's path; the second is there only with a METRICS_TOKEN.
    "operations.identifying.identify",
    "operations.tallying.measure",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.shielding.shield",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.returning.come_back",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = _databases()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env("REDIS_URL")
if REDIS_URL and urlsplit(REDIS_URL).scheme not in {"redis", "rediss", "unix"}:
    raise ImproperlyConfigured("REDIS_URL: expected redis://host:port/number.")
CACHES = {
    "default": (
        {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "peekaword",
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    )
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_EXPIRES = None
# What computes has a queue of its own, so that ten thousand chunks do not keep the rest waiting.
CELERY_TASK_QUEUES = [Queue("celery"), Queue("compute")]
CELERY_TASK_ROUTES = {"workers.*": {"queue": "compute"}}
CELERY_BEAT_SCHEDULER = "operations.beating:Scheduler"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A task that was taken by a machine that died is delivered again after this many seconds.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": env_int("TASK_REDELIVERY_SECONDS", 1800, minimum=60)}

# Prometheus reads /metrics with this as its bearer token; without it there is no such page.
METRICS_TOKEN = env("METRICS_TOKEN")
SENTRY_DSN = env("SENTRY_DSN")

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{name}"
    for name in ("Argon2PasswordHasher", "PBKDF2PasswordHasher", "ScryptPasswordHasher")
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]  # fmt: skip

# Accounts are made by invitation and by createsuperuser alone. What is asked of an unknown account is answered
# as for a known one. Failed sign-ins are counted for each name and each address, in the cache.
ACCOUNT_ADAPTER = "accounts.adapting.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.sign_in_forms.SignInForm",
    "reset_password": "accounts.sign_in_forms.ResetForm",
    "reset_password_from_key": "accounts.sign_in_forms.NewPasswordForm",
    "change_password": "accounts.sign_in_forms.ChangePasswordForm",
    "set_password": "accounts.sign_in_forms.FirstPasswordForm",
    "reauthenticate": "accounts.sign_in_forms.ConfirmIdentityForm",
    "add_email": "accounts.sign_in_forms.EmailForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_SIGNUP_ENABLED = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Peekaword] "
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "20/5m/ip,5/5m/key", "reset_password": "20/m/ip,3/m/key"}
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if env_bool("BEHIND_PROXY", False) else 0
MFA_ADAPTER = "accounts.adapting.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "accounts.sign_in_forms.CodeForm",
    "reauthenticate": "accounts.sign_in_forms.ConfirmByCodeForm",
    "activate_totp": "accounts.sign_in_forms.TurnOnForm",
}
MFA_TOTP_ISSUER = "Peekaword"
MFA_TOTP_TOLERANCE = 1
# The e-mail address takes no part in it.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# Worker processes send what the web process queues. Without a server, mail is printed on the console.
EMAIL_HOST = env("EMAIL_HOST")
EMAIL_BACKEND = "accounts.mailing.QueuedBackend" if EMAIL_HOST else "django.core.mail.backends.console.EmailBackend"
EMAIL_PORT = env_int("EMAIL_PORT", 587, minimum=1)
EMAIL_HOST_USER = env("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env("EMAIL_HOST_PASSWORD")
EMAIL_USE_SSL = env_bool("EMAIL_USE_SSL", False)
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS", not EMAIL_USE_SSL)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("EMAIL_FROM", "Peekaword <peekaword@localhost>")

# The researchers' pages are in English; the workers' pages are in whatever language the worker reads.
LANGUAGE_CODE = "en"
LANGUAGES = [(language.code, language.name) for language in languages.LANGUAGES.values()]
LOCALE_PATHS = [ROOT / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "static"]
STATIC_ROOT = VAR / "static"
# Hashed names that browsers keep for ever, once collectstatic has made them; until then straight from source.
HASHED_STATIC = env_bool("HASHED_STATIC", (STATIC_ROOT / "staticfiles.json").exists())
WHITENOISE_USE_FINDERS = not HASHED_STATIC
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if HASHED_STATIC
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}
MEDIA_ROOT = VAR / "media"

# Uploaded datasets stream to disk above 2.5 MB; this bounds what one form may hold besides files.
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20
FILE_UPLOAD_HANDLERS = [
    "config.receiving.Bounds",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
MAX_TEXT_CHARACTERS = env_int("MAX_TEXT_CHARACTERS", 20_000, minimum=1)
MAX_UPLOAD_MEGABYTES = env_int("MAX_UPLOAD_MEGABYTES", 200, minimum=1)
MAX_ROWS = env_int("MAX_ROWS", 5_000_000, minimum=1)
MAX_ARCHIVE_MEGABYTES = env_int("MAX_ARCHIVE_MEGABYTES", 20_000, minimum=1)
SKETCH_DAYS = env_int("SKETCH_DAYS", 180, minimum=0)

# What a worker process may hold at once, in word pieces; steps and samples are streamed through it.
TOKEN_BUDGET = env_int("TOKEN_BUDGET", 0)
DEVICE = env("DEVICE", "cpu")
DTYPE = env_choice("DTYPE", ("float32", "bfloat16"))

# Where classifiers that a page names may lie. On one's own machine, anywhere: nobody else can name one.
_OWN_MACHINE = not env("DATABASE_URL") or bool(env("PEEKAWORD_EMBEDDED"))
CLASSIFIER_FOLDERS = env_list("CLASSIFIER_FOLDERS", "/" if _OWN_MACHINE else str(VAR / "classifiers"))

# Saliency methods from outside, as package.module:function.
SALIENCY_METHODS = env_list("SALIENCY_METHODS")

# Pay shown to researchers; the minimum is Prolific's of 2026-11 (8 USD an hour; 12 recommended).
PAY_CURRENCY = env("PAY_CURRENCY", "USD")
COMPUTE_PRICE_PER_HOUR = env_float("COMPUTE_PRICE_PER_HOUR", 0.0)
MINIMUM_HOURLY_PAY = env_float("MINIMUM_HOURLY_PAY", 8.0)

# From one address to one campaign: a class may share one.
ARRIVALS_PER_MINUTE = env_int("ARRIVALS_PER_MINUTE", 300)

# Where workers come from and go back to.
PROLIFIC_API_URL = env("PROLIFIC_API_URL", "https://api.prolific.com").rstrip("/")
PROLIFIC_API_TOKEN = env("PROLIFIC_API_TOKEN")
PROLIFIC_WEBHOOK_SECRET = env("PROLIFIC_WEBHOOK_SECRET")
# Networks of our own that webhooks may lead into, besides public addresses.
WEBHOOK_NETWORKS = env_networks("WEBHOOK_NETWORKS")
MTURK_SUBMIT_HOSTS = env_list("MTURK_SUBMIT_HOSTS", "www.mturk.com,workersandbox.mturk.com")

SECURE_HTTPS = env_bool("HTTPS", bool(env("DATABASE_URL")) and not env("PEEKAWORD_EMBEDDED"))
SECURE_SSL_REDIRECT = SECURE_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HTTPS
SECURE_HSTS_PRELOAD = SECURE_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env_bool("BEHIND_PROXY", False) else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = SECURE_HTTPS
CSRF_COOKIE_SECURE = SECURE_HTTPS
X_FRAME_OPTIONS = "DENY"
# Everything comes from here: no third-party request, no inline script, no eval.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# Requests under /api/ in a minute: of a token or a user, and of an address without one.
API_REQUESTS_PER_MINUTE = env_int("API_REQUESTS_PER_MINUTE", 600, minimum=1)
API_STRANGER_REQUESTS_PER_MINUTE = env_int("API_STRANGER_REQUESTS_PER_MINUTE", 60, minimum=1)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "accounts.api.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsing.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "accounts.api.schema.ApiSchema",
    "DEFAULT_PAGINATION_CLASS": "accounts.api.pagination.CursorPages",
    "EXCEPTION_HANDLER": "accounts.api.problems.answer_problem",
    # How many proxies' word is taken on where a request comes from.
    "NUM_PROXIES": 1 if env_bool("BEHIND_PROXY", False) else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Peekaword",
    "DESCRIPTION": "All that the pages do: materials, campaigns, judgments, reports. docs/api.md tells the rest.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "CampaignState": "campaigns.models.Campaign.State",
        "ClassifierState": "materials.models.Classifier.State",
        "ImportState": "materials.models.Import.State",
        "RunKind": "materials.models.Run.Kind",
        "RunState": "materials.models.Run.State",
    },
}

LOGGING = log_config(env_choice("LOG_FORMAT", ("line", "json")), env("LOG_LEVEL", "WARNING"))
