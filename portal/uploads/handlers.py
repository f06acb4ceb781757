"""Receives files while the request is read: within the limit, whatever is sent."""

from __future__ import annotations

import contextlib
import errno
import os
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import (
    InMemoryUploadedFile,
    TemporaryUploadedFile,
    UploadedFile,
)
from django.core.files.uploadhandler import FileUploadHandler

from . import limits

FULL = {errno.ENOSPC, errno.EDQUOT}


class BoundedUploadHandler(FileUploadHandler):
    """Writes each file to a temporary one and stops writing where the limit is passed.

    The rest is read and thrown away, so that the form around the file arrives whole and the
    person is told which file was too big, with everything they typed still there. The same
    when the disk for temporary files is full.
    """

    file: Any
    received = 0  # bytes of all files of the request

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.disk_full = self.too_much = False
        # Without the sender's ending: it may be longer than a file system allows.
        self.file = TemporaryUploadedFile("file", self.content_type or "", 0, self.charset)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if self.file is None:
            return
        self.received += len(raw_data)
        self.too_much = self.received > limits.total_bytes()
        if self.too_much or start + len(raw_data) > limits.file_bytes():
            self.let_go()
            return
        try:
            self.file.write(raw_data)
        except OSError as error:
            self.note(error)

    def file_complete(self, file_size: int) -> Any:
        if self.file is not None:
            try:
                self.file.seek(0)  # writes what is still in memory
            except OSError as error:
                self.note(error)
        file: Any = self.file or self.nothing()
        self.file = None
        file.name, file.size = self.file_name, file_size
        file.disk_full, file.too_much = self.disk_full, self.too_much
        return file

    def upload_interrupted(self) -> None:
        if getattr(self, "file", None) is not None:
            self.let_go()

    def note(self, error: OSError) -> None:
        """Remember that there was no room; anything else is for somebody else to explain."""
        if error.errno not in FULL:
            raise error
        self.disk_full = True
        self.let_go()

    def let_go(self) -> None:
        """Give the disk its room back."""
        with contextlib.suppress(OSError):
            os.unlink(self.file.temporary_file_path())  # noqa: PTH108
        with contextlib.suppress(OSError):
            self.file.close()
        self.file = None

    def nothing(self) -> UploadedFile:
        """Return an empty file that keeps the name and size of one that was let go."""
        return InMemoryUploadedFile(
            BytesIO(), self.field_name, "file", self.content_type or "", 0, self.charset
        )
