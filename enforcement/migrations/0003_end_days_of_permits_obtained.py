"""The days to obtain a permit end when it is issued; those of earlier permits end here."""

from django.db import migrations

RULES = ("permit-after-stop-work", "cease-and-desist")


def end_them(apps, schema_editor):
    Order = apps.get_model("enforcement", "StopWorkOrder")
    Permit = apps.get_model("permits", "Permit")
    Entry = apps.get_model("permits", "DocketEntry")
    for order in Order.objects.filter(status="standing", permit=None).iterator():
        issued = Permit.objects.filter(site=order.site_id, issued_on__gte=order.issued_on)
        day = issued.order_by("issued_on").values_list("issued_on", flat=True).first()
        if day is None:
            continue
        running = Entry.objects.filter(
            subject_type__app_label="enforcement",
            subject_type__model="stopworkorder",
            subject_pk=order.pk,
            rule__in=RULES,
            closed_on=None,
        )
        running.filter(kind="deadline").update(met_on=day, closed_on=day)
        running.filter(kind="waiting").update(closed_on=day)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("enforcement", "0002_corrections_of_postings"),
        ("permits", "0016_stay_clocks_on_the_docket"),
    ]

    operations = [migrations.RunPython(end_them, migrations.RunPython.noop)]
