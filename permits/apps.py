from django.apps import AppConfig


class PermitsConfig(AppConfig):
    """Sites, parties, applications, plans, decisions and permits; record and docket."""

    name = "permits"
