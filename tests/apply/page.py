"""Reads the forms of a page and sends them, as a browser without scripts would."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from django.test import Client


class Forms(HTMLParser):
    """Collects each form's fields with the values they show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self._fields: dict[str, list[str]] | None = None
        self._select: str | None = None
        self._chosen: str | None = None
        self._first: str | None = None
        self._textarea: str | None = None
        self._text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = {}
            kind = at.get("enctype", "application/x-www-form-urlencoded")
            self.forms.append({"kind": kind, "fields": self._fields})
        elif self._fields is not None and tag == "input":
            self._input(self._fields, at)
        elif tag == "select":
            self._select, self._chosen, self._first = at["name"], None, None
        elif tag == "option" and self._select:
            self._first = at["value"] if self._first is None else self._first
            self._chosen = at["value"] if "selected" in at else self._chosen
        elif tag == "textarea":
            self._textarea, self._text = at["name"], ""

    def _input(self, fields: dict[str, list[str]], at: dict[str, str]) -> None:
        kind = at.get("type", "text")
        if kind in ("checkbox", "radio") and "checked" not in at:
            return
        if kind not in ("file", "submit") and at.get("name"):
            default = "on" if kind == "checkbox" else ""
            fields.setdefault(at["name"], []).append(at.get("value", default))

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None
        if self._fields is None:
            return
        if tag == "select" and self._select:
            value = self._first if self._chosen is None else self._chosen
            self._fields.setdefault(self._select, []).append(value or "")
            self._select = None
        elif tag == "textarea" and self._textarea:
            self._fields.setdefault(self._textarea, []).append(self._text.removeprefix("\n"))
            self._textarea = None


def form_of(response: Any, having: str = "operation") -> dict[str, Any]:
    """Return the page's form that has a field of this name."""
    for form in Forms(response.content.decode()).forms:
        if having in form["fields"]:
            return form
    raise AssertionError(f"no form with a field {having!r}")


def fields_of(response: Any, having: str = "operation") -> dict[str, list[str]]:
    """Return the fields of the page's form that has a field of this name."""
    return dict(form_of(response, having)["fields"])


def fill(client: Client, url: str, *, having: str = "operation", **changes: Any) -> Any:
    """Open a page, change some answers of its form and send all of it."""
    return send(client, url, client.get(url), having=having, **changes)


def send(client: Client, url: str, page: Any, *, having: str = "operation", **changes: Any) -> Any:
    """Change some answers on a page and send its form; None takes a field out."""
    form = form_of(page, having)
    data = {**form["fields"], **changes}
    data = {name: value for name, value in data.items() if value is not None}
    if form["kind"].startswith("multipart"):
        return client.post(url, data)
    return client.post(url, urlencode(data, doseq=True), content_type=form["kind"])
