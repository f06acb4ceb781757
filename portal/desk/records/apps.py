from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """Requests for public records, retention, legal holds and destruction."""

    name = "portal.desk.records"

    def ready(self) -> None:
        from escrow.demo import city
        from permits import verify
        from portal import files as stored_files
        from portal import guards, rounds
        from portal.desk.records import demo, files, proof
        from portal.desk.records.guards import APPEND_ONLY, GUARDS, KEPT, open_doors

        for table in APPEND_ONLY:
            guards.append_only(table)
        for table in KEPT:
            guards.never_removed(table)
        for guard in GUARDS:
            guards.register(guard)
        open_doors()
        stored_files.register_gone(files.destroyed_names)
        rounds.register("files of destroyed cases", files.finish)
        verify.register_proof(proof.faults)
        city.register(demo.build)
