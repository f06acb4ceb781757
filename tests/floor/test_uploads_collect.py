"""The files of a form: each for itself, kept when the form fails, told when not taken."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils.datastructures import MultiValueDict
from django_tasks_db.models import DBTaskResult

from portal.models import Upload
from portal.uploads import collect as collecting
from portal.uploads.collect import collect
from portal.uploads.fields import UploadsField
from portal.uploads.handlers import BoundedUploadHandler

from . import sample_files as make
from .sample_files import sent

pytestmark = pytest.mark.django_db

LINE = b"0\nLINE\n8\nFENCE\n"


def drawing(number: int) -> bytes:
    """A small drawing unlike the others."""
    return make.DXF.replace(LINE, LINE + b"1\nsheet %d\n" % number)


def request_with(*files: SimpleUploadedFile) -> HttpRequest:
    request = RequestFactory().post("/")
    request._post, request._files = {}, MultiValueDict({"files": list(files)})
    return request


def collect_from(applicant, *files, existing=()):
    return collect(request_with(*files), by=applicant, existing=existing)


class PlanForm(forms.Form):
    scale = forms.CharField()
    files = UploadsField()


def form_with(collected, *, kept=0, **data) -> PlanForm:
    form = PlanForm(data)
    form.fields["files"].take(collected, kept=kept)
    return form


def test_good_files_are_stored_though_another_file_and_another_field_are_wrong(applicant):
    collected = collect_from(
        applicant, sent("a.dxf", drawing(1)), sent("b.pdf", make.EICAR), sent("c.jpg", make.jpeg())
    )
    assert [upload.original_name for upload in collected.stored] == ["a.dxf", "c.jpg"]
    form = form_with(collected, scale="")
    assert not form.is_valid()
    assert "scale" in form.errors
    assert form.errors["files"] == [
        "b.pdf: it is a text file. We take PDF, JPEG, PNG, HEIC, DWG or DXF."
    ]
    assert Upload.objects.count() == 2


def test_the_same_content_is_kept_once_and_told(applicant):
    (before,) = collect_from(applicant, sent("plan.dxf", drawing(1))).stored
    collected = collect_from(
        applicant,
        sent("plan (1).dxf", drawing(1)),
        sent("two.dxf", drawing(2)),
        sent("two again.dxf", drawing(2)),
        existing=[before],
    )
    assert [upload.original_name for upload in collected.stored] == ["two.dxf"]
    assert [str(repeat) for repeat in collected.repeated] == [
        "plan (1).dxf was here already (as plan.dxf), so it is kept once.",
    ]
    assert form_with(collected, scale="1:20").is_valid()


def test_more_files_than_an_application_holds_are_refused_with_the_figures(applicant, settings):
    settings.UPLOAD_MAX_FILES = 3
    existing = collect_from(applicant, sent("1.dxf", drawing(1)), sent("2.dxf", drawing(2))).stored
    collected = collect_from(
        applicant, sent("3.dxf", drawing(3)), sent("4.dxf", drawing(4)), existing=existing
    )
    assert len(collected.stored) == 1
    (refusal,) = collected.refused
    assert str(refusal).startswith("4.dxf: 3 files are the most that one application may hold")
    assert "it has 3 already" in refusal.reason


def test_more_megabytes_than_an_application_holds_are_refused_with_the_figures(applicant, settings):
    settings.UPLOAD_MAX_TOTAL_BYTES = 2000
    collected = collect_from(applicant, sent("1.dwg", make.DWG), sent("2.dwg", make.DWG + b"x"))
    assert len(collected.stored) == 1
    assert "would be 3 KB; together they may be at most 2 KB" in collected.refused[0].reason


def test_one_person_cannot_fill_the_storage(applicant, inspector, settings):
    settings.UPLOAD_MAX_FILES_A_DAY = 1
    collect_from(applicant, sent("1.dxf", drawing(1)))
    refused = collect_from(applicant, sent("2.dxf", drawing(2))).refused
    assert "1 is the most files that one person may send in a day" in refused[0].reason
    assert not collect_from(inspector, sent("3.dxf", drawing(3)), sent("4.dxf", drawing(4))).refused


def test_a_full_storage_is_told_for_each_file_and_gives_its_status(applicant, monkeypatch):
    def full(*args, **kwargs):
        raise collecting.NotStored if kwargs["examined"].name == "1.dxf" else StorageFull

    from portal.stored import StorageFull

    monkeypatch.setattr(collecting, "store", full)
    collected = collect_from(applicant, sent("1.dxf", drawing(1)), sent("2.dxf", drawing(2)))
    assert collected.status == 507
    assert [("Nothing else was lost" in reason) for _, reason in collected.refused] == [True, True]


def test_pictures_for_which_nobody_waits_are_made_by_the_worker(applicant, monkeypatch):
    monkeypatch.setattr(collecting, "PATIENCE", 0.0)
    (upload,) = collect_from(applicant, sent("set.pdf", make.pdf(3))).stored
    assert upload.previews.count() == 1
    task = DBTaskResult.objects.get(task_path="portal.uploads.tasks.make_previews_later")
    assert task.args_kwargs["args"] == [upload.pk]
    from portal.uploads.tasks import make_previews_later

    make_previews_later.func(*task.args_kwargs["args"])
    assert upload.previews.count() == 3


def test_files_for_which_there_is_no_time_are_named_and_the_others_kept(applicant, monkeypatch):
    monkeypatch.setattr(collecting, "LAST_CALL", -1.0)
    collected = collect_from(applicant, sent("late.dxf", drawing(1)))
    assert str(collected.refused[0]).startswith("late.dxf: there were so many files")
    assert "the others are kept" in collected.refused[0].reason


@pytest.mark.parametrize(("kept", "valid"), [(0, False), (1, True)])
def test_a_form_that_needs_a_file_is_content_with_one_that_is_here(applicant, kept, valid):
    form = form_with(collect_from(applicant), kept=kept, scale="1:20")
    assert form.is_valid() is valid
    if not valid:
        assert form.errors["files"] == ["Choose at least one file."]


def test_a_file_without_a_name_or_content_is_refused_and_not_an_error(applicant):
    collected = collect_from(applicant, sent("nothing.pdf", b""))
    assert str(collected.refused[0]).startswith("nothing.pdf: it is empty (0 bytes).")


def test_the_field_offers_many_files_of_our_kinds_and_says_the_limits():
    form = PlanForm()
    chooser = str(form["files"])
    assert "multiple" in chooser
    assert ".heic" in chooser
    assert 'accept="' in chooser
    assert "style=" not in chooser
    assert "up to 25 MB; up to 20 files, 100 MB together" in form["files"].help_text
    assert "aria-describedby" in chooser


@pytest.mark.parametrize("when", ["while it is written", "at its end"])
def test_no_room_to_receive_a_file_leaves_the_form_and_is_told(applicant, monkeypatch, when):
    """The disk for temporary files is another one than that for stored files."""

    def full(self, *args):
        raise OSError(errno.ENOSPC, "No space left on device")

    handler = BoundedUploadHandler()
    handler.new_file("files", "plan.dxf", "text/plain", None, None, {})
    path = handler.file.temporary_file_path()
    if when == "at its end":
        handler.receive_data_chunk(make.DXF, 0)
        monkeypatch.setattr(TemporaryUploadedFile, "seek", full, raising=False)
    else:
        monkeypatch.setattr(TemporaryUploadedFile, "write", full, raising=False)
        handler.receive_data_chunk(make.DXF[:20], 0)
        handler.receive_data_chunk(make.DXF[20:], 20)
    file = handler.file_complete(len(make.DXF))
    assert not Path(path).exists()
    collected = collect_from(applicant, file)
    assert collected.status == 507
    assert str(collected.refused[0]).startswith("plan.dxf: it could not be saved")
