"""Passwords that a guesser tries first although no list of common ones has them."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

__all__ = ["GuessableValidator"]

REPEATED = re.compile(r"(.+?)\1+", re.DOTALL)
DRESS = re.compile(r"^[\d\W_]+|[\d\W_]+$")
LETTERS = "abcdefghijklmnopqrstuvwxyz" * 2
DIGITS = "1234567890" * 8
KEYBOARD = "qwertyuiopasdfghjklzxcvbnm" * 2
FEWEST_SIGNS = 5


class GuessableValidator:
    """Refuses a word said twice, a row of keys, and a common password with a number behind it."""

    def __init__(self) -> None:
        self.common = CommonPasswordValidator()

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password that is guessed at once."""
        text = password.lower().strip()
        rows = [row for each in (LETTERS, DIGITS, KEYBOARD) for row in (each, each[::-1])]
        if REPEATED.fullmatch(text) or len(set(text)) < FEWEST_SIGNS:
            why = "This password says the same again and again."
        elif any(text in row for row in rows):
            why = "This password is a row of letters, digits or keys."
        elif DRESS.sub("", text) in self.common.passwords:
            why = "This password is a very common one with signs around it."
        else:
            return
        raise ValidationError(f"{why} Put three or four words together.", "guessable")

    def get_help_text(self) -> str:
        """Say what is refused."""
        return "No word said twice, no row of keys, no common password with a number behind it."
