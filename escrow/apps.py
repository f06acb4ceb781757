from django.apps import AppConfig
from django.db.models.signals import post_migrate


class EscrowConfig(AppConfig):
    """The money: escrow, draws and release; bills; special charges, assessments, tax roll."""

    name = "escrow"

    def ready(self) -> None:
        from enforcement import stays_on_docket
        from escrow import proof
        from escrow.account import expiry
        from escrow.bills import reminding, stayed
        from escrow.files import SOURCES
        from escrow.guards import APPEND_ONLY, GUARDS, KEPT
        from escrow.roll import first_layouts as layouts
        from escrow.roll import told
        from escrow.roll.known import PARCELS_NAMED
        from permits import files_of_cases, parcels, verify
        from portal import guards, rounds

        post_migrate.connect(layouts.enter, sender=self, dispatch_uid="escrow.first_layouts")
        rounds.register("escrow that expires", expiry.remind)
        rounds.register("bills that are due", reminding.remind)
        rounds.register("corrections of the roll", told.remind)
        verify.register_subjects(proof.subjects)
        stays_on_docket.register(stayed.bills_under)
        for table in APPEND_ONLY:
            guards.append_only(table)
        for table in KEPT:
            guards.never_removed(table)
        for guard in GUARDS:
            guards.register(guard)
        for source in SOURCES:
            files_of_cases.register(source)
        for what, named in PARCELS_NAMED.items():
            parcels.register(what, named)
