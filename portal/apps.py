from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate, pre_migrate


class PortalConfig(AppConfig):
    """The floor: clock, calendar, council, accounts, documents and mailings."""

    name = "portal"
    verbose_name = "Siltfence"

    def ready(self) -> None:
        from portal import city, guards, mail_guards, plain_words, rounds, upkeep

        plain_words.install()
        city.choose(settings.CITY["ordinance"])

        for table in (
            "portal_closure",
            "portal_councilvalue",
            "portal_document",
            "portal_mailingevent",
        ):
            guards.append_only(table)
        for guard in mail_guards.GUARDS:
            guards.register(guard)
        pre_migrate.connect(guards.step_aside, sender=None, dispatch_uid="portal.guards")
        rounds.register("figures of the database", upkeep.refresh_figures)
        post_migrate.connect(guards.put_up, sender=None, dispatch_uid="portal.guards")
