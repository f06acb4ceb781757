from django.apps import AppConfig


class EscrowConfig(AppConfig):
    """The money: escrow, draws and release; bills; special charges, assessments, tax roll."""

    name = "escrow"

    def ready(self) -> None:
        from escrow import proof
        from escrow.account import expiry
        from escrow.files import SOURCES
        from escrow.guards import APPEND_ONLY, GUARDS
        from permits import files_of_cases, verify
        from portal import guards, rounds

        rounds.register("escrow that expires", expiry.remind)
        verify.register_subjects(proof.subjects)
        for table in APPEND_ONLY:
            guards.append_only(table)
        for guard in GUARDS:
            guards.register(guard)
        for source in SOURCES:
            files_of_cases.register(source)
