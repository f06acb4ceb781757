from django.apps import AppConfig


class EscrowConfig(AppConfig):
    """The money: the escrow that guarantees the control devices."""

    name = "escrow"
