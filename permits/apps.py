from django.apps import AppConfig


class PermitsConfig(AppConfig):
    """Sites, parties, applications, plans, decisions and permits; record and docket."""

    name = "permits"

    def ready(self) -> None:
        from permits import agreement_guards, files_of_cases, holds, reminders, sealing, verify
        from permits.agreements import files, holding, proof
        from portal import guards, rounds

        for table in (
            "permits_agreementrecording",
            "permits_caseevent",
            "permits_caseexport",
            "permits_feeentry",
            "permits_decision",
            "permits_requiredchange",
            "permits_casepaper",
            "permits_ownerchange",
            "permits_recordseal",
            "permits_importedrow",
            "permits_earlierparty",
            "permits_stayingpractice",
        ):
            guards.append_only(table)
        for table in agreement_guards.KEPT:
            guards.never_removed(table)
        for guard in agreement_guards.GUARDS:
            guards.register(guard)
        for source in files.SOURCES:
            files_of_cases.register(source)
        holds.register(holding.waits_for_agreement)
        verify.register_proof(proof.faults)
        for table in ("permits_importbatch", "permits_importsource", "permits_earlierpermit"):
            guards.never_removed(table)
        rounds.register("reminders", reminders.send_reminders)
        rounds.register("seal of the record", sealing.seal_record)
