"""The people of the demo city: those on the sign-in page, and others who only hold cases."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.hashers import make_password

from portal import accounts
from portal.models import Role, User

__all__ = ["COMPANIES", "Cast", "Company", "is_loaded", "make_cast"]

OTHERS: tuple[tuple[str, str], ...] = (
    ("jon.berg@example.org", "Jon Berg"),
    ("ana.ruiz@example.org", "Ana Ruiz"),
    ("k.oduya@example.org", "Kwame Oduya"),
    ("sister.ine@example.org", "Ine Verhoeven"),
    ("walt.petersen@example.org", "Walter Petersen Jr."),
    ("l.oconnor@example.org", "Liam O'Connor"),
    ("d.whitehorse@example.org", "Dawn Whitehorse"),
    ("pa.xiong@example.org", "Pa Houa Xiong"),
    ("estate.schmidt@example.org", "Gretchen Schmidt-Nowak"),
    ("utility@example.org", "Marcus Hale, Example Water Utility"),
)
"""Applicants who are not on the sign-in page; the password is the same."""


@dataclass(frozen=True)
class Company:
    """A contractor or owner as it stands in applications."""

    name: str
    person: str
    address: str
    email: str
    telephone: str


COMPANIES: dict[str, Company] = {
    "berg": Company(
        "Berg Excavating Inc",
        "Jon Berg",
        "N64W2310 Millrace Lane\nExample, WI 54999",
        "jon.berg@example.org",
        "(555) 010-0144",
    ),
    "northfield": Company(
        "Northfield Builders LLC",
        "Tom Reyes",
        "400 County Road MM, Suite 2\nExample, WI 54999",
        "builder@northfield.example",
        "(555) 010-0122",
    ),
    "kettle": Company(
        "Kettle Ridge Site Services",
        "Ana Ruiz",
        "P.O. Box 118\nExample, WI 54999",
        "ana.ruiz@example.org",
        "(555) 010-0187",
    ),
    "oduya": Company(
        "Oduya & Daughters Landscaping",
        "Kwame Oduya",
        "2615 1/2 Juneberry Avenue\nExample, WI 54999",
        "k.oduya@example.org",
        "(555) 010-0163",
    ),
    "lakeshore": Company(
        "Lake Shore Underground, a joint venture of Halvorsen Brothers and Tri-Drain",
        "Signe Halvorsen",
        "7533 E County Road DB\nExample, WI 54999",
        "",  # gets its notices by mail
        "(555) 010-0178 ext. 4",
    ),
}


@dataclass(frozen=True)
class Cast:
    """Who acts in the demo: staff by role, applicants by e-mail address."""

    staff: dict[str, User]
    applicants: dict[str, User]

    @property
    def inspector(self) -> User:
        return self.staff[Role.INSPECTOR]

    @property
    def clerk(self) -> User:
        return self.staff[Role.CLERK]

    @property
    def administrator(self) -> User:
        return self.staff[Role.ADMINISTRATOR]

    @property
    def attorney(self) -> User:
        return self.staff[Role.ATTORNEY]

    @property
    def board(self) -> User:
        return self.staff[Role.BOARD]

    def holder(self, start: str) -> User:
        """The applicant whose address starts so."""
        return next(user for email, user in self.applicants.items() if email.startswith(start))


def is_loaded() -> bool:
    """Whether the demo's accounts are here already."""
    emails = [email for email, _name, _role in accounts.DEMO_PEOPLE]
    return User.objects.filter(email__in=emails).exists()


def make_cast() -> Cast:
    """Make every account, with a verified address and the demo's one password."""
    secret = make_password(accounts.DEMO_PASSWORD)  # once: hashing is slow on purpose
    people = [*accounts.DEMO_PEOPLE, *((email, name, Role.APPLICANT) for email, name in OTHERS)]
    users = []
    for number, (email, name, role) in enumerate(people):
        user = User(email=email, name=name, role=role, password=secret)
        if role == Role.APPLICANT:
            user.telephone = f"(555) 010-01{number:02d}"
        user.save()
        accounts.mark_verified(user)
        users.append(user)
    return Cast(
        staff={user.role: user for user in reversed(users) if user.role != Role.APPLICANT},
        applicants={user.email: user for user in users if user.role == Role.APPLICANT},
    )
