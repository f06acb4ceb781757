"""`run`, the requirements, and the services of docker-compose.yml by their own commands."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from storages.backends.s3 import S3Storage

from tests.conftest import ROOT

from .processes import BIN, answers, database_url, environment, free_port, running, wait_for


def _say(*command: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=environment(**more), capture_output=True, text=True, check=False
    )


# run --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_run_explains_itself(shell: str) -> None:
    said = _say(shell, "run", "help")
    assert said.returncode == 0
    for command in ("setup", "test", "check", "bench", "lock", "PORT="):
        assert command in said.stdout
    assert len(said.stdout.splitlines()) < 25


def test_run_does_not_guess_at_a_command() -> None:
    said = _say("./run", "serv")
    assert said.returncode == 2
    assert "./run help" in said.stderr


def test_run_and_ci_are_executable_and_parse() -> None:
    for script, shell in (("run", "sh"), (".ci/run", "bash")):
        assert (ROOT / script).stat().st_mode & 0o111
        assert _say(shell, "-n", script).stderr == ""


# The requirements -------------------------------------------------------------------------


def _pinned(name: str) -> dict[str, Version]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    pins: dict[str, Version] = {}
    for entry in re.split(r"\n(?=\S)", text):
        if entry.startswith("#") or not entry.strip():
            continue
        requirement = Requirement(re.split(r"\s*\\", entry, maxsplit=1)[0])
        assert "--hash=sha256:" in entry, f"{requirement.name} has no hash"
        assert requirement.url is None
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        pins[canonicalize_name(requirement.name)] = Version(pin.version)
    return pins


def _wanted() -> tuple[list[Requirement], list[Requirement]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dev = project["optional-dependencies"]["dev"]
    return [Requirement(r) for r in project["dependencies"]], [Requirement(r) for r in dev]


def test_every_package_asked_for_is_pinned_with_hashes() -> None:
    runtime, dev = _pinned("runtime"), _pinned("dev")
    wanted, wanted_by_builders = _wanted()
    for pins, asked in ((runtime, wanted), (dev, wanted + wanted_by_builders)):
        for requirement in asked:
            version = pins[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"run ./run lock: {requirement}"


def test_the_builders_packages_are_those_of_the_server_and_more() -> None:
    runtime, dev = _pinned("runtime"), _pinned("dev")
    assert {name: dev.get(name) for name in runtime} == runtime
    assert len(dev) > len(runtime)


# docker-compose.yml -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The composition as docker-compose itself reads it, without any .env."""
    command = ("docker-compose", "--env-file", "/dev/null", "config")
    assert _say(*command, "--quiet").stderr == ""
    read = _say(*command, "--format", "json", S3_ACCESS_KEY="KEY", S3_SECRET_KEY="SECRET")
    services: dict[str, Any] = json.loads(read.stdout)["services"]
    return services


def test_the_composition_has_its_five_services(compose: dict[str, Any]) -> None:
    assert {"web", "worker", "postgres", "store", "proxy"} <= set(compose)
    published = {name for name, service in compose.items() if service.get("ports")}
    assert published == {"proxy"}


def test_each_service_starts_as_the_operators_page_says(compose: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "operator.md").read_text()
    for name in ("web", "worker", "store"):
        assert " ".join(compose[name]["command"]) in page
    image = (ROOT / "Dockerfile").read_text()
    assert json.dumps(compose["web"]["command"]) in image


def test_run_serves_by_the_same_command(compose: dict[str, Any]) -> None:
    script = (ROOT / "run").read_text()
    web = " ".join(compose["web"]["command"]).replace("0.0.0.0:8000", '"127.0.0.1:$PORT"')
    assert web in script
    assert " ".join(compose["worker"]["command"]) in script


def test_the_composition_gives_no_secret_of_its_own(compose: dict[str, Any]) -> None:
    given = compose["web"]["environment"]
    assert (given["SECRET_KEY"], given["RECORD_KEY"], given["PUBLIC_URL"]) == ("", "", "")
    assert given["SILTFENCE_MODE"] == "production"
    assert compose["postgres"]["environment"]["POSTGRES_PASSWORD"] == ""


def test_the_proxy_takes_whole_requests_and_refuses_large_ones() -> None:
    conf = (ROOT / "deploy" / "nginx.conf").read_text()
    for line in (
        "proxy_request_buffering on;",
        "client_max_body_size 110m;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        'proxy_set_header X-Forwarded-Host "";',
    ):
        assert line in conf


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_web_service_answers(compose: dict[str, Any]) -> None:
    port = free_port()
    command = [
        part.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for part in compose["web"]["command"]
    ]
    with running(command, DATABASE_URL=database_url()):
        wait_for(lambda: answers(port))
        with pytest.raises(urllib.error.HTTPError) as red:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20)
        found = json.load(red.value)
    assert red.value.code == 503
    assert found["checks"]["database"] == "ok"
    assert found["checks"]["worker"] == "No worker has run yet."


@pytest.mark.slow
def test_the_store_keeps_files_and_refuses_a_wrong_secret(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    port, key, secret = free_port(), "K" * 20, "S" * 40
    (tmp_path / "data" / "siltfence").mkdir(parents=True)
    swaps = {
        ":9000": f"127.0.0.1:{port}",
        "KEY,SECRET": f"{key},{secret}",
        "/data": str(tmp_path / "data"),
    }
    command = [str(BIN / "rclone"), *(swaps.get(p, p) for p in compose["store"]["command"])]
    with running(command, RCLONE_CONFIG=str(tmp_path / "none")):
        wait_for(lambda: answers(port))
        options = _store_options(port, key, secret)
        store = S3Storage(**options)
        name = store.save("plans/plan.pdf", ContentFile(b"%PDF-1.7 one"))
        again = store.save("plans/plan.pdf", ContentFile(b"%PDF-1.7 two"))
        assert name != again
        assert store.open(name).read() == b"%PDF-1.7 one"
        link = urllib.request.urlopen(store.url(name), timeout=10)
        assert link.read() == b"%PDF-1.7 one"
        with pytest.raises(Exception, match=r"403|AccessDenied|SignatureDoesNotMatch"):
            S3Storage(**options | {"secret_key": "x" * 40}).save("a", ContentFile(b"a"))


def _store_options(port: int, key: str, secret: str) -> dict[str, Any]:
    """Return the options that the portal's settings make of the S3 variables."""
    shown = _say(
        "python",
        "-c",
        "import json; from django.conf import settings;"
        "print(json.dumps(settings.STORAGES['default']['OPTIONS']))",
        S3_BUCKET="siltfence",
        S3_ENDPOINT=f"http://127.0.0.1:{port}",
        S3_ACCESS_KEY=key,
        S3_SECRET_KEY=secret,
    )
    options: dict[str, Any] = json.loads(shown.stdout)
    return options
