from django.apps import AppConfig


class PermitsConfig(AppConfig):
    """Sites, parties, applications, plans, decisions and permits; record and docket."""

    name = "permits"

    def ready(self) -> None:
        from permits import reminders, sealing
        from portal import guards, rounds

        for table in (
            "permits_agreementrecording",
            "permits_caseevent",
            "permits_feeentry",
            "permits_decision",
            "permits_requiredchange",
            "permits_casepaper",
            "permits_ownerchange",
            "permits_recordseal",
            "permits_stayingpractice",
        ):
            guards.append_only(table)
        rounds.register("reminders", reminders.send_reminders)
        rounds.register("seal of the record", sealing.seal_record)
