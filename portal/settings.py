"""Settings: everything that differs between cities and machines comes from the environment.

`SILTFENCE_MODE` is `production` unless said otherwise; production refuses to start without
what keeps it safe. `demo` serves the demo city on one machine; `test` is for the tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from portal.agreement_choice import agreement_before
from portal.patience import QUICK
from portal.payment_keys import online_payment_is_set

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
env.read_env(BASE_DIR / ".env")

MODE: str = env.str("SILTFENCE_MODE", default="production")
if MODE not in {"production", "demo", "test"}:
    raise ImproperlyConfigured(f"SILTFENCE_MODE is {MODE!r}; it must be production, demo or test.")
PRODUCTION = MODE == "production"
DEMO = MODE == "demo"
TEST = MODE == "test"
DEBUG = env.bool("SILTFENCE_DEBUG", default=False) and not PRODUCTION


def _needed(name: str, why: str) -> str:
    """Return the setting, or in production refuse to start with a sentence."""
    value: str = env.str(name, default="")
    if PRODUCTION and not value:
        raise ImproperlyConfigured(f"Set {name}: {why}")
    return value


# The machine ------------------------------------------------------------------------------

VAR_DIR = Path(env.str("SILTFENCE_VAR", default=str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = (
    _needed("SECRET_KEY", "a long random string that signs sessions; keep it out of the code.")
    or "demo-only-key-the-production-mode-refuses-to-start-without-its-own-secret-key"
)
if PRODUCTION and len(SECRET_KEY) < 50:
    raise ImproperlyConfigured("Set SECRET_KEY to at least 50 random characters.")

# The record's key signs the chain of case events; it never leaves the environment.
RECORD_KEY = (
    _needed("RECORD_KEY", "a second random string that seals the case record's chain.")
    or "demo-only-record-key"
)

PUBLIC_URL = (
    _needed("PUBLIC_URL", "the https:// address under which people reach the portal.")
    or "http://127.0.0.1:8000"
).rstrip("/")
if PRODUCTION and not PUBLIC_URL.startswith("https://"):
    raise ImproperlyConfigured("Set PUBLIC_URL to an https:// address: sign-in needs HTTPS.")

_hosts = _needed("ALLOWED_HOSTS", "the host names the portal answers to, separated by commas.")
_here = ["127.0.0.1", "localhost", "testserver"]
ALLOWED_HOSTS: list[str] = [h.strip() for h in _hosts.split(",") if h.strip()] or _here
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts; * would let anyone pose as it.")

ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en-us"
TIME_ZONE = "America/Chicago"
USE_TZ = True
USE_I18N = False

INSTALLED_APPS = [
    "portal",
    "permits",
    "inspections",
    "enforcement",
    "escrow",
    "portal.desk.records",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "bootstrap",
    "crispy_forms",
    "crispy_bootstrap5",
    "django_filters",
    "django_htmx",
    "django_tables2",
    "django_tasks",
    "django_tasks_db",
    "lucide",
    "anymail",
    "csp",
]

MIDDLEWARE = [
    "portal.middleware.PrivatePagesMiddleware",  # outermost: errors get its headers too
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "portal.middleware.SessionLimitsMiddleware",
    "portal.middleware.StaffSecondFactorMiddleware",
    "portal.middleware.NulMiddleware",
    "portal.trouble.TroubleMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.context.city",
                "escrow.ways.money_tabs",
            ],
            "builtins": ["portal.templatetags.siltfence", "lucide.templatetags.lucide"],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

# The city ---------------------------------------------------------------------------------

CITY: dict[str, Any] = {
    "ordinance": env.str("CITY_ORDINANCE", default="example"),  # its folder of editions
    "name": env.str("CITY_NAME", default="City of Example"),
    "county": env.str("CITY_COUNTY", default="Example County"),
    "state": env.str("CITY_STATE", default="Wisconsin"),
    "office": env.str("CITY_OFFICE", default="Building Inspection"),
    "address": env.str("CITY_ADDRESS", default="100 Main Street, Example, WI 54999"),
    "telephone": env.str("CITY_TELEPHONE", default="(555) 010-0100"),
    "email": env.str("CITY_EMAIL", default="inspection@city.example"),
    "hours": env.str("CITY_HOURS", default="Monday to Friday, 8 am to 4:30 pm"),
    "seal": env.str("CITY_SEAL", default=""),  # name of a file among the static files
    "website": env.str("CITY_WEBSITE", default=""),
    "license": env.str("OPEN_DATA_LICENSE", default=""),  # of the open data; empty: free to use
    "positions": env.bool("OPEN_DATA_POSITIONS", default=DEMO),  # whether those of sites are public
    "section_labels": env.dict("CITY_SECTION_LABELS", default={}),  # renumbered: key=label,…
}
AGREEMENT_BEFORE = agreement_before(env.list("AGREEMENT_BEFORE", default=["release"]))

# Database ---------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", f"sqlite:///{VAR_DIR}/siltfence.sqlite3")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",  # a read then a write must not fail as "locked"
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
        "PRAGMA recursive_triggers=ON;",  # else REPLACE removes rows past their guards
    }
else:
    DATABASES["default"].update(
        CONN_MAX_AGE=env.int("DATABASE_CONN_MAX_AGE", default=60),
        CONN_HEALTH_CHECKS=True,
        OPTIONS={"options": QUICK},
    )

# What limits tries at sign-in must be seen by every process; no page is ever cached.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache"
        if TEST
        else "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(VAR_DIR / "cache"),
    }
}

# Files ------------------------------------------------------------------------------------

MEDIA_ROOT = VAR_DIR / "files"
FILE_UPLOAD_PERMISSIONS = 0o640
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o750
FILE_UPLOAD_HANDLERS = ["portal.uploads.handlers.BoundedUploadHandler"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 100  # above what is taken, so that the page can say so
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000

# What an applicant may send: shown before choosing, checked after.
UPLOAD_MAX_FILE_BYTES = 25 * 1024 * 1024
UPLOAD_MAX_FILES = 20
UPLOAD_MAX_TOTAL_BYTES = 100 * 1024 * 1024

if env.str("S3_BUCKET", default=""):
    _files: dict[str, Any] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": env.str("S3_BUCKET"),
            "endpoint_url": env.str("S3_ENDPOINT", default="") or None,
            "access_key": _needed("S3_ACCESS_KEY", "the key of the store that S3_BUCKET names."),
            "secret_key": _needed("S3_SECRET_KEY", "the secret of the store that S3_BUCKET names."),
            "region_name": env.str("S3_REGION", default="us-east-1"),
            "addressing_style": "path",
            "signature_version": "s3v4",
            "file_overwrite": False,  # a stored file is a fact
            "default_acl": None,
            "querystring_auth": True,
        },
    }
else:
    _files = {"BACKEND": "django.core.files.storage.FileSystemStorage"}

STORAGES = {
    "default": _files,
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = TEST or DEBUG

# People and sessions ----------------------------------------------------------------------

AUTH_USER_MODEL = "portal.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
if TEST:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
_rules = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_rules}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_rules}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{_rules}.CommonPasswordValidator"},
    {"NAME": "portal.passwords.GuessableValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "front"
ACCOUNT_ADAPTER = "portal.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "portal.accounts.SignupDetailsForm"
ACCOUNT_FORMS = {
    "login": "portal.account_forms.LoginForm",
    "signup": "portal.account_forms.SignupForm",
    "add_email": "portal.account_forms.AddEmailForm",
    "change_password": "portal.account_forms.ChangePasswordForm",
    "set_password": "portal.account_forms.SetPasswordForm",
    "reset_password": "portal.account_forms.ResetPasswordForm",
    "reset_password_from_key": "portal.account_forms.ResetPasswordKeyForm",
    "reauthenticate": "portal.account_forms.ReauthenticateForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]  # a mailbox alone changes no account
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True  # tell the person when password or address changed
ACCOUNT_SESSION_REMEMBER = False  # a shared computer forgets when its browser closes
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
# Reports and appeals by the public, which may bring files; tries at a password or a code.
_limits = dict.fromkeys(("login_failed", "bill_code"), "10/15m/key,100/15m/ip")
ACCOUNT_RATE_LIMITS = not TEST and _limits | dict.fromkeys(("report", "appeal"), "15/h/ip,40/d/ip")
PASSWORD_RESET_TIMEOUT = 60 * 60
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "portal.second_factor.SecondFactorAdapter"
MFA_TOTP_TOLERANCE = 1  # the code before and after the present one: clocks and fingers differ
MFA_FORMS = {
    "authenticate": "portal.account_forms.AuthenticateForm",
    "reauthenticate": "portal.account_forms.ReauthenticateCodeForm",
    "activate_totp": "portal.account_forms.ActivateTotpForm",
}
MFA_TOTP_ISSUER = CITY["name"]
# The number of proxies in front that set X-Forwarded-For; 0 ignores the header.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXY_COUNT", default=1 if PRODUCTION else 0)
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=PRODUCTION)

SESSION_COOKIE_AGE = 12 * 60 * 60  # absolute: twelve hours after sign-in
SESSION_IDLE_SECONDS = {"staff": 30 * 60, "public": 60 * 60}
SESSION_COOKIE_NAME = "__Host-sessionid" if PRODUCTION else "sessionid"
SESSION_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "__Host-csrftoken" if PRODUCTION else "csrftoken"
CSRF_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "portal.views.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# HTTPS and headers ------------------------------------------------------------------------

SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "worker-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],  # Bootstrap draws its check marks as data images
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "frame-src": ["'self'"],
        "object-src": ["'none'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# Mail -------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default=f"{CITY['name']} <{CITY['email']}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if env.str("MAIL_URL", default=""):
    vars().update(env.email_url("MAIL_URL"))
    EMAIL_TIMEOUT = 20
elif env.str("MAIL_BACKEND", default=""):  # an Anymail backend; its keys in ANYMAIL_…
    EMAIL_BACKEND = env.str("MAIL_BACKEND")
    ANYMAIL = env.dict("ANYMAIL", default={})
elif TEST:
    EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
elif DEMO:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "mail"
else:
    raise ImproperlyConfigured("Set MAIL_URL (smtp+tls://user:password@host:587): notices need it.")

# Online payment, off unless both are set --------------------------------------------------

STRIPE_SECRET_KEY: str = env.str("STRIPE_SECRET_KEY", default="")
STRIPE_WEBHOOK_SECRET: str = env.str("STRIPE_WEBHOOK_SECRET", default="")
ONLINE_PAYMENT = online_payment_is_set(STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET)

# Background work --------------------------------------------------------------------------

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}
# A task found RUNNING for longer than this was left behind by a worker that was killed.
TASK_STALE_SECONDS = env.int("TASK_STALE_SECONDS", default=300)
# The first pause after a mail could not be sent; it doubles up to an hour.
OUTBOX_RETRY_SECONDS = env.int("OUTBOX_RETRY_SECONDS", default=300)
DAILY_ROUND_HOUR = env.int("DAILY_ROUND_HOUR", default=6)  # reminders go out from then on

# Logs -------------------------------------------------------------------------------------

_quiet = ("django_tasks", "weasyprint", "fontTools", "pikepdf", "botocore", "stripe")  # chatty
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "portal.logs.JsonLineFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO" if not TEST else "ERROR"},
    "loggers": {
        "django.server": {"propagate": True, "handlers": []},
        **{name: {"level": "WARNING"} for name in _quiet},
    },
}
