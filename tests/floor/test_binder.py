"""Binding: pages as they are, in order, and nothing that is not what was stored."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest
from django.core.files.base import ContentFile

from portal import papers
from portal.binder import Part, bind, content_of, pages_of
from portal.papers import Made
from portal.stored import NotStored


def sheet(text: str, pages: int = 1) -> bytes:
    """A PDF whose pages draw a text."""
    with pikepdf.new() as pdf:
        for number in range(pages):
            page = pdf.add_blank_page(page_size=(612, 792))
            page.Contents = pdf.make_stream(f"% {text} {number}\n".encode())
        target = BytesIO()
        pdf.save(target)
    return target.getvalue()


def streams(content: bytes) -> list[bytes]:
    with pikepdf.open(BytesIO(content)) as pdf:
        return [page.Contents.read_bytes() for page in pdf.pages]


def test_every_page_is_bound_as_it_is() -> None:
    first, second = sheet("first", 2), sheet("second")
    bound = bind([Part(first), Part(second)], title="Both")
    assert bound.pages == pages_of(bound.content) == 3
    assert streams(bound.content) == [*streams(first), *streams(second)]


def test_the_reader_lists_the_parts_by_their_titles() -> None:
    bound = bind(
        [Part(sheet("a"), "Order"), Part(sheet("b")), Part(sheet("c"), "Reports")], title="T"
    )
    with pikepdf.open(BytesIO(bound.content)) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == ["Order", "Reports"]
        assert str(pdf.docinfo["/Title"]) == "T"


def test_the_same_parts_give_the_same_bytes() -> None:
    part = Part(sheet("same"), "Same")
    assert bind([part], title="T").content == bind([part], title="T").content


@pytest.mark.django_db
def test_a_stored_paper_that_was_changed_is_not_bound() -> None:
    document = papers.keep(Made(sheet("paper"), 1), kind="order", title="Order")
    assert content_of(document) == sheet("paper")
    document.file.storage.delete(document.file.name)
    document.file.storage.save(document.file.name, ContentFile(sheet("other")))
    with pytest.raises(NotStored):
        content_of(document)
