"""The page on which staff have a case put in one file."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from permits.models import Application, CaseEvent, CaseExport
from portal.desk.export import tasks
from portal.models import Upload
from tests import factory

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def issued(at) -> Application:
    at(factory.MONDAY)
    return factory.issued()


def entered(who: Any) -> Client:
    client = Client()
    client.force_login(who)
    return client


def address(application: Application) -> str:
    return reverse("case_file", args=[application.site.number])


def send(client: Client, application: Application, audience: str, token: str = "") -> Any:
    sent = {"audience": audience, "operation": token or str(uuid.uuid4())}
    return client.post(address(application), sent, follow=True)


def test_the_clerk_makes_a_file_and_opens_it_again(issued: Application) -> None:
    client = entered(factory.clerk())
    page = send(client, issued, "court")
    made = CaseExport.objects.get()
    text = page.content.decode()
    assert f"{made} is made." in text
    assert made.sha256 in text
    answer = client.get(made.get_absolute_url())
    content = b"".join(answer.streaming_content)
    assert answer["Content-Type"] == "application/zip"
    assert f'filename="{made.name}.zip"' in answer["Content-Disposition"]
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    assert len(content) == made.size


def test_the_case_page_leads_there_and_tells_of_it(issued: Application) -> None:
    client = entered(factory.clerk())
    case = issued.get_absolute_url()
    assert address(issued) in client.get(case).content.decode()
    send(client, issued, "public")
    page = client.get(case).content.decode()
    assert "The whole case was put in one file for the public, EX-2026-0001" in page


def test_a_form_sent_twice_makes_one_file_and_one_fact(issued: Application) -> None:
    client, token = entered(factory.clerk()), str(uuid.uuid4())
    for _ in range(2):
        assert send(client, issued, "full", token).status_code == 200
    assert CaseExport.objects.count() == 1
    assert CaseEvent.objects.filter(kind="case.exported").count() == 1


def test_asked_again_it_says_that_nothing_has_happened(issued: Application) -> None:
    client = entered(factory.clerk())
    send(client, issued, "full")
    page = send(client, issued, "full").content.decode()
    assert "Nothing has happened in this case since EX-2026-0001 was made" in page
    assert CaseExport.objects.count() == 1


def test_a_copy_written_elsewhere_is_made_anew_where_one_is_to_be_kept(
    issued: Application, tmp_path
) -> None:
    from tests.export.bags import make

    make(issued.site, tmp_path)
    send(entered(factory.clerk()), issued, "full")
    assert [made.document is None for made in CaseExport.objects.order_by("pk")] == [True, False]


def test_nobody_chosen_is_said_beside_the_question(issued: Application) -> None:
    page = entered(factory.clerk()).post(address(issued), {"end_of_form": ""})
    assert page.status_code == 200
    assert "Choose for whom the file is." in page.content.decode()


@pytest.mark.parametrize("role", ["inspector", "administrator", "attorney", "board"])
def test_others_are_told_who_makes_a_file_for_a_court(issued: Application, role: str) -> None:
    client = entered(factory.user(role))
    page = client.get(address(issued)).content.decode()
    assert "made by the city clerk, as custodian" in page
    assert 'value="court"' not in page
    refused = send(client, issued, "court")
    assert refused.status_code == 200
    assert not CaseExport.objects.exists()


def test_a_missing_file_is_told_in_plain_words(issued: Application) -> None:
    default_storage.delete(Upload.objects.get().file.name)
    answer = send(entered(factory.clerk()), issued, "full")
    assert answer.status_code == 409
    assert "Ask the operator to restore it from the backup" in answer.content.decode()
    assert not CaseExport.objects.exists()


def test_a_case_without_a_fact_says_why_there_is_no_button(at) -> None:
    from permits.models import Site

    at(factory.MONDAY)
    site = Site.objects.create(number="S-2026-0900", address="9 Empty Road")
    page = entered(factory.clerk()).get(reverse("case_file", args=[site.number]))
    assert "Nothing is on record in this case yet" in page.content.decode()
    assert "Make the file" not in page.content.decode()


def test_a_large_case_is_made_in_the_background(
    issued: Application, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    monkeypatch.setattr(tasks, "MANY_FILES", 1)
    client = entered(factory.clerk())
    text = send(client, issued, "full").content.decode()
    assert "made in the background" in text
    assert "It is being made." in text
    assert not CaseExport.objects.exists()
    tasks.make_later.func(issued.site.pk, "full", factory.clerk().pk, "2026-11-16")
    assert CaseExport.objects.get().document is not None


def test_what_could_not_be_made_in_the_background_says_why(issued: Application) -> None:
    default_storage.delete(Upload.objects.get().file.name)
    why = tasks.make_later.func(issued.site.pk, "full", factory.clerk().pk, "2026-11-16")
    assert "missing in the storage" in why


def test_a_changed_copy_is_not_handed_out(issued: Application) -> None:
    client = entered(factory.clerk())
    send(client, issued, "full")
    made = CaseExport.objects.get()
    path = default_storage.path(made.document.file.name)
    with open(path, "ab") as file:  # noqa: PTH123
        file.write(b"more")
    assert client.get(made.get_absolute_url()).status_code == 410


@pytest.mark.parametrize("many", [1, 60])
def test_the_page_asks_at_most_25_times(issued: Application, many: int) -> None:
    client = entered(factory.clerk())
    send(client, issued, "full")
    first = CaseExport.objects.get()
    for number in range(2, many + 1):
        event = issued.site.record("case.exported", by=None, on=factory.MONDAY, facts={})
        row = {f.attname: getattr(first, f.attname) for f in first._meta.concrete_fields}
        row |= {"id": None, "key": uuid.uuid4(), "number": f"EX-2026-{number:04d}"}
        CaseExport.objects.create(**row | {"event_id": event.pk, "document_id": None})
    client.get(address(issued))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page = client.get(address(issued)).content.decode()
    assert len(asked) <= 25
    assert len(re.findall(r"<h3>(?:<a|EX)", page)) == min(many, 25)
