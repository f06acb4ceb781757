from django.apps import AppConfig


class EnforcementConfig(AppConfig):
    """Violations, orders and all that follows from them: what may be done today, and its proof."""

    name = "enforcement"

    def ready(self) -> None:
        from enforcement import (
            appeal_files,
            docketing,
            files,
            holding,
            proof,
            stays_on_docket,
            work_guards,
            works_files,
        )
        from enforcement.acts import owner_notices
        from permits import files_of_cases, holds, issued, verify
        from portal import guards, mailroom

        for table in (
            "enforcement_addressee",
            "enforcement_correctionanswer",
            "enforcement_correctionreport",
            "enforcement_hearing",
            "enforcement_linereport",
            "enforcement_perilcertificate",
            "enforcement_posting",
            "enforcement_requeststep",
            "enforcement_service",
            "enforcement_upkeepextension",
            "enforcement_upkeepline",
            "enforcement_violationday",
            "enforcement_workcost",
        ):
            guards.append_only(table)
        holds.register(holding.held_by_orders)
        holds.register(stays_on_docket.holds)
        issued.register(docketing.obey_by_permit)
        verify.register_subjects(proof.subjects)
        for guard in work_guards.GUARDS:
            guards.register(guard)
        for source in (*files.SOURCES, *works_files.SOURCES, *appeal_files.SOURCES):
            files_of_cases.register(source)
        mailroom.register_accepted(owner_notices.CAUSE, owner_notices.on_accepted)
        mailroom.register_returned(owner_notices.CAUSE, owner_notices.on_returned)
