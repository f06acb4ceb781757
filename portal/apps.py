from django.apps import AppConfig


class PortalConfig(AppConfig):
    """The floor: clock, calendar, council, accounts, documents and mailings."""

    name = "portal"
    verbose_name = "Siltfence"
