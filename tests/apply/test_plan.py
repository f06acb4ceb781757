"""The plan: files survive a failed form, rows need no script, contents are shown. § 40-939"""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from permits.models import Application, PlanRevision
from portal.models import Upload
from portal.uploads.collect import collect
from tests import factory
from tests.apply.page import fields_of, fill, send
from tests.floor import sample_files

DEVICE = {"devices-0-device": "silt-fence", "devices-0-place": "North line"}
ACTIVITY = {
    "activities-0-activity": "Strip and grade",
    "activities-0-starts_on": "2026-12-01",
    "activities-0-ends_on": "2026-12-20",
    "activities-0-area_amount": "0.4",
    "activities-0-area_unit": "acres",
    "activities-0-temporary": "Silt fence first.",
    "activities-0-permanent": "Seed and mulch.",
}


def text(response):
    return response.content.decode()


def pdf(name="C-1.pdf", pages=1):
    return SimpleUploadedFile(
        name, sample_files.pdf(pages, deterministic_id=True), "application/pdf"
    )


@pytest.fixture
def url(draft) -> str:
    return draft.get_step_url("plan")


@pytest.fixture
def plan(draft) -> PlanRevision:
    return draft.latest_revision()


def test_the_whole_plan_is_written_without_a_script(client, draft, url, plan):
    answers = {
        "drawing_scale": "1 inch = 20 feet",
        "factors_on_site": "Silty clay, 4 to 9 percent.",
        "factors_adjacent": "Inlet 40 feet east.",
        **DEVICE,
        **ACTIVITY,
    }
    assert fill(client, url, files=pdf(), **answers).status_code == 303
    plan.refresh_from_db()
    assert plan.drawing_scale == "1 inch = 20 feet"
    device = plan.devices.get()
    assert (device.place, device.standard, device.permanent) == ("North line", "1056", False)
    activity = plan.activities.get()
    assert activity.area_sq_ft == Decimal("17424.0")
    assert str(plan.sheets.get()) == "C-1.pdf"
    assert "plan" in Application.objects.get(pk=draft.pk).steps_done
    page = text(client.get(url))
    assert page.count('class="there"') == 8
    assert 'class="missing"' not in page


def test_what_the_plan_still_lacks_is_shown_beside_it(client, url):
    page = text(client.get(url))
    assert "There is no site drawing yet." in page
    assert "No control device is planned yet." in page


def test_a_saved_row_is_changed_and_taken_out_without_a_second_one(client, url, plan):
    fill(client, url, **DEVICE)
    fill(client, url, **{"devices-0-place": "East line"})
    assert plan.devices.get().place == "East line"
    fill(client, url, **{"devices-0-remove": "on"})
    assert not plan.devices.exists()


def test_an_emptied_row_is_no_row(client, url, plan):
    fill(client, url, **DEVICE)
    fill(client, url, **{"devices-0-device": "", "devices-0-place": ""})
    assert not plan.devices.exists()


def test_add_a_row_saves_and_shows_one_more(client, url, plan):
    added = fill(client, url, add="devices", **DEVICE)
    assert added.status_code == 303
    assert plan.devices.count() == 1
    fields = fields_of(client.get(added.url))
    assert int(fields["devices-total"][0]) >= 3
    assert added.url.endswith("#devices")


def test_add_a_row_beside_a_slip_keeps_what_was_typed(client, url, plan):
    page = fill(client, url, add="activities", **{**ACTIVITY, "activities-0-ends_on": "31/12/2026"})
    assert page.status_code == 200
    fields = fields_of(page)
    assert fields["activities-0-ends_on"] == ["31/12/2026"]
    assert fields["activities-total"] == ["3"]
    assert not plan.activities.exists()


def test_a_row_with_a_slip_does_not_cost_the_other_rows(client, url, plan):
    page = fill(client, url, **DEVICE, **{**ACTIVITY, "activities-0-starts_on": ""})
    assert "Give its first day." in text(page)
    assert plan.devices.count() == 1
    corrected = send(client, url, page, **{"activities-0-starts_on": "12/1/2026"})
    assert corrected.status_code == 303
    assert (plan.devices.count(), plan.activities.count()) == (1, 1)


def test_twenty_clicks_make_no_second_row_and_no_second_file(client, url, plan):
    page = client.get(url)
    for _ in range(3):
        assert send(client, url, page, files=pdf(), **DEVICE).status_code == 303
    assert (plan.devices.count(), plan.sheets.count()) == (1, 1)
    assert Upload.objects.count() == 1


def test_permanent_seeding_stays_for_good_whether_ticked_or_not(client, url, plan):
    fill(client, url, **{"devices-0-device": "seeding-permanent", "devices-0-place": "All"})
    assert plan.devices.get().permanent is True


# Files ------------------------------------------------------------------------------------


def test_ten_files_survive_an_error_elsewhere(client, url, plan):
    files = [pdf(f"C-{n}.pdf", pages=n) for n in range(1, 11)]
    page = fill(client, url, files=files, **{**ACTIVITY, "activities-0-ends_on": "2026-11-01"})
    assert page.status_code == 200
    assert "The last day is before the first one." in text(page)
    assert plan.sheets.count() == 10
    assert "C-10.pdf" in text(page)
    assert "C-10.pdf" in text(client.get(url))


def test_one_bad_file_does_not_cost_the_good_ones(client, url, plan):
    files = [pdf(), SimpleUploadedFile("C-2.pdf", b"", "application/pdf")]
    page = fill(client, url, files=files)
    assert "C-2.pdf: it is empty (0 bytes)" in text(page)
    assert [str(sheet) for sheet in plan.sheets.all()] == ["C-1.pdf"]


def test_the_same_file_twice_is_kept_once_and_said_so(client, url, plan):
    fill(client, url, files=pdf(), then="stay")
    again = fill(client, url, files=pdf("copy.pdf"), then="stay")
    assert "copy.pdf was here already (as C-1.pdf)" in text(client.get(again.url))
    assert plan.sheets.count() == 1


def test_limits_are_shown_before_choosing(client, url):
    page = text(client.get(url))
    assert "up to 25 MB" in page
    assert "up to 20 files" in page


def test_a_form_that_was_cut_off_changes_nothing_and_says_so(client, url, plan):
    data = fields_of(client.get(url))
    del data["end_of_form"]
    answer = client.post(url, {**data, "drawing_scale": "1:100"})
    assert answer.status_code == 400
    assert "cut off" in text(answer)
    plan.refresh_from_db()
    assert plan.drawing_scale == ""


def test_a_file_is_named_and_taken_out_of_a_draft(client, url, plan):
    fill(client, url, files=pdf())
    sheet = plan.sheets.get()
    fill(
        client, url, **{f"sheet-{sheet.pk}-title": "C-1", f"sheet-{sheet.pk}-purpose": "narrative"}
    )
    sheet.refresh_from_db()
    assert (sheet.title, sheet.purpose) == ("C-1", "narrative")
    gone = fill(client, url, remove_sheet=str(sheet.pk), drawing_scale="1 inch = 30 feet")
    assert gone.status_code == 303
    assert not plan.sheets.exists()
    plan.refresh_from_db()
    assert plan.drawing_scale == "1 inch = 30 feet"
    assert Upload.objects.count() == 1  # what was sent is never erased


def test_what_new_files_are_is_asked_with_them(client, url, plan):
    fill(client, url, files=pdf(), files_purpose="soil_loss")
    assert plan.sheets.get().purpose == "soil_loss"


def test_another_application_is_out_of_reach(client, url, plan, vang):
    other = factory.complete_draft(factory.applicant("Another")).latest_revision()
    device, sheet = other.devices.first(), other.sheets.first()
    fill(
        client,
        url,
        remove_sheet=str(sheet.pk),
        **DEVICE,
        **{"devices-0-row": str(device.pk), f"sheet-{sheet.pk}-title": "mine"},
    )
    device.refresh_from_db()
    sheet.refresh_from_db()
    assert (device.place, sheet.title) == ("North and east lines", "Sheet C-1")
    assert plan.devices.get().pk != device.pk


def test_a_flood_of_rows_is_cut(client, url, plan):
    rows = {f"devices-{n}-device": "mulch" for n in range(300)}
    fill(client, url, **{**rows, "devices-total": "300"})
    assert plan.devices.count() == 100


@pytest.mark.parametrize("total", ["", "-1", "9" * 50, "x", "²"])
def test_a_wrong_count_of_rows_is_no_row(client, url, plan, total):
    assert fill(client, url, **{**DEVICE, "devices-total": total}).status_code == 303
    assert plan.devices.count() in (0, 1)


# Soil loss, for an acre or more -----------------------------------------------------------


def test_soil_loss_is_asked_for_an_acre_or_more_only(client, complete):
    url = complete.get_step_url("plan")
    assert "soil_loss_rate" not in fields_of(client.get(url))
    Application.objects.filter(pk=complete.pk).update(area_amount=Decimal("1"))
    page = fill(client, url, soil_loss_rate="5.1", soil_loss_from="2026-12-16", then="stay")
    assert page.status_code == 303
    shown = text(client.get(url))
    assert "The soil loss result and its dates are missing" in shown
    fill(client, url, soil_loss_until="2027-12-31", then="stay")
    assert "over the limit of 5.0" in text(client.get(url))


def test_soil_loss_ends_after_it_begins(client, complete):
    Application.objects.filter(pk=complete.pk).update(area_amount=Decimal("1"))
    url = complete.get_step_url("plan")
    page = fill(client, url, soil_loss_from="2026-12-16", soil_loss_until="2026-12-01")
    assert "The last day is before the first one." in text(page)
    assert complete.latest_revision().soil_loss_from is None


WORKBOOK = "soil loss.xlsx"


def test_the_soil_loss_spreadsheet_is_taken_as_it_is_and_only_handed_out(client, draft):
    url = draft.get_step_url("plan")
    fill(
        client,
        url,
        files=[sample_files.sent(WORKBOOK, sample_files.workbook())],
        files_purpose="drawing",
    )
    sheet = draft.latest_revision().sheets.get()
    assert (sheet.purpose, sheet.upload.family) == ("soil_loss", "sheet")
    assert sheet.upload.original_name == WORKBOOK
    assert not sheet.upload.previews.exists()
    response = client.get(f"/files/{sheet.upload.key}/")
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert "drawing" in {each.key for each in draft.obstacles_to_submit(on=factory.MONDAY)}
    page = fill(client, url, **{f"sheet-{sheet.pk}-purpose": "drawing"})
    assert "A spreadsheet is no drawing." in page.content.decode()


def test_a_workbook_is_taken_only_where_a_spreadsheet_is_asked_for(rf, vang):
    request = rf.post("/", {"photos": sample_files.sent(WORKBOOK, sample_files.workbook())})
    collected = collect(request, "photos", by=vang)
    assert not collected.stored
    assert "it is an Excel workbook" in str(collected.refused[0])


def test_the_summary_says_in_which_row_an_answer_is_amiss(client, draft, url):
    second = {"devices-1-place": "At the drive", "devices-1-quantity": "1"}
    page = fill(client, f"{url}?devices=2", **DEVICE, **second)
    page = text(page)
    assert "Device 2: Device: Choose the device." in " ".join(page.split())
    rows = {**ACTIVITY, "activities-0-ends_on": "2026-11-30"}
    page = text(fill(client, url, **rows))
    assert "Activity 1: Last day: The last day is before the first one." in page
