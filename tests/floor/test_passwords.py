"""Passwords that are guessed at once are refused, wherever one is chosen."""

from __future__ import annotations

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from portal.models import User


@pytest.mark.parametrize(
    "password",
    [
        "passwordpassword",
        "PasswordPassword",
        "aaaaaaaaaaaa",
        "abcabcabcabc",
        "123412341234",
        "abcdefghijklm",
        "0987654321098",
        "qwertyuiopasdf",
        "password2026!",
        "!!!dragon1234",
        "ana.ruiz@city.example",
    ],
)
def test_a_password_that_is_guessed_at_once_is_refused(password):
    with pytest.raises(ValidationError):
        validate_password(password, User(email="ana.ruiz@city.example", name="Ana Ruiz"))


@pytest.mark.parametrize(
    "password", ["gravel silt straw 77", "a long enough password", "m4Qz!pX92_kd", "Seedmulchnet-3"]
)
def test_words_that_only_one_person_would_put_together_are_taken(password):
    validate_password(password, User(email="ana.ruiz@city.example", name="Ana Ruiz"))
