"""Files of a case: for whoever may see the case, as they were sent, and nobody else."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client

from escrow import acts as escrow_acts
from escrow.models import Instrument
from portal.models import Preview, Upload
from tests import factory


@pytest.fixture
def sheet(complete) -> Upload:
    upload = complete.latest_revision().sheets.get().upload
    name = default_storage.save("previews/one.jpg", ContentFile(b"\xff\xd8\xff a picture"))
    Preview.objects.create(upload=upload, page=1, file=name, width=10, height=10)
    return upload


def test_the_original_is_always_saved_and_never_opened(client, sheet):
    answer = client.get(f"/files/{sheet.key}/")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content).startswith(b"%PDF-1.4")
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]


def test_its_picture_is_shown(client, sheet):
    answer = client.get(f"/files/{sheet.key}/page/1/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert client.get(f"/files/{sheet.key}/page/2/").status_code == 404


def test_staff_see_it_strangers_do_not_and_anybody_signs_in(sheet):
    staff, stranger, anybody = Client(), Client(), Client()
    staff.force_login(factory.inspector())
    stranger.force_login(factory.applicant("Another"))
    for path in (f"/files/{sheet.key}/", f"/files/{sheet.key}/page/1/"):
        assert staff.get(path).status_code == 200
        assert stranger.get(path).status_code == 404
        assert anybody.get(path).status_code == 302


def test_a_file_that_belongs_to_no_plan_is_nobody_s(client, vang):
    loose = factory.upload(vang)
    assert client.get(f"/files/{loose.key}/").status_code == 404


def test_whoever_handed_the_case_over_sees_its_files_no_more(client, complete, sheet):
    complete.applicant = factory.applicant("Another")
    complete.save()
    assert client.get(f"/files/{sheet.key}/").status_code == 404


def test_the_scan_of_a_bond_belongs_to_the_case_it_guarantees(client, vang):
    permit = factory.granted(vang).permit
    scan = factory.upload(factory.clerk())
    bond = Instrument(
        form="bond",
        amount=permit.escrow_amount,
        received_on=factory.MONDAY,
        issuer="Prairie Surety",
        instrument_number="B-1",
        expires_on=factory.MONDAY.replace(year=2029),
        scan=scan,
    )
    escrow_acts.post(permit, [bond], by=factory.clerk(), on=factory.MONDAY)
    clerk, stranger = Client(), Client()
    clerk.force_login(factory.clerk())
    stranger.force_login(factory.applicant("Another"))
    assert clerk.get(f"/files/{scan.key}/").status_code == 200
    assert client.get(f"/files/{scan.key}/").status_code == 200
    assert stranger.get(f"/files/{scan.key}/").status_code == 404
