"""What belongs to one applicant appears to nobody else: not in a page, list, search or feed.

Every field of one case holds a canary; the whole portal is then asked as a stranger.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import models
from django.test import Client

from escrow import acts as escrow_acts
from escrow.models import Instrument
from permits import acts, handover
from permits.models import Application, CasePaper
from portal import letter_batches, papers
from portal.models import LetterBatch, Mailing, OutboxMessage, Preview, Upload, User
from tests import factory, scene

pytestmark = pytest.mark.django_db

MARK = "canary"
LATITUDE, LONGITUDE = "43.271828", "-88.314159"
PUBLIC = {
    ("Site", "number"),
    ("Site", "address"),
    ("Parcel", "number"),
    ("Application", "number"),
    ("Permit", "number"),
}
"""What anybody may know of a site; everything else holds a canary."""

MATRIX: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "authz.toml").read_text(encoding="utf-8")
)


def plant(row: models.Model) -> None:
    """Write a canary into every free text of a row."""
    name = type(row).__name__
    for field in row._meta.concrete_fields:
        kept = (name, field.name) in PUBLIC or field.unique or field.choices
        if kept or not isinstance(field, models.CharField | models.TextField):
            continue
        if isinstance(field, models.EmailField):
            setattr(row, field.name, f"{MARK}-{name}@example.test".lower())
        elif not isinstance(field, models.FileField) and field.name not in SHAPED:
            setattr(row, field.name, f"{MARK} {name} {field.name}"[: field.max_length])
    row.save()


SHAPED = {"sha256", "content_type", "device", "feed_key", "password"}
"""Text that must keep its shape."""


@pytest.fixture
def nest(monkeypatch: pytest.MonkeyPatch, at: Callable[..., datetime]) -> Application:
    """A case that went the whole way, with a canary in every field."""
    at(factory.MONDAY)
    monkeypatch.setattr(papers, "render", scene.quick_paper)
    owner = User.objects.create_user(f"{MARK}@example.test", factory.PASSWORD, name=f"{MARK} owner")
    User.objects.filter(pk=owner.pk).update(telephone=f"{MARK} telephone")
    owner.refresh_from_db()
    application = factory.complete_draft(owner)
    for row in rows_of(application):
        plant(row)
    application.refresh_from_db()
    Upload.objects.filter(sheets__revision__application=application).update(
        latitude=LATITUDE, longitude=LONGITUDE
    )
    upload = Upload.objects.get(sheets__revision__application=application)
    Preview.objects.create(upload=upload, page=1, file=upload.file.name, width=1, height=1)
    go_all_the_way(application)
    return application


def rows_of(application: Application) -> Iterator[models.Model]:
    """Yield every row that an applicant writes."""
    revision = application.latest_revision()
    yield from (application, application.site, revision)
    for related in (
        application.parties,
        application.site.parcels,
        revision.sheets,
        revision.devices,
        revision.activities,
    ):
        yield from related.all()
    yield from (sheet.upload for sheet in revision.sheets.all())


def go_all_the_way(application: Application) -> None:
    """File, deny, revise, grant, post and issue, with a canary in every note."""
    on, me = factory.MONDAY, application.applicant
    signed = {"signed_name": f"{MARK} signed", "signed_capacity": f"{MARK} capacity"}
    acts.submit(application, by=me, on=on, **signed)
    acts.record_fee(
        application,
        by=factory.clerk(),
        on=on,
        means="check",
        amount=application.fee_due(on=on),
        received_on=on,
        receipt_number=f"{MARK} receipt",
        check_number=f"{MARK} check",
    )
    change = {"section": "plan", "sheet": f"{MARK} sheet", "text": f"{MARK} change"}
    acts.deny(application, by=factory.inspector(), on=on, changes=[change], note=f"{MARK} note")
    revision = application.begin_revision()
    for required in revision.changes_to_answer():
        revision.answers.create(change=required, text=f"{MARK} answer")
    acts.file_revision(application, by=me, on=on)
    terms = {**factory.GRANT, "conditions": [f"{MARK} condition"], "note": f"{MARK} note"}
    until = on.replace(year=2027)
    acts.grant(application, by=factory.inspector(), on=on, permanent_controls_by=until, **terms)
    bond = Instrument(
        form="bond",
        amount=application.permit.escrow_amount,
        received_on=on,
        issuer=f"{MARK} surety",
        instrument_number=f"{MARK} bond",
        original_kept_at=f"{MARK} safe",
    )
    escrow_acts.post(application.permit, [bond], by=factory.clerk(), on=on)
    application.permit.refresh_from_db()
    acts.issue(application.permit, by=factory.clerk(), on=on)
    handover.offer(application, by=me, email=f"{MARK}-third@example.test", on=on)
    Mailing.objects.update(addressee=f"{MARK} addressee", address=f"{MARK} address")
    OutboxMessage.objects.update(last_error=f"{MARK} error", attempts=1)


def _letters(number: str) -> list[int]:
    return list(Mailing.objects.filter(reference=number).values_list("pk", flat=True))


def _batch(number: str) -> str:
    found = LetterBatch.objects.filter(lines__mailing__reference=number).first()
    if found is None:  # of every letter of the case
        found = letter_batches.ask(Mailing.objects.filter(reference=number), by=factory.clerk())
        found.lines.update(trouble=f"{MARK} trouble")
        quick = scene.quick_paper("", {}, kind="mail_batch", title=f"{MARK} letters")
        LetterBatch.objects.filter(pk=found.pk).update(document=quick)
    return f"mail/batches/{found.key}"


def paths_to(application: Application) -> Iterator[str]:
    """Yield every address of the portal, and for what belongs to the case each of its keys."""
    site, offer = application.site, application.handovers.get()
    uploads = Upload.objects.filter(sheets__revision__application=application).distinct()
    documents = [paper.document for paper in CasePaper.objects.filter(site=site)]
    fills: dict[str, list[str]] = {
        "applications/<uuid:key>": [f"applications/{application.key}"],
        "cases/<str:number>": [f"cases/{site.number}", f"cases/{application.number}"],
        "sites/<str:number>": [f"sites/{site.number}"],
        "papers/<uuid:key>": [f"papers/{document.key}" for document in documents],
        "files/<uuid:key>": [f"files/{upload.key}" for upload in uploads],
        "hand-over/<uuid:key>": [f"hand-over/{offer.key}"],
        "<step:step>": ["site", "people", "work", "plan", "check"],
        "plan/<int:number>": ["plan/1", "plan/2"],
        "page/<int:page>": ["page/1"],
        "closures/<str:day>": ["closures/2026-12-24"],
        "council/<slug:key>": ["council/fee"],
        "law/<slug:section>": ["law/permit"],
        "mail/<int:pk>": [f"mail/{key}" for key in _letters(site.number)],
        "mail/batches/<uuid:key>": [_batch(site.number)],
        "people/<int:pk>": [f"people/{application.applicant.pk}"],
        "calendar/<str:key>.ics": ["calendar/not-the-key.ics"],
    }
    for address in MATRIX:
        yield from filled(f"/{address}", fills)


def filled(address: str, fills: dict[str, list[str]]) -> Iterator[str]:
    """Yield an address with each of the values for its placeholders."""
    for placeholder, values in fills.items():
        if placeholder in address:
            for value in values:
                yield from filled(address.replace(placeholder, value), fills)
            return
    yield address


def sing(response: Any) -> list[str]:
    """Return the canaries in an answer: in its body, its headers, or what it leads to."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    text = unescape(body.decode(errors="replace")) + str(response.headers)
    secrets = (MARK, LATITUDE, LONGITUDE.lstrip("-"))
    return [secret for secret in secrets if secret in text.lower()]


QUERIES = ("prairie", "0240", "example", "s-2026", "ap-2026", "ec-2026", "a", "1")


@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("who", ["anonymous", "other"])
def test_no_canary_sings_to_a_stranger(nest: Application, who: str) -> None:
    client = Client(raise_request_exception=False)
    other = factory.applicant("Somebody Else") if who == "other" else None
    if other is not None:
        factory.received(other)
        client.force_login(other)
    heard = {}
    for path in paths_to(nest):
        for method in (client.get, client.post):
            if songs := sing(method(path)):
                heard[path] = songs
        if other is not None:
            client.force_login(other)  # a POST to the way out has signed them out
    for query in QUERIES:
        for path in ("/look-up/", "/cases/", "/desk/", "/home/", "/law/"):
            if songs := sing(client.get(path, {"q": query})):
                heard[f"{path}?q={query}"] = songs
    if other is not None and (songs := sing(client.get(f"/calendar/{other.feed_key}.ics"))):
        heard["feed"] = songs
    assert heard == {}
    assert not OutboxMessage.objects.filter(
        recipient=other.email if other else "nobody", body__icontains=MARK
    ).exists()


def test_the_canaries_are_alive(nest: Application) -> None:
    """The holder and the city do see them: the test above listens to something."""
    for reader in (nest.applicant, factory.inspector()):
        client = Client()
        client.force_login(reader)
        assert sing(client.get(nest.get_absolute_url())) == [MARK]


# What the public comes to by following links ----------------------------------------------

LINK = re.compile(r'(?:href|src|action)="([^"#]+)')
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
TELEPHONE = re.compile(r"\(?\b\d{3}\)?[ -]\d{3}-\d{4}\b")


@pytest.mark.slow
@pytest.mark.once
def test_whoever_follows_every_public_link_meets_no_personal_data(nest: Application) -> None:
    client = Client()
    waiting, seen, heard = ["/", "/look-up/?q=prairie", nest.site.get_public_url()], set(), {}
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) > 150:
            continue
        seen.add(path)
        response = client.get(path)
        if response.status_code != 200 or "text/html" not in response["Content-Type"]:
            continue
        page = unescape(response.content.decode())
        found = set(sing(response)) | set(ADDRESS.findall(page)) | set(TELEPHONE.findall(page))
        if strange := found - ALLOWED:
            heard[path] = strange
        links = (link for link in LINK.findall(page) if link.startswith(("/", "?")))
        waiting += [
            link if link.startswith("/") else path.partition("?")[0] + link for link in links
        ]
    assert heard == {}
    assert nest.site.get_public_url() in seen
    assert len(seen) > 25


ALLOWED = {settings.CITY["email"], settings.CITY["telephone"], "name@example.com"}
"""The city's own, and the example in a hint."""
