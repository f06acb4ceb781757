"""The clerk's pages of an import, and the page of a case that came in by one."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from permits.imports import taking, tasks
from permits.models import CaseEvent, DocketEntry, EarlierPermit, ImportBatch, NotNow, Site
from permits.verify import faults
from portal import guards
from portal.desk import import_acts, imports
from portal.desk.records.facts import retention_for
from portal.models import Upload, User
from tests import factory

from .sheets import GOOD, HEADINGS, WRONG, csv_of, imported, opened, xlsx_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def monday(at: Any) -> None:
    at(factory.MONDAY)


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


def sent(raw: bytes, name: str = "permits.csv", **more: str) -> dict[str, Any]:
    file = SimpleUploadedFile(name, raw)
    token = str(uuid4())
    form = {"file": file, "source": "Old books", "operation": token, "end_of_form": ""}
    return form | more


def walk(clerk: Client, raw: bytes, words: dict[str, str] | None = None) -> ImportBatch:
    """Send a spreadsheet and go on to the page that shows what becomes of each row."""
    answer = clerk.post("/imports/new/", sent(raw))
    assert answer.status_code == 303, answer.context["form"].errors
    batch = ImportBatch.objects.latest("pk")
    columns = f"/imports/{batch.key}/columns/"
    assert answer.url == columns
    shown = clerk.get(columns).context["form"]
    named = {field.name: field.value() or "" for field in shown}
    assert clerk.post(columns, named | {"operation": str(uuid4())}).status_code == 303
    asked = clerk.get(f"/imports/{batch.key}/words/").context["form"]
    meant = {f.name: f.value() or (words or {}).get(str(f.label), "") for f in asked}
    answer = clerk.post(f"/imports/{batch.key}/words/", meant | {"operation": str(uuid4())})
    assert answer.status_code == 303, answer.context["form"].errors
    batch.refresh_from_db()
    return batch


def test_from_the_file_to_the_receipt_and_again(clerk: Client) -> None:
    batch = walk(clerk, csv_of([*GOOD, *WRONG]), {"“Limbo”": "unknown"})
    page = clerk.get(batch.get_absolute_url())
    text = page.content.decode()
    assert page.context["counts"] == {"new": 4, "known": 0, "refused": 1}
    assert "Write the month first" in text
    assert "<td>Issued</td>" in text  # the column concerned
    asked = clerk.get(f"/imports/{batch.key}/take/").content.decode()
    assert "Import 4 rows?" in asked
    form = {"operation": str(uuid4()), "step": "confirm"}
    for _ in range(2):  # the second submit shows the result of the first
        done = clerk.post(f"/imports/{batch.key}/take/", form, follow=True)
        assert "4 cases came in on Monday, November 16, 2026." in done.content.decode()
    assert Site.objects.count() == 4
    again = walk(clerk, csv_of([*GOOD, *WRONG]), {"“Limbo”": "unknown"})
    assert again.report["counts"] == {"new": 0, "known": 4, "refused": 1}
    refused = clerk.post(f"/imports/{again.key}/take/", {"operation": str(uuid4())})
    assert refused.status_code == 409
    assert "There is no row of this spreadsheet to import." in refused.content.decode()
    assert list(faults()) == []


def test_the_file_sent_twice_is_kept_once(clerk: Client) -> None:
    first = sent(csv_of(GOOD))
    answers = [clerk.post("/imports/new/", first)]
    first["file"] = SimpleUploadedFile("permits.csv", csv_of(GOOD))
    answers.append(clerk.post("/imports/new/", first))
    assert answers[0].url == answers[1].url
    assert (ImportBatch.objects.count(), Upload.objects.count()) == (1, 1)


def test_columns_and_words_are_remembered_by_the_register(clerk: Client) -> None:
    raw = csv_of([("A1", "1 A St", "Limbo")], ("Akte", "Ort", "Lage"))
    clerk.post("/imports/new/", sent(raw))
    batch = ImportBatch.objects.get()
    named = {"number": "Akte", "address": "Ort", "status": "Lage", "operation": str(uuid4())}
    clerk.post(f"/imports/{batch.key}/columns/", named)
    meant = {"word-0": "expired", "operation": str(uuid4())}
    clerk.post(f"/imports/{batch.key}/words/", meant)
    clerk.post("/imports/new/", sent(raw))
    second = ImportBatch.objects.latest("pk")
    assert second.columns == {"number": "Akte", "address": "Ort", "status": "Lage"}
    assert second.words == {"limbo": "expired"}


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"number": ""}, "Choose the column by which a permit is known."),
        ({"owner": "Issued"}, "is chosen for “Issued on” already"),
        ({"address": "", "parcel": ""}, "A site is known by its address or its parcel number"),
    ],
)
def test_columns_that_cannot_be_meant_are_refused(
    clerk: Client, named: dict[str, str], said: str
) -> None:
    batch = opened(csv_of(GOOD))
    form = {"operation": str(uuid4()), **batch.columns, **named}
    page = clerk.post(f"/imports/{batch.key}/columns/", form)
    assert page.status_code == 200
    assert said in page.content.decode()


BROKEN = {
    "nothing under the headings": (csv_of([]), "There is no row under the headings"),
    "an empty file": (b"", "The file is empty"),
    "blanks": (b" \n \n", "There is no row under the headings"),
    "a PDF": (b"%PDF-1.7\n%%EOF", "This is not a text file"),
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "(.xls)"),
    "half a workbook": (xlsx_of(GOOD)[:900], ""),
    "an open quotation mark": (csv_of(GOOD) + b'X,"' + b"y" * 40_000, "breaks off"),
    "bytes": (bytes(range(256)) * 4, "This is not a text file"),
    "too many columns": (b",".join(b"c%d" % n for n in range(300)) + b"\n1", "200 columns"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused_in_plain_words(clerk: Client, what: str) -> None:
    raw, said = BROKEN[what]
    for name in ("permits.csv", "permits.xlsx"):
        page = clerk.post("/imports/new/", sent(raw, name))
        assert page.status_code == 200
        assert said in str(page.context["form"].errors["file"])
        assert page.context["form"]["source"].value() == "Old books"
    assert not ImportBatch.objects.exists()


def test_rows_of_another_width_errors_and_letters_of_windows(clerk: Client) -> None:
    raw = csv_of([(*GOOD[0], "one more"), ("A-2", "Closed", "3 Café Rd", *[""] * 7)])
    batch = walk(clerk, raw.decode().encode("cp1252"))
    rows = batch.report["rows"]
    assert rows[0]["why"] == [["", "The row has 11 cells, and there are 10 headings."]]
    assert rows[1]["place"] == "3 Café Rd"


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_tables_in_whatever_dress(clerk: Client, delimiter: str, encoding: str) -> None:
    batch = walk(clerk, csv_of(GOOD, delimiter=delimiter, encoding=encoding))
    assert batch.headings == list(HEADINGS)
    assert batch.report["counts"]["new"] == 3


def test_a_long_table_is_read_and_imported_by_the_worker(
    clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "AT_ONCE", 2)
    monkeypatch.setattr(import_acts, "AT_ONCE", 2)
    later: list[Any] = []
    for task in (tasks.read_later, tasks.take_later):
        monkeypatch.setattr(type(task), "enqueue", lambda self, *a: later.append((self, a)))
    batch = walk(clerk, csv_of(GOOD))
    assert batch.status == "reading"
    assert "in the background" in clerk.get(batch.get_absolute_url()).content.decode()
    for _ in range(2):  # a task may run twice
        task, arguments = later[0]
        task.func(*arguments)
    clerk.post(f"/imports/{batch.key}/take/", {"operation": str(uuid4())})
    batch.refresh_from_db()
    assert batch.status == "importing"
    for _ in range(2):
        task, arguments = later[1]
        task.func(*arguments)
    batch.refresh_from_db()
    assert (batch.status, batch.taken, Site.objects.count()) == ("imported", 3, 3)
    assert {e.actor_name for e in CaseEvent.objects.all()} == {factory.clerk().signature}


def test_an_import_that_fails_in_the_worker_can_be_tried_again(
    clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = opened(csv_of(GOOD))
    ImportBatch.objects.filter(pk=batch.pk).update(status="importing")
    with monkeypatch.context() as broken:
        broken.setattr(taking, "take", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tasks.take_later.func(batch.pk, None)
    batch.refresh_from_db()
    assert (batch.status, Site.objects.count()) == ("read", 0)
    assert "nothing was taken. Try again" in clerk.get(batch.get_absolute_url()).content.decode()
    clerk.post(f"/imports/{batch.key}/take/", {"operation": str(uuid4())})
    batch.refresh_from_db()
    assert (batch.status, Site.objects.count()) == ("imported", 3)


def test_a_spreadsheet_put_aside_cannot_be_imported(clerk: Client) -> None:
    batch = opened(csv_of(GOOD))
    clerk.post(f"/imports/{batch.key}/drop/", {"operation": str(uuid4())})
    page = clerk.post(f"/imports/{batch.key}/take/", {"operation": str(uuid4())})
    assert page.status_code == 409
    assert not Site.objects.exists()


def test_one_put_aside_while_another_confirms_stays_aside(
    rf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_acts, "AT_ONCE", 2)
    batch = opened(csv_of(GOOD))
    read_before = ImportBatch.objects.get(pk=batch.pk)
    taking.drop(batch)
    with pytest.raises(NotNow):
        import_acts._take(rf.post("/"), read_before, factory.clerk())
    batch.refresh_from_db()
    assert batch.status == "dropped"


def test_the_report_is_a_table_without_formulas(clerk: Client) -> None:
    rows = [("=1+1", "Closed", "@x", "", "", "", "", "", "", ""), *WRONG]
    batch = opened(csv_of(rows))
    text = clerk.get(f"/imports/{batch.key}/report.csv").content.decode("utf-8-sig")
    assert "2,taken,'=1+1,," in text
    assert '3,refused,20-001,,Issued,Issued,"“31/12/2020”' in text
    file = clerk.get(f"/imports/{batch.key}/file/")
    assert file.getvalue() == csv_of(rows)
    assert file["Content-Type"].startswith("text/csv")


# The case ---------------------------------------------------------------------------------


def test_the_case_shows_what_the_books_say_and_what_they_do_not() -> None:
    imported(csv_of(GOOD), by=factory.clerk())
    inspector = signed_in(factory.inspector())
    site = EarlierPermit.objects.get(number="19-112").site
    text = inspector.get(site.get_absolute_url()).content.decode()
    assert "not computed here" in text
    assert "The day that the permit names for its permanent controls is not known." in text
    assert "2615 1/2 Gary Avenue" in text
    computed = EarlierPermit.objects.get(number="EC 21/7").site
    text = inspector.get(computed.get_absolute_url()).content.decode()
    assert '<details class="date">' in text
    assert "Prairie Homes LLC" in text
    assert "was taken over from row 3 of “permits.csv” (Old books)" in text
    listed = inspector.get("/cases/", {"q": "EC 21/7"})
    assert [each[0].number for each in listed.context["earlier"]] == ["EC 21/7"]


def test_what_the_books_left_open_is_never_let_go_by_the_schedule() -> None:
    imported(csv_of(GOOD))
    open_one, closed = (EarlierPermit.objects.get(number=n) for n in ("EC 21/7", "17-031"))
    later = date(2040, 1, 2)
    found = {each.key for each in retention_for(open_one.site, on=later).why_not(later)}
    assert "earlier" in found
    assert "earlier" not in {e.key for e in retention_for(closed.site, on=later).why_not(later)}


def test_the_list_shows_no_permit_whose_case_was_destroyed() -> None:
    imported(csv_of(GOOD))
    inspector = signed_in(factory.inspector())
    assert "17-031" in inspector.get("/earlier/").content.decode()
    guards.take_down()  # the door of destruction has tests of its own
    try:
        gone = Site.objects.filter(pk=EarlierPermit.objects.get(number="17-031").site_id)
        gone.update(destroyed_on=factory.MONDAY)
        assert "17-031" not in inspector.get("/earlier/").content.decode()
    finally:
        guards.put_up()


def test_what_became_of_it_is_recorded_once_and_ends_its_clock() -> None:
    imported(csv_of(GOOD))
    permit = EarlierPermit.objects.get(number="EC 21/7")
    inspector = signed_in(factory.inspector())
    url = f"/cases/{permit.site.number}/earlier/"
    form = {"status": "closed", "day": "2026-11-10", "why": "Final inspection.", "step": "check"}
    page = inspector.post(url, form)
    assert "“Permanent cover due, permit EC 21/7”, ends." in page.content.decode()
    form |= {"step": "confirm", "operation": str(uuid4())}
    for _ in range(2):
        assert inspector.post(url, form).status_code == 303
    permit.refresh_from_db()
    assert (permit.status, str(permit.ended_on)) == ("closed", "2026-11-10")
    assert not DocketEntry.objects.running().exists()
    assert CaseEvent.objects.filter(kind="earlier_permit.settled").count() == 1
    late = inspector.post(url, form | {"operation": str(uuid4())})
    assert late.status_code == 409
    assert list(faults()) == []


def test_the_public_page_answers_by_the_books_and_tells_no_name() -> None:
    imported(csv_of(GOOD))
    anybody = Client()
    page = anybody.get("/look-up/", {"q": "17-031"})
    found = page.context["found"][0]
    assert not found.may_dig
    assert "was closed on Monday, October 30, 2017" in found.answer
    text = anybody.get(found.url).content.decode()
    assert "Nobody applied" not in text
    for kept in ("Ada", "555 0101", "ada@", "N170"):
        assert kept not in text
    stands = EarlierPermit.objects.get(number="EC 21/7").site
    assert "Yes, under permit EC 21/7" in anybody.get(stands.get_public_url()).content.decode()


def test_pages_cost_the_same_however_many_rows(
    clerk: Client, django_assert_max_num_queries: Any
) -> None:
    rows = [(f"B-{n}", "Active", f"{n} Mill St", "", "", "", "", *GOOD[0][7:]) for n in range(60)]
    batch = imported(csv_of([*GOOD, *rows]))
    site = EarlierPermit.objects.get(number="B-7").site
    for url in (
        *("/imports/", batch.get_absolute_url(), "/earlier/", "/earlier/?q=mill"),
        *("/cases/?q=mill", site.get_absolute_url(), "/desk/", "/look-up/?q=mill"),
    ):
        with django_assert_max_num_queries(25):
            assert clerk.get(url).status_code == 200, url
