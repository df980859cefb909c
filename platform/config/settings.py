"""All configuration comes from the environment; docs/settings.md lists every name read here."""

import secrets
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured

from catalogue import languages
from config.environment import ROOT, env, env_bool, env_choice, env_float, env_int, env_list, env_networks, var_folder

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
    "rest_framework.authtoken",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "accounts",
    "webhooks",
    "materials",
    "campaigns",
    "judging",
    "reports",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
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
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A task that was taken by a machine that died is delivered again after this many seconds.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": env_int("TASK_REDELIVERY_SECONDS", 1800, minimum=60)}

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "campaign_list"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

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
MAX_TEXT_CHARACTERS = env_int("MAX_TEXT_CHARACTERS", 20_000, minimum=1)
MAX_UPLOAD_MEGABYTES = env_int("MAX_UPLOAD_MEGABYTES", 200, minimum=1)

# What a worker process may hold at once, in word pieces; steps and samples are streamed through it.
TOKEN_BUDGET = env_int("TOKEN_BUDGET", 0)
DEVICE = env("DEVICE", "cpu")
DTYPE = env_choice("DTYPE", ("float32", "bfloat16"))

# Saliency methods from outside, as package.module:function.
SALIENCY_METHODS = env_list("SALIENCY_METHODS")

# Pay shown to researchers; the minimum is Prolific's of 2026-11 (8 USD an hour; 12 recommended).
PAY_CURRENCY = env("PAY_CURRENCY", "USD")
COMPUTE_PRICE_PER_HOUR = env_float("COMPUTE_PRICE_PER_HOUR", 0.0)
MINIMUM_HOURLY_PAY = env_float("MINIMUM_HOURLY_PAY", 8.0)

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
        "base-uri": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_THROTTLE_RATES": {"token": "10/min"},
}
SPECTACULAR_SETTINGS = {"TITLE": "Peekaword", "VERSION": "1", "SERVE_INCLUDE_SCHEMA": False}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", "WARNING")},
}
