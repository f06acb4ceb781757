from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import TruncDate

import portal.clock
import portal.models.operations


def tell_what_is_known(apps: Any, schema_editor: Any) -> None:
    """Give each letter on record its stage, and a fact for each of its days."""
    mailing, event = apps.get_model("portal", "Mailing"), apps.get_model("portal", "MailingEvent")
    mailing.objects.update(go_by=TruncDate("created_at"))
    kinds = {"deposited": "deposited_on", "accepted": "accepted_on", "returned": "returned_on"}
    stages = {"deposited": "handed_in", "accepted": "accepted", "returned": "returned"}
    for kind, column in kinds.items():
        known = mailing.objects.filter(**{f"{column}__isnull": False}).order_by("pk")
        for chunk in batched(known.values_list("pk", column, "recorded_by"), 1000):
            event.objects.bulk_create(
                event(mailing_id=pk, kind=kind, on=on, by_id=by, reason=WHY[kind])
                for pk, on, by in chunk
            )
        known.update(stage=stages[kind])
    numbered = mailing.objects.exclude(tracking_number="").order_by("pk")
    event.objects.bulk_create(
        event(
            mailing=each,
            kind="number",
            on=each.deposited_on or each.go_by,
            number=each.tracking_number,
            by_id=each.recorded_by_id,
        )
        for each in numbered
    )


def batched(rows: Any, size: int) -> Iterator[list[Any]]:
    """Read rows in pieces."""
    for start in range(0, rows.count(), size):
        yield list(rows[start : start + size])


WHY = {"deposited": "", "accepted": "", "returned": "Recorded before reasons were kept."}


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0002_room_for_the_longest_addressee"),
    ]

    operations = [
        migrations.CreateModel(
            name="MailingEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("deposited", "Handed to the post"),
                            ("accepted", "Accepted by the post"),
                            ("number", "Number of the certified letter"),
                            ("certificate", "Certificate of mailing"),
                            ("affidavit", "Affidavit of mailing"),
                            ("returned", "Came back"),
                            ("stands", "The legal date stays"),
                            ("reserved", "Served anew"),
                        ],
                        max_length=12,
                    ),
                ),
                ("on", models.DateField(null=True)),
                ("number", models.CharField(blank=True, max_length=60)),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=portal.clock.now)),
                (
                    "operation",
                    models.UUIDField(
                        default=portal.models.operations.current_operation,
                        editable=False,
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="mailing",
            name="go_by",
            field=models.DateField(default=portal.clock.today),
        ),
        migrations.AddField(
            model_name="mailing",
            name="letter",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="portal.document",
            ),
        ),
        migrations.AddField(
            model_name="mailing",
            name="replaces",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="replaced_by",
                to="portal.mailing",
            ),
        ),
        migrations.AddField(
            model_name="mailing",
            name="requires_us_mail",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="mailing",
            name="stage",
            field=models.CharField(
                choices=[
                    ("waiting", "Waits to be mailed"),
                    ("handed_in", "Handed to the post"),
                    ("accepted", "Accepted by the post"),
                    ("returned", "Came back, to be decided"),
                    ("stands", "Came back, the legal date stays"),
                    ("replaced", "Served anew"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="mailing",
            name="subject",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="mailing",
            name="text",
            field=models.TextField(blank=True),
        ),
        migrations.AddIndex(
            model_name="mailing",
            index=models.Index(
                condition=models.Q(("means__in", ("us_mail", "certified"))),
                fields=["stage", "go_by", "id"],
                name="mailing_by_post",
            ),
        ),
        migrations.AddIndex(
            model_name="mailing",
            index=models.Index(
                condition=models.Q(("means__in", ("us_mail", "certified"))),
                fields=["go_by", "id"],
                name="mailing_all",
            ),
        ),
        migrations.AddField(
            model_name="mailingevent",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="mailingevent",
            name="corrects",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="corrected_by",
                to="portal.mailingevent",
            ),
        ),
        migrations.AddField(
            model_name="mailingevent",
            name="mailing",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="events",
                to="portal.mailing",
            ),
        ),
        migrations.AddField(
            model_name="mailingevent",
            name="paper",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="portal.document",
            ),
        ),
        migrations.AddField(
            model_name="mailingevent",
            name="scan",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="portal.upload",
            ),
        ),
        migrations.RunPython(tell_what_is_known, migrations.RunPython.noop),
    ]
