from django.apps import AppConfig


class EscrowConfig(AppConfig):
    """The money: the escrow that guarantees the control devices."""

    name = "escrow"

    def ready(self) -> None:
        from escrow.files import scans
        from escrow.guards import ISSUE_NEEDS_ESCROW
        from permits import files_of_cases
        from portal import guards

        for table in ("escrow_instrument", "escrow_escrowentry"):
            guards.append_only(table)
        guards.register(ISSUE_NEEDS_ESCROW)
        files_of_cases.register(scans)
