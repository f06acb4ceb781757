"""Goes through every page there is, as everybody who may see it, and notes what was found."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Error

from portal import clock
from portal.accounts import SIGNED_IN_AT
from portal.middleware import SEEN_AT
from portal.models import User
from tests import factory
from tests.browser.barriers import barriers
from tests.browser.city import City
from tests.browser.doings import Doing
from tests.browser.person import Person, Wardrobe
from tests.browser.rooms import PEOPLE, addresses, who_goes

__all__ = ["MISTAKEN", "Visit", "Visitor"]

NOW_AND_THEN = 3 * 60
"""Seconds, and less than for any page somebody has signed in just now."""

SECOND_FACTOR = (
    "mfa_index",
    "mfa_reauthenticate",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_deactivate_totp",
)

LOOK = """() => {
  document.querySelectorAll('details').forEach(one => { one.open = true; });
  const all = [...document.body.querySelectorAll('*')], ids = all.map(one => one.id);
  const shape = one => [one.localName, ...one.classList, ...one.getAttributeNames().sort(),
    one.type, one.getAttribute('role'), Boolean(one.textContent.trim())].join(' ');
  return {
    title: document.title,
    language: document.documentElement.lang,
    headings: [...document.querySelectorAll('h1, h2, h3, h4')]
      .map(one => [Number(one.tagName[1]), one.innerText.trim()]),
    twice: ids.filter((id, place) => id && ids.indexOf(id) !== place),
    width: document.documentElement.scrollWidth,
    clipped: [...document.querySelectorAll('main :is(p, a, h1, h2, h3, li, dt, dd, label, legend)')]
      .filter(one => !one.closest('.table-wrap, .visually-hidden') && one.offsetParent
        && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .map(one => one.outerHTML.slice(0, 100)),
    shapes: all.map(shape),
  };
}"""
"""How a page presents itself with everything opened that can be, and the shape of each part:
what it is, how it is marked, and whether it says anything."""

SUMMARY = """() => {
  const summary = document.querySelector('.error-summary');
  if (!summary) return null;
  const texts = ids => (ids || '').split(' ').map(id => document.getElementById(id))
    .map(one => one ? one.textContent.trim() : '').filter(Boolean);
  return {
    focused: document.activeElement === summary,
    announced: summary.getAttribute('role') === 'alert',
    links: [...summary.querySelectorAll('a[href^="#"]')].map(link => {
      const target = document.getElementById(link.getAttribute('href').slice(1));
      const fields = 'input:not([type=hidden]), select, textarea';
      const field = target && (target.matches(fields) ? target : target.querySelector(fields));
      link.click();
      const around = field && field.closest('fieldset');
      return {
        text: link.textContent.trim(),
        leads: Boolean(field) && document.activeElement === field,
        invalid: Boolean(field) && field.getAttribute('aria-invalid') === 'true',
        described: field ? [field, around].filter(Boolean)
          .flatMap(one => texts(one.getAttribute('aria-describedby'))) : [],
      };
    }),
  };
}"""
"""How a page of errors presents itself, and where each link of its summary leads."""

MISTAKEN = "with a mistake"
"""The state of a page that shows what was wrong."""

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
MAIN = re.compile(r"<main.*</main>", re.DOTALL)
WORDS = re.compile(r'(?<=>)[^<]+|(?<!class)="[^"]*"')
"""What pages that are made alike differ in; the masthead is looked at on the front page."""


@dataclass
class Visit:
    """What was found on one page, in one state, by one person."""

    name: str
    state: str
    address: str
    who: str
    title: str = ""
    language: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    barriers: list[str] = field(default_factory=list)
    width: int = 0
    clipped: list[str] = field(default_factory=list)
    summary: dict[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.state} as {self.who or 'anybody'}: {self.address}"


class Visitor:
    """Goes round as everybody in turn."""

    def __init__(self, wardrobe: Wardrobe, city: City) -> None:
        self.city, self.wardrobe = city, wardrobe
        self.found: list[Visit] = []
        self.undone: list[str] = []
        self.heard_of: dict[str, str] = {}
        self.people: dict[str, Person] = {}
        self.clients: dict[str, Client] = {}
        for who in PEOPLE:
            self._let_in(who, city.people.get(who))
        self._seen: set[tuple[str, frozenset[str]]] = set()
        self._shapes: set[str] = set()
        self._entered: set[str] = set()
        self._renewed: dict[str, float] = {}

    def _let_in(self, who: str, user: User | None) -> None:
        """Give somebody a browser, and a client that shares its session."""
        person = self.wardrobe.somebody(width=320)
        client = person.enter_as(user) if user is not None else Client()
        self.people[who], self.clients[who] = person, client

    def go_round(self, names: set[str], *, bare: bool = False) -> None:
        """Look at each page of these names as everybody who may; a page that is made
        alike for two people is looked at once.
        """
        for name, state, address in addresses(self.city, names, bare=bare):
            again = name in self._entered
            self._entered.add(name)
            for who in who_goes(name, again=again):
                self._stay_signed_in(who)
                if self._is_new(name, address, who):
                    self.people[who].go(address)
                    self.look(name, state, who)

    def _is_new(self, name: str, address: str, who: str) -> bool:
        answer = self.clients[who].get(address)
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            return False
        found = MAIN.search(answer.content.decode())
        page = WORDS.sub("", found[0]) if found else address
        key = (name, frozenset(page.split(">")))
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def hear_of(self, names: set[str]) -> None:
        """Learn the titles of pages that are not visited, as the first who may see each."""
        for name, _, address in addresses(self.city, names, bare=True):
            for who in who_goes(name, again=False):
                if name not in self.heard_of:
                    self._stay_signed_in(who)
                    answer = self.clients[who].get(address)
                    title = TITLE.search(answer.content.decode(errors="replace"))
                    if answer.status_code == 200 and title:
                        self.heard_of[name] = " ".join(unescape(title[1]).split())

    def do(self, doing: Doing, state: str) -> None:
        """Let somebody do what leads to a page, and look at that."""
        self._stay_signed_in(doing.who)
        try:
            doing.be_done(self.people[doing.who], self.city)
        except Error as error:
            self.undone.append(f"{doing}: {error}")
        else:
            self.look(doing.name, state, doing.who)

    def _stay_signed_in(self, who: str) -> None:
        """Renew a session now and then, for going round may take long."""
        now = clock.now().timestamp()
        if who and now - self._renewed.get(who, 0) > NOW_AND_THEN:
            session = self.clients[who].session
            session[SIGNED_IN_AT] = session[SEEN_AT] = self._renewed[who] = now
            session.save()

    def sign_in_with_care(self, careful: User) -> None:
        """See the pages of a second factor, from sign-in to the recovery codes."""
        person = self.wardrobe.somebody(width=320)
        person.go("/accounts/login/")
        person.write("E-mail address", careful.email)
        person.write("Password", factory.PASSWORD)
        person.press("Sign in")
        self.people["careful"] = person
        self.look("mfa_authenticate", "", "careful")
        self._let_in("careful", careful)
        for name in SECOND_FACTOR:
            self.people["careful"].go(reverse(name))
            self.look(name, "with a second factor", "careful")

    def look(self, name: str, state: str, who: str) -> Visit:
        """Note what is found on the page that somebody has before them.

        Barriers are looked for on the whole of the first page of a name, and on the others
        in each part of a shape that was not seen before.
        """
        page = self.people[who].page
        summary = page.evaluate(SUMMARY)
        seen = page.evaluate(LOOK)
        address = page.url.removeprefix(self.wardrobe.base_url)
        shapes: list[str] = seen.pop("shapes")
        visit = Visit(name, state, address, who, summary=summary, **seen)
        if all(name != earlier.name for earlier in self.found):
            visit.barriers = barriers(page)
        elif new := [place for place, each in enumerate(shapes) if each not in self._shapes]:
            visit.barriers = barriers(page, new)
        self._shapes.update(shapes)
        self.found.append(visit)
        return visit
