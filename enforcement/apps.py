from django.apps import AppConfig


class EnforcementConfig(AppConfig):
    """Violations, orders and all that follows from them: what may be done today, and its proof."""

    name = "enforcement"

    def ready(self) -> None:
        from enforcement import holding, proof
        from permits import holds, verify
        from portal import guards

        for table in (
            "enforcement_addressee",
            "enforcement_hearing",
            "enforcement_perilcertificate",
            "enforcement_posting",
            "enforcement_requeststep",
            "enforcement_service",
            "enforcement_violationday",
            "enforcement_workcost",
        ):
            guards.append_only(table)
        holds.register(holding.held_by_orders)
        verify.register_subjects(proof.subjects)
