import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    # Built while texts are read and written.
    atomic = False

    dependencies = [("materials", "0011_files_are_brought_in_by_workers")]

    operations = [
        AddIndexConcurrently(
            model_name="text",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.search.SearchVector("content", config="simple"), name="text_words"
            ),
        ),
    ]
