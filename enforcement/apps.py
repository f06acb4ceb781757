from django.apps import AppConfig


class EnforcementConfig(AppConfig):
    """Violations, orders and all that follows from them: what may be done today, and its proof."""

    name = "enforcement"
