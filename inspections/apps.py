from django.apps import AppConfig


class InspectionsConfig(AppConfig):
    """Visits, findings, rain, the permittee's log, permanent cover and certificates."""

    name = "inspections"

    def ready(self) -> None:
        from inspections import (
            beside,
            files,
            needs,
            notices,
            proof,
            rain_duties,
            unsent_photos,
            upkeep_telling,
        )
        from permits import files_of_cases, reminders, verify
        from portal import guards, rounds

        for table in (
            "inspections_certificate",
            "inspections_completionreport",
            "inspections_documentedday",
            "inspections_finalinspection",
            "inspections_findinganswer",
            "inspections_lineanswer",
            "inspections_logentry",
            "inspections_logline",
            "inspections_practicelook",
            "inspections_rainreading",
            "inspections_upkeepreport",
            "inspections_visitdescription",
        ):
            guards.append_only(table)
        rounds.register("visit needs", needs.open_needs)
        rounds.register("rain letters", rain_duties.tell_of_recent_rain)
        rounds.register("log reminders", notices.remind_of_logs)
        rounds.register("upkeep reminders", upkeep_telling.remind)
        rounds.register("photos of reports never sent", unsent_photos.forget_unsent_photos)
        reminders.register_beside(beside.beside_permit_date)
        verify.register_subjects(proof.subjects)
        for source in files.SOURCES:
            files_of_cases.register(source)
