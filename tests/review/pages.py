"""Using pages as people do: open a form, fill it in, send it, confirm what it shows."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from permits.models import Application
from portal.models import User


def signed_in(user: User) -> Client:
    """A browser in which somebody is signed in."""
    client = Client()
    client.force_login(user)
    return client


def url(name: str, application: Application) -> str:
    """The address of a page of an application."""
    return reverse(name, args=[application.key])


class _Fields(HTMLParser):
    """The answers that the form of a page would send as it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.textarea = self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        name = got.get("name", "")
        if tag == "input" and name:
            kind = got.get("type", "text")
            if kind not in {"checkbox", "radio", "file"} or "checked" in got:
                self.found[name] = got.get("value", "")
        elif tag == "textarea":
            self.textarea = name
            self.found[name] = ""
        elif tag == "select":
            self.select = name
        elif (
            tag == "option" and self.select and ("selected" in got or self.select not in self.found)
        ):
            self.found[self.select] = got.get("value", "")

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.found[self.textarea] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            text = self.found[self.textarea]
            self.found[self.textarea] = text.removeprefix("\r\n").removeprefix("\n")
            self.textarea = ""
        elif tag == "select":
            self.select = ""


def fields_of(response: HttpResponse) -> dict[str, str]:
    """Return what the form on a page would send if its button were pressed now."""
    parser = _Fields()
    parser.feed(response.content.decode())
    parser.found.pop("csrfmiddlewaretoken", None)
    return parser.found


def fill(client: Client, address: str, **answers: Any) -> HttpResponse:
    """Open a form, fill it in and go on to the page that shows what will happen."""
    fields = {**fields_of(client.get(address)), **answers}
    return client.post(address, {**fields, "step": "check"})


def confirm(client: Client, address: str, shown: HttpResponse) -> HttpResponse:
    """Press the button that does the act."""
    return client.post(address, {**fields_of(shown), "step": "confirm"})


def act(client: Client, address: str, **answers: Any) -> HttpResponse:
    """Fill in, look, confirm."""
    shown = fill(client, address, **answers)
    assert shown.status_code == 200, shown.content.decode()[:3000]
    return confirm(client, address, shown)


def text_of(response: HttpResponse) -> str:
    """Return the words of a page, with one blank between them."""
    parser = _Words()
    parser.feed(response.content.decode())
    return " ".join(" ".join(parser.words).split())


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


TERMS = {
    "conditions": "Call two working days before the first disturbance.\nKeep the inlet clear.",
    "escrow_amount": "$2,500.00",
    "escrow_set_by": "inspector",
    "escrow_basis": "240 feet of silt fence and the seeding of 0.4 acre.",
    "permanent_controls_by": "07/14/2027",
    "maintenance_agreement": "no",
    "note": "",
}
"""The terms of a grant as they are typed."""

FEE = {"means": "check", "receipt_number": "R-100", "check_number": "2044"}
"""A fee by check as it is typed; the day stays today."""
