from typing import Any

from django.db import migrations

from escrow.roll.first_layouts import FIRST_LAYOUTS


def add(apps: Any, schema_editor: Any) -> None:
    """Enter the layouts that every city begins with."""
    layout = apps.get_model("escrow", "RollLayout")
    for facts in FIRST_LAYOUTS:
        layout.objects.create(**facts)


class Migration(migrations.Migration):
    dependencies = [("escrow", "0005_the_books_of_money")]

    # Nothing to undo: rows of layouts are facts, and the table itself goes with 0004.
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
