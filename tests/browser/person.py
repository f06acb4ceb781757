"""Somebody at a browser of their own, who reads labels and presses buttons."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page
from playwright.sync_api import expect as expect_that

from portal.models import User

__all__ = ["Person", "Wardrobe"]

PATIENCE = 10_000  # milliseconds; papers are rendered while the page is awaited


class Person:
    """What one person does and sees; whatever the browser complains about is kept."""

    reads: Callable[[str], list[str]] | None = None
    """What looks for words that no page may have; asked of each page that was opened."""

    def __init__(self, context: BrowserContext, base_url: str, complaints: list[str]) -> None:
        self.complaints = complaints
        self.context, self.base_url = context, base_url
        self.page: Page = context.new_page()
        self.page.on("console", lambda said: self._listen(said, complaints))
        self.page.on("pageerror", lambda error: complaints.append(f"{self.page.url}: {error}"))

    def _listen(self, said: ConsoleMessage, complaints: list[str]) -> None:
        if said.type in {"error", "warning"} and "the server responded with" not in said.text:
            complaints.append(f"{self.page.url}: {said.text}")

    def enter_as(self, user: User) -> Client:
        """Be signed in, without a form; the client returned shares the session."""
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        cookie = {"name": name, "value": client.cookies[name].value, "url": self.base_url}
        self.context.add_cookies([cookie])  # type: ignore[list-item]
        return client

    @property
    def main(self) -> Locator:
        """The page without masthead and footer."""
        return self.page.get_by_role("main")

    def go(self, address: str) -> None:
        """Open an address."""
        self.page.goto(address)
        self._read()

    def follow(self, name: str | re.Pattern[str]) -> None:
        """Follow the first link of this name."""
        self.page.get_by_role("link", name=name).first.click()
        self.page.wait_for_load_state()
        self._read()

    def press(self, name: str, *, within: Locator | None = None) -> None:
        """Press the first button of exactly this name."""
        (within or self.main).get_by_role("button", name=name, exact=True).first.click()
        self.page.wait_for_load_state()
        self._read()

    def _read(self) -> None:
        if self.reads is not None:
            self.complaints += [f"{self.page.url}: {it}" for it in self.reads(self.page.content())]

    def write(self, label: str, text: str, *, within: Locator | None = None) -> None:
        """Fill in the first field whose label has these words."""
        (within or self.main).get_by_label(label).first.fill(text)

    def choose(self, label: str, option: str, *, within: Locator | None = None) -> None:
        """Choose from a list."""
        (within or self.main).get_by_label(label).first.select_option(label=option)

    def group(self, legend: str) -> Locator:
        """Return the group of fields with this legend."""
        return self.main.get_by_role("group", name=re.compile(re.escape(legend))).first

    def tick(self, *names: str, within: Locator | None = None) -> None:
        """Tick boxes or one answer of several."""
        for name in names:
            (within or self.main).get_by_label(name).first.check()

    def sees(self, *texts: str) -> None:
        """Wait until the page says all of this."""
        for text in texts:
            expect_that(self.main).to_contain_text(text, timeout=PATIENCE)

    def heading(self) -> str:
        """Return what the page is headed with."""
        return self.page.locator("h1").inner_text()

    def fetch(self, link: str | re.Pattern[str], folder: Path) -> Path:
        """Save the file behind a link, as its reader would, and return where it is."""
        address = self.main.get_by_role("link", name=link).first.get_attribute("href")
        answer = self.context.request.get(str(address))
        assert answer.status == 200, f"{address}: {answer.status}"
        assert answer.headers["content-type"] == "application/pdf"
        file = folder / "paper.pdf"
        file.write_bytes(answer.body())
        return file


class Wardrobe:
    """Opens a browser for each person, with or without scripts, and closes them all."""

    def __init__(self, browser: Browser, base_url: str, *, script: bool = True) -> None:
        self.browser, self.base_url, self.script = browser, base_url, script
        self.complaints: list[str] = []
        self._reads: Callable[[str], list[str]] | None = None
        self._contexts: list[BrowserContext] = []

    def reads(self, look: Callable[[str], list[str]]) -> None:
        """Let everybody look for certain words on each page they open."""
        self._reads = look

    def somebody(self, *, width: int = 1280) -> Person:
        """Return a new person, unknown to the portal."""
        context = self.browser.new_context(
            base_url=self.base_url,
            viewport={"width": width, "height": 900},
            java_script_enabled=self.script,
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        person = Person(context, self.base_url, self.complaints)
        person.reads = self._reads
        return person

    def close(self) -> None:
        """Send everybody home."""
        for context in self._contexts:
            context.close()
