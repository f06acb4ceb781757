"""Settings: production refuses to start unsafe, and the databases are set as they must be."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.backends.postgresql.psycopg_any import is_psycopg3

from portal import patience
from tests.conftest import ON_POSTGRES, ROOT

from .processes import environment

PRODUCTION = {
    "SILTFENCE_MODE": "production",
    "SECRET_KEY": "a-sample-key-0123456789-abcdefghijklmnopqrstuvwxyz-9876543210",
    "RECORD_KEY": "another-sample-key-0123456789",
    "PUBLIC_URL": "https://permits.city.example",
    "ALLOWED_HOSTS": "permits.city.example",
    "MAIL_URL": "smtp+tls://user:password@mail.city.example:587",
}


def _start(tmp_path: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command or ("python", "-c", "import django; django.setup()"),
        cwd=ROOT,
        env=environment(**settings) | {"SILTFENCE_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_starts_with_what_it_needs(tmp_path: Path) -> None:
    started = _start(tmp_path, **PRODUCTION)
    assert started.returncode == 0, started.stderr


def test_production_starts_with_both_secrets_of_online_payment(tmp_path: Path) -> None:
    secrets = {"STRIPE_SECRET_KEY": "sk_live_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"}
    started = _start(tmp_path, **PRODUCTION | secrets)
    assert started.returncode == 0, started.stderr


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"SECRET_KEY": ""}, "Set SECRET_KEY: a long random string"),
        ({"SECRET_KEY": "short"}, "Set SECRET_KEY to at least 50 random characters."),
        ({"RECORD_KEY": ""}, "Set RECORD_KEY: "),
        ({"ALLOWED_HOSTS": ""}, "Set ALLOWED_HOSTS: "),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name the hosts"),
        ({"PUBLIC_URL": ""}, "Set PUBLIC_URL: "),
        ({"PUBLIC_URL": "http://permits.city.example"}, "Set PUBLIC_URL to an https:// address"),
        ({"MAIL_URL": ""}, "Set MAIL_URL "),
        ({"S3_BUCKET": "siltfence"}, "Set S3_ACCESS_KEY: "),
        ({"S3_BUCKET": "siltfence", "S3_ACCESS_KEY": "a"}, "Set S3_SECRET_KEY: "),
        ({"STRIPE_SECRET_KEY": "sk_live_1"}, "Set STRIPE_WEBHOOK_SECRET as well"),
        ({"STRIPE_WEBHOOK_SECRET": "whsec_1"}, "Set STRIPE_SECRET_KEY as well"),
        (
            {"STRIPE_SECRET_KEY": "whsec_1", "STRIPE_WEBHOOK_SECRET": "sk_live_1"},
            "STRIPE_SECRET_KEY is no secret key",
        ),
        (
            {"STRIPE_SECRET_KEY": "sk_live_1", "STRIPE_WEBHOOK_SECRET": "sk_live_1"},
            "STRIPE_WEBHOOK_SECRET is no signing secret",
        ),
        ({"SILTFENCE_MODE": "prod"}, "it must be production, demo or test."),
    ],
)
def test_production_refuses_to_start_and_says_why(
    tmp_path: Path, change: dict[str, str], sentence: str
) -> None:
    refused = _start(tmp_path, **PRODUCTION | change)
    assert refused.returncode != 0
    assert sentence in refused.stderr.strip().splitlines()[-1]


def test_nothing_said_is_production(tmp_path: Path) -> None:
    """A server that was set up by half is not a demo by accident."""
    refused = _start(tmp_path, "env", "-u", "SILTFENCE_MODE", "python", "-c", "import portal.wsgi")
    assert "Set SECRET_KEY" in refused.stderr


def test_debug_is_off_in_production_whatever_is_asked(tmp_path: Path) -> None:
    shown = _start(
        tmp_path,
        "python",
        "-c",
        "from django.conf import settings; print(settings.DEBUG)",
        SILTFENCE_DEBUG="true",
        **PRODUCTION,
    )
    assert shown.stdout == "False\n"


def test_djangos_own_checks_for_deployment_find_nothing(tmp_path: Path) -> None:
    checked = _start(
        tmp_path,
        *("python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        **PRODUCTION,
    )
    assert checked.returncode == 0, checked.stderr


# The databases ----------------------------------------------------------------------------


def _ask(question: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


@pytest.mark.django_db
@pytest.mark.skipif(ON_POSTGRES, reason="of SQLite")
def test_sqlite_keeps_what_it_confirmed_through_a_power_cut() -> None:
    assert _ask("PRAGMA journal_mode") == "wal"
    assert _ask("PRAGMA synchronous") == 2  # FULL
    assert _ask("PRAGMA foreign_keys") == 1
    assert connection.settings_dict["OPTIONS"]["timeout"] == 20


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(ON_POSTGRES, reason="of SQLite")
def test_a_transaction_takes_sqlites_write_lock_at_its_start() -> None:
    assert connection.transaction_mode == "IMMEDIATE"
    with CaptureBegin() as begun, transaction.atomic():
        pass
    assert begun == ["BEGIN IMMEDIATE"]


class CaptureBegin(list[str]):
    """Collects the statement with which a transaction begins."""

    def __enter__(self) -> CaptureBegin:
        connection.ensure_connection()
        connection.connection.set_trace_callback(
            lambda said: self.append(said) if said.startswith("BEGIN") else None
        )
        return self

    def __exit__(self, *_: object) -> None:
        connection.connection.set_trace_callback(None)


@pytest.mark.postgres
@pytest.mark.django_db
def test_postgresql_is_reached_through_psycopg2() -> None:
    """Django prefers psycopg 3 without a word where some package brings it."""
    assert not is_psycopg3
    connection.ensure_connection()
    assert type(connection.connection).__module__.startswith("psycopg2")


def test_the_other_driver_is_not_installed() -> None:
    assert find_spec("psycopg") is None


@pytest.mark.postgres
@pytest.mark.django_db
def test_no_statement_and_no_lock_is_waited_for_without_end() -> None:
    assert _ask("SHOW statement_timeout") == "10s"
    assert _ask("SHOW lock_timeout") == "5s"
    assert _ask("SHOW synchronous_commit") == "on"
    assert connection.settings_dict["CONN_HEALTH_CHECKS"] is True


@pytest.mark.postgres
@pytest.mark.django_db
def test_only_a_proof_of_the_books_is_read_by_several_processes() -> None:
    assert _ask("SHOW jit") == "off"
    assert _ask("SHOW max_parallel_workers_per_gather") == "0"
    with patience.together():
        assert _ask("SHOW max_parallel_workers_per_gather") == "2"
    assert _ask("SHOW max_parallel_workers_per_gather") == "0"


# The operator's page ----------------------------------------------------------------------


def test_the_operators_page_explains_every_variable() -> None:
    read = set(
        re.findall(
            r"""(?:env(?:\.\w+)?|_needed)\(\s*"([A-Z0-9_]+)\"""",
            (ROOT / "portal" / "settings.py").read_text(),
        )
    )
    page = (ROOT / "docs" / "operator.md").read_text()
    assert len(read) > 25
    assert {name for name in read if f"`{name}`" not in page} == set()
