"""The land: a site, its parcels, and the words by which it is found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import connection, models, transaction
from django.db.models import Q
from django.urls import reverse

from portal import clock

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from portal.models import User

GRID_NUMBER = re.compile(r"(?:[nsew]\d+){2,}")
GRID_PART = re.compile(r"[nsew]\d+")
# Words that nearly every address has: they find nothing and cost much.
COMMON_WORDS = frozenset(
    {"st", "street", "rd", "road", "ave", "avenue", "dr", "drive", "ln", "lane", "ct", "court"}
    | {"way", "pl", "place", "blvd", "wi", "wisconsin", "hwy", "highway"}
    | {"n", "north", "s", "south", "e", "east", "w", "west"}
)


def search_words(text: str) -> list[str]:
    """Split an address, parcel or permit number into the words it is found by.

    Grid house numbers are found with and without a blank (`N170 W20019`, `N170W20019`).
    """
    words: list[str] = []
    for word in re.findall(r"[^\W_]+", text.lower()):
        words.extend(GRID_PART.findall(word) if GRID_NUMBER.fullmatch(word) else [word])
    return words


RANGE = re.compile(r"\b(\d{1,6})\s*[-\u2013]\s*(\d{1,6})\b", re.ASCII)
LONGEST_RANGE = 200
CASE_NUMBER = re.compile(r"([a-z]{1,2})[\s-]*(20\d\d)[\s-]+(\d{1,4})", re.ASCII)


def numbers_between(address: str) -> set[str]:
    """Return the house numbers of the same side within a range: 9550 and 9552 of 9548-9554."""
    found: set[str] = set()
    for first, last in RANGE.findall(address):
        end = int(first[: max(0, len(first) - len(last))] + last)  # 9548-54 is 9548-9554
        if int(first) < end <= int(first) + LONGEST_RANGE:
            found |= {str(number) for number in range(int(first), end + 1, 2)}
    return found


def whole_number(text: str) -> str:
    """Return a permit's or case's number in one word, its zeros filled in: ec20260011."""
    found = CASE_NUMBER.fullmatch(text.strip().lower())
    return f"{found[1]}{found[2]}{int(found[3]):04d}" if found else compact(text)


def compact(text: str) -> str:
    """Return a number without its punctuation, as a person might type it."""
    return "".join(re.findall(r"[^\W_]+", text.lower()))


class SiteQuerySet(models.QuerySet["Site"]):
    """Who may see which cases, and how they are found."""

    def visible_to(self, user: User | AnonymousUser) -> SiteQuerySet:
        """City staff see every case; an applicant sees the cases held by them.

        What was destroyed is seen by nobody here: its certificate is among the records.
        """
        if not user.is_authenticated:
            return self.none()
        kept = self.filter(destroyed_on__isnull=True)
        if user.is_city_staff:
            return kept
        return kept.filter(applications__applicant=user).distinct()

    def public(self) -> SiteQuerySet:
        """Sites the public may look up: an application was filed, and the case is kept."""
        return self.filter(filed_on__isnull=False, destroyed_on__isnull=True)

    def found_by(self, text: str) -> SiteQuerySet:
        """Sites whose address, parcel or number has every word that was typed."""
        words = search_words(text)[:8]
        telling = [word for word in words if word not in COMMON_WORDS] or words
        if not telling:
            return self.none()
        found = self
        for word in telling:
            found = found.filter(pk__in=SearchWord.objects.starting(word).values("site_id"))
        if len(words) > 1:
            whole = SearchWord.objects.starting(whole_number(text)).values("site_id")
            found = found | self.filter(pk__in=whole)
        return found


class Site(models.Model):
    """A piece of land and all that happens on it; its page is the case file."""

    number = models.CharField(max_length=20, unique=True)
    address = models.CharField(max_length=300, blank=True)
    survey_description = models.TextField(blank=True)
    latitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    longitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    parcel_acres = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    filed_on = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    # Set when the contents of the case were destroyed; what is left is a skeleton of numbers,
    # kinds and days, which no page of the case shows any more.
    destroyed_on = models.DateField(null=True, blank=True)

    objects = SiteQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["filed_on", "-id"]),
            models.Index(fields=["latitude", "longitude"], name="sites_by_position"),
        ]

    def __str__(self) -> str:
        return self.place

    def get_absolute_url(self) -> str:
        return reverse("case", args=[self.number])

    def get_public_url(self) -> str:
        return reverse("public_site", args=[self.number])

    @property
    def place(self) -> str:
        """The site in a few words: its address, else its survey description."""
        described = self.address or " ".join(self.survey_description.split())[:120]
        return described or "A site without an address yet"

    def lock(self) -> Site:
        """Hold the case until the transaction ends, so that acts come one at a time."""
        return Site.objects.select_for_update().get(pk=self.pk)

    def index_words(self) -> None:
        """Write anew the words by which the site is found."""
        parcels = list(self.parcels.values_list("number", flat=True))
        numbers = [
            number
            for row in self.applications.values_list("number", "permit__number")
            for number in row
            if number
        ]
        agreed = self.agreements.values_list("number", "document_number")
        numbers += [number for row in agreed for number in row if number]
        numbers += self.earlier_permits.values_list("number", flat=True)
        self._replace_words(self.words(parcels, numbers))

    def words(self, parcels: Iterable[str], numbers: Iterable[str]) -> set[str]:
        """Return the words by which a site with these parcels and numbers is found."""
        texts = [self.number, self.address, self.survey_description]
        names = [*parcels, *numbers]
        words = {w for text in [*texts, *names] for w in search_words(text)}
        words |= numbers_between(self.address)
        words |= {compact(text) for text in [self.number, *names]}
        return {word[:60] for word in words if word}

    def _replace_words(self, words: Iterable[str]) -> None:
        with transaction.atomic():
            self.search_words.all().delete()
            SearchWord.objects.bulk_create(
                SearchWord(site=self, word=word) for word in sorted(set(words)) if word
            )

    def record(self, kind: str, **details: Any) -> Any:
        """Append an event to the case record. See `CaseEvent.append`."""
        return self.events.append(self, kind, **details)  # type: ignore[attr-defined]


class Parcel(models.Model):
    """A taxed unit of the site; its number is kept exactly as it was written."""

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="parcels")
    number = models.CharField("parcel number", max_length=60)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["site", "number"], name="parcel_listed_once_a_site")
        ]

    def __str__(self) -> str:
        return self.number


class SearchWordQuerySet(models.QuerySet["SearchWord"]):
    def starting(self, word: str) -> SearchWordQuerySet:
        """Rows whose word begins so; by index on both databases."""
        if connection.vendor == "postgresql":
            return self.filter(word__startswith=word)
        # SQLite's LIKE ignores the index; a range over the same words does not.
        return self.filter(Q(word__gte=word) & Q(word__lt=word + "\U0010ffff"))


class SearchWord(models.Model):
    """One word by which a site is found."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="search_words")
    word = models.CharField(max_length=60, db_index=True)

    objects = SearchWordQuerySet.as_manager()

    class Meta:
        ordering = ["word"]

    def __str__(self) -> str:
        return self.word
