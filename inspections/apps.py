from django.apps import AppConfig


class InspectionsConfig(AppConfig):
    """Visits, findings, rain, self-inspection and permanent cover: not built yet."""

    name = "inspections"
