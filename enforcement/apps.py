from django.apps import AppConfig


class EnforcementConfig(AppConfig):
    """Stop-work orders and all that follows from them: not built yet."""

    name = "enforcement"
