from django.db import migrations


def end_appeals(apps, schema_editor):
    """A denial that a grant supersedes aggrieves nobody: its appeal clock ended with the grant."""
    docket = apps.get_model("permits", "DocketEntry")
    decisions = apps.get_model("permits", "Decision")
    kinds = apps.get_model("contenttypes", "ContentType")
    kind = kinds.objects.filter(app_label="permits", model="decision").first()
    if kind is None:
        return
    running = docket.objects.filter(subject_type_id=kind.pk, closed_on__isnull=True)
    grants = decisions.objects.filter(kind="grant")
    for application, on in grants.values_list("application_id", "decided_on").iterator():
        denials = decisions.objects.filter(application_id=application, kind="deny")
        running.filter(subject_pk__in=denials.values("pk")).update(closed_on=on)


class Migration(migrations.Migration):
    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("permits", "0013_fees_by_the_day_they_came_in"),
    ]

    operations = [migrations.RunPython(end_appeals, migrations.RunPython.noop)]
