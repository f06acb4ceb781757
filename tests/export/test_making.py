"""RELIABILITY 73 and 74: the case in one file, the same to the byte, and whole."""

from __future__ import annotations

import email
import hashlib
import hmac
import io
import json
import shutil
import subprocess
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import bagit
import pikepdf
import pytest
from django.core.files.storage import default_storage
from django.db import DatabaseError, transaction

from escrow.journal import balances
from permits import verify
from permits.models import Application, CaseEvent, CaseExport, NotNow, Site
from portal.desk.export.files import texts
from portal.models import Document, OutboxMessage, Upload
from tests import factory
from tests.escrow import money
from tests.export.bags import make, opened

pytestmark = pytest.mark.django_db

AUDIENCES = ("full", "court", "public")


@pytest.fixture
def issued(at) -> Application:
    """A case with a permit."""
    at(factory.MONDAY)
    return factory.issued()


@pytest.mark.parametrize("audience", AUDIENCES)
def test_it_is_a_bag_that_others_programs_find_whole(issued, tmp_path: Path, audience) -> None:
    result = make(issued.site, tmp_path, audience)
    archive = tmp_path / f"{result.export.name}.zip"
    subprocess.run(["unzip", "-q", archive], cwd=tmp_path, check=True)
    folder = tmp_path / result.export.name
    for manifest in ("manifest-sha256.txt", "tagmanifest-sha256.txt"):
        subprocess.run(["sha256sum", "-c", "--strict", manifest], cwd=folder, check=True)
    assert bagit.Bag(str(folder)).validate() is True
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == result.export.sha256
    assert archive.stat().st_size == result.export.size


def test_a_bag_with_a_changed_file_is_found_out(issued, tmp_path: Path) -> None:
    result = make(issued.site, tmp_path)
    shutil.unpack_archive(tmp_path / f"{result.export.name}.zip", tmp_path)
    folder = tmp_path / result.export.name
    (folder / "data/03-ledger.csv").write_bytes(b"nothing was paid")
    with pytest.raises(bagit.BagValidationError):
        bagit.Bag(str(folder)).validate()


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_same_case_gives_the_same_bytes(issued, tmp_path: Path, at, audience) -> None:
    first = make(issued.site, tmp_path, audience)
    bytes_of_first = (tmp_path / f"{first.export.name}.zip").read_bytes()
    at("2026-11-20", "09:41")
    second = make(issued.site, tmp_path / "again", audience, by=factory.clerk())
    assert second.again
    assert second.export == first.export
    assert (tmp_path / "again" / f"{first.export.name}.zip").read_bytes() == bytes_of_first


def test_each_time_it_is_handed_out_the_record_says_so(issued, tmp_path: Path) -> None:
    before = CaseEvent.objects.filter(site=issued.site).count()
    made = make(issued.site, tmp_path).export
    make(issued.site, tmp_path)
    told = CaseEvent.objects.filter(site=issued.site, kind="case.exported").order_by("sequence")
    assert CaseEvent.objects.filter(site=issued.site).count() == before + 2
    assert [each.facts["again"] for each in told] == [False, True]
    assert {each.facts["sha256"] for each in told} == {made.sha256}
    assert made.event == told[0]
    assert CaseExport.objects.count() == 1
    assert list(verify.faults()) == []


def test_a_new_fact_gives_a_new_file_that_tells_of_the_earlier_one(issued, tmp_path: Path) -> None:
    first = make(issued.site, tmp_path).export
    issued.site.record("log.entered", by=issued.applicant, on=factory.MONDAY, facts={})
    second = make(issued.site, tmp_path)
    assert not second.again
    assert second.export.number != first.number
    tables = opened(second, tmp_path).case["tables"]
    assert [row["number"] for row in tables["permits.CaseExport"]] == [first.number]
    kinds = [row["kind"] for row in tables["permits.CaseEvent"]]
    assert kinds[-2:] == ["case.exported", "log.entered"]


def test_a_mail_that_went_out_since_gives_a_new_file_too(issued, tmp_path: Path, at) -> None:
    first = make(issued.site, tmp_path).export
    OutboxMessage.objects.filter(reference=issued.site.number).update(sent_at=at("2026-11-17"))
    second = make(issued.site, tmp_path)
    assert not second.again
    assert second.export.sha256 != first.sha256


def test_papers_and_files_are_in_it_byte_for_byte(issued, tmp_path: Path) -> None:
    bag = opened(make(issued.site, tmp_path), tmp_path)
    listed = bag.table("08-documents.csv")
    stored = [*Document.objects.filter(kind__in=["receipt", "grant"]), *Upload.objects.all()]
    assert len(stored) == 3
    for each in stored:
        (row,) = [row for row in listed if row["sha256"] == each.sha256]
        assert bag[row["file"]] == each.file.read()
        assert row["pages"] == str(each.pages)


def test_the_index_is_tagged_and_has_a_title(issued, tmp_path: Path) -> None:
    bag = opened(make(issued.site, tmp_path), tmp_path)
    with pikepdf.open(io.BytesIO(bag["data/00-index.pdf"])) as pdf:
        assert bool(pdf.Root.MarkInfo.Marked)
        assert "/StructTreeRoot" in pdf.Root
        assert str(pdf.docinfo["/Title"]) == f"Case file {issued.site.number}"


def test_mails_are_in_it_as_they_were_sent(issued, tmp_path: Path) -> None:
    bag = opened(make(issued.site, tmp_path), tmp_path)
    names = [name for name in bag.files if name.startswith("data/mail/")]
    rows = {str(row.pk): row for row in OutboxMessage.objects.filter(reference=issued.site.number)}
    assert len(names) == len(rows) > 5
    with_paper = 0
    for name in names:
        row = rows[name.rpartition("-")[2].removesuffix(".eml")]
        mail: Any = email.message_from_bytes(bag[name], policy=email.policy.default)
        assert mail["Subject"] == row.subject
        assert mail["To"] == row.recipient
        body = mail.get_body().get_content()
        assert body.strip() == row.body.strip()
        for part in mail.iter_attachments():
            with_paper += 1
            paper = row.attachment
            assert hashlib.sha256(part.get_content()).hexdigest() == paper.sha256
    assert with_paper > 0


def test_the_chain_can_be_followed_and_the_city_can_prove_its_seals(
    issued, tmp_path: Path, settings
) -> None:
    bag = opened(make(issued.site, tmp_path, "court"), tmp_path)
    lines = [json.loads(line) for line in bag["data/record/chain.jsonl"].decode().splitlines()]
    assert len(lines) == 7
    seal = "0" * 64
    for number, line in enumerate(lines, 1):
        assert line["sequence"] == number
        assert line["previous"] == seal
        computed = hmac.new(settings.RECORD_KEY.encode(), line["sealed"].encode(), hashlib.sha256)
        assert computed.hexdigest() == line["hash"]
        seal = line["hash"]
    assert bag.info()["Record-Head-Hash"] == seal
    everything = b"".join(bag.files.values())
    assert settings.RECORD_KEY.encode() not in everything


def test_the_certificate_names_the_list_of_what_is_in_the_bag(issued, tmp_path: Path) -> None:
    bag = opened(make(issued.site, tmp_path, "court"), tmp_path)
    text = "".join("\n".join(texts(bag["certificate.pdf"])).split())
    assert hashlib.sha256(bag["manifest-sha256.txt"]).hexdigest() in text
    assert "certificate.pdf" in bag["tagmanifest-sha256.txt"].decode()
    assert "Signatureofthecityclerk" in text


@pytest.mark.parametrize("role", ["inspector", "administrator", "attorney", "board"])
def test_only_the_clerk_makes_a_file_for_a_court(issued, tmp_path: Path, role) -> None:
    with pytest.raises(NotNow, match="Only the city clerk"):
        make(issued.site, tmp_path, "court", by=factory.user(role))
    assert not CaseExport.objects.exists()
    assert make(issued.site, tmp_path, "full", by=factory.user(role)).export.pk


def test_a_missing_file_is_refused_or_named(issued, tmp_path: Path) -> None:
    upload = Upload.objects.get()
    default_storage.delete(upload.file.name)
    with pytest.raises(NotNow, match="missing in the storage"):
        make(issued.site, tmp_path)
    assert not CaseExport.objects.exists()
    result = make(issued.site, tmp_path, gaps=True)
    assert len(result.missing) == 1
    bag = opened(result, tmp_path)
    assert upload.sha256 in bag["data/verify.txt"].decode()
    (row,) = [r for r in bag.table("08-documents.csv") if "Missing" in r["note"]]
    assert row["file"] not in bag.files


def test_a_site_without_a_fact_has_no_file(at, tmp_path: Path) -> None:
    at(factory.MONDAY)
    site = Site.objects.create(number="S-2026-0900", address="9 Empty Road")
    with pytest.raises(NotNow, match="Nothing is on record"):
        make(site, tmp_path)


def test_a_case_on_land_without_an_application_has_one(at, tmp_path: Path) -> None:
    at(factory.MONDAY)
    site = Site.objects.create(number="S-2026-0901", address="8 Bare Road")
    site.record("violation.recorded", by=factory.inspector(), on=factory.MONDAY, facts={})
    bag = opened(make(site, tmp_path), tmp_path)
    assert bag.case["tables"]["permits.Site"][0]["number"] == "S-2026-0901"


FORMULAS = ("=cmd|'/C calc'!A0", "+1", "-Smith", "@x", "\tx", "\rx")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_sheet_computes_what_somebody_typed(issued, tmp_path: Path, text) -> None:
    """RELIABILITY 49: texts are tamed, numbers are never touched."""
    issued.parties.filter(role="landowner").update(name=text)
    bag = opened(make(issued.site, tmp_path), tmp_path)
    assert bag.table("05-people.csv")[0]["name"] == f"'{text}"
    assert bag.table("03-ledger.csv")[0]["amount"] == "25.00"
    (owner,) = [r for r in bag.case["tables"]["permits.Party"] if r["role"] == "landowner"]
    assert owner["name"] == text


def test_the_row_is_never_changed(issued, tmp_path: Path) -> None:
    made = make(issued.site, tmp_path).export
    with pytest.raises(DatabaseError), transaction.atomic():
        CaseExport.objects.filter(pk=made.pk).update(sha256="0" * 64)
    with pytest.raises(DatabaseError), transaction.atomic():
        CaseExport.objects.filter(pk=made.pk).delete()


def test_the_ledger_adds_up_to_the_trial_balance(at, tmp_path: Path) -> None:
    """What the sheet debits and credits is, account by account, what the books say."""
    at(factory.MONDAY)
    drawn = factory.issued(on=factory.MONDAY - timedelta(days=90))
    drawn.permit.refresh_from_db()
    money.drawn(drawn.permit, "500.00", on=factory.MONDAY - timedelta(days=60))
    found: Counter[str] = Counter()
    for row in opened(make(drawn.site, tmp_path), tmp_path).table("03-ledger.csv"):
        found[row["debit"]] += Decimal(row["amount"])
        found[row["credit"]] -= Decimal(row["amount"])
    books = balances(scope={"site": drawn.site})
    assert {a.value: b.balance for a, b in books.items() if b.debit or b.credit} == dict(found)
    assert len(found) >= 6
