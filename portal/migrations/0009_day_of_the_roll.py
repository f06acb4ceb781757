from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0008_kinds_of_money"),
    ]

    operations = [
        migrations.AlterField(
            model_name="councilvalue",
            name="key",
            field=models.CharField(
                choices=[
                    ("fee", "Application fee, dollars"),
                    ("revision_review_days", "Working days to review a plan revision"),
                    ("appeal_days", "Days to appeal to the board of zoning appeals"),
                    ("appeal_fee", "Fee for an appeal to the board, dollars"),
                    ("interest_rate", "Interest on assessments, percent a year"),
                    ("administrative_fee", "Administrative fee on assessments, dollars"),
                    ("bill_days", "Days to pay a bill for city work"),
                    ("escrow_interest", "Interest on cash escrow, percent a year"),
                    ("roll_cutoff", "Tax-roll cut-off, month and day (MM-DD)"),
                    ("roll_delivery", "Tax roll to the treasurer, month and day (MM-DD)"),
                    ("open_holidays", "Legal holidays on which city hall is open"),
                ],
                max_length=40,
            ),
        ),
    ]
