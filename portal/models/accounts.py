"""People who sign in, each with one role."""

from __future__ import annotations

import secrets
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q

from portal import city, clock


class Role(models.TextChoices):
    """Who somebody is to the city; an act's policy names these and nothing else."""

    APPLICANT = "applicant", "Applicant"
    INSPECTOR = "inspector", "Building inspector"
    CLERK = "clerk", "City clerk"
    ADMINISTRATOR = "administrator", "City administrator"
    ATTORNEY = "attorney", "City attorney"
    BOARD = "board", "Board of zoning appeals, secretary"


def role_title(role: str) -> str:
    """Return what the city calls a role: its ordinance names five, each by its key."""
    if role == Role.APPLICANT:
        return str(Role.APPLICANT.label)
    title = city.say(f"{{{role.capitalize()}}}")
    return f"{title}, secretary" if role == Role.BOARD else title


STAFF_ROLES = frozenset({Role.INSPECTOR, Role.CLERK, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD})


def new_feed_key() -> str:
    """Return the secret part of a person's calendar link: 160 bits of chance."""
    return secrets.token_urlsafe(20)


MACHINES = "@portal.invalid"
"""The addresses of accounts that are no person's; nothing can be delivered there."""


class UserManager(BaseUserManager["User"]):
    """Accounts are found by their e-mail address, whatever its case."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)

    def create_user(
        self, email: str, password: str | None = None, *, name: str = "", role: str = Role.APPLICANT
    ) -> User:
        """Create an account; the address is kept in lower case."""
        user = self.model(email=email.strip().lower(), name=name, role=role)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, *, name: str = "") -> User:
        """Create an account that may open Django's admin, read-only for case data."""
        user = self.create_user(email, password, name=name, role=Role.ADMINISTRATOR)
        user.is_superuser = user.is_staff = True
        user.save(using=self._db)
        return user

    def machine(self, name: str) -> User:
        """Return the account under which the portal itself enters something, made when needed.

        Nobody signs in with it: it is not active and has no password.
        """
        email = "-".join(name.lower().split()) + MACHINES
        user, _ = self.get_or_create(email=email, defaults={"name": name, "is_active": False})
        if user.is_active or user.has_usable_password():
            user.is_active, user.name = False, name
            user.set_unusable_password()
            user.save(update_fields=["is_active", "name", "password"])
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account: an applicant, or somebody who works for the city."""

    Role = Role

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.APPLICANT)
    telephone = models.CharField(max_length=40, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)  # Django's admin only; see `is_city_staff`
    date_joined = models.DateTimeField(default=clock.now)
    feed_key = models.CharField(max_length=40, unique=True, default=new_feed_key)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["name", "email"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="user_role_is_known"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    def get_role_display(self) -> str:  # type: ignore[no-redef]
        """The role by the title that the city's ordinance gives it."""
        return role_title(self.role)

    @property
    def is_city_staff(self) -> bool:
        """Whether this person works for the city (and not as an applicant)."""
        return self.role in STAFF_ROLES

    @property
    def signature(self) -> str:
        """Name and role as the record keeps them; what the portal enters itself has no role."""
        if self.email.endswith(MACHINES):
            return str(self)
        return f"{self} ({self.get_role_display()})"
