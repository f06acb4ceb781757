from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0003_mail_room"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="mailing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("returned_on__isnull", True),
                    models.Q(
                        ("accepted_on__isnull", False),
                        ("returned_on__gte", models.F("accepted_on")),
                    ),
                    _connector="OR",
                ),
                name="mailing_returned_after_accepted",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deposited_on__isnull", True),
                    models.Q(("address", ""), _negated=True),
                    _connector="OR",
                ),
                name="mailing_needs_an_address",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("requires_us_mail", False),
                    ("means__in", ("us_mail", "certified")),
                    _connector="OR",
                ),
                name="mailing_must_go_by_us_mail",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("deposited_on__isnull", True), ("stage", "waiting")),
                    models.Q(
                        ("accepted_on__isnull", True),
                        ("deposited_on__isnull", False),
                        ("stage", "handed_in"),
                    ),
                    models.Q(
                        ("accepted_on__isnull", False),
                        ("returned_on__isnull", True),
                        ("stage", "accepted"),
                    ),
                    models.Q(("returned_on__isnull", False), ("stage__in", ["returned", "stands"])),
                    ("stage", "replaced"),
                    _connector="OR",
                ),
                name="mailing_stage_fits_its_days",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("corrects__isnull", True)),
                fields=("mailing", "kind"),
                name="mailing_fact_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ["stands", "reserved"])),
                fields=("mailing",),
                name="mailing_returned_is_decided_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("on__isnull", False), ("corrects__isnull", False), _connector="OR"
                ),
                name="mailing_fact_has_its_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("corrects__isnull", True), ("kind__in", ["stands", "reserved"])),
                    models.Q(("kind__in", ["stands", "reserved"]), _negated=True),
                    _connector="OR",
                ),
                name="mailing_decision_is_not_corrected",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("corrects__isnull", True),
                        models.Q(("kind__in", ["returned", "stands", "reserved"]), _negated=True),
                    ),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="mailing_fact_has_its_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "number"), _negated=True),
                    ("on__isnull", True),
                    models.Q(("number", ""), _negated=True),
                    _connector="OR",
                ),
                name="mailing_number_is_given",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailingevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "certificate"), _negated=True),
                    ("on__isnull", True),
                    ("scan__isnull", False),
                    _connector="OR",
                ),
                name="mailing_certificate_has_its_scan",
            ),
        ),
    ]
