"""Triggers count what is written, a row a statement; what is there already is counted once.

Whoever writes texts, predictions or maps meanwhile waits until all is counted: a second for each million. Who judges
writes none of these.
"""

from django.db import migrations

TABLE = """
ALTER TABLE {counts} ADD FOREIGN KEY (dataset_id) REFERENCES materials_dataset ON DELETE CASCADE;
CREATE FUNCTION {counts}_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO {counts} ({columns}, n) SELECT {values}, count(*) FROM fresh t {join} GROUP BY {values};
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO {counts} ({columns}, n) SELECT {values}, -count(*) FROM gone t {join} GROUP BY {values};
    ELSE
        INSERT INTO {counts} ({columns}, n)
        SELECT {columns}, sum(m) FROM (
            SELECT {named}, 1 AS m FROM fresh t {join} UNION ALL SELECT {named}, -1 FROM gone t {join}
        ) AS changed GROUP BY {columns} HAVING sum(m) <> 0;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER {counts}_insert AFTER INSERT ON {table}
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION {counts}_keep();
CREATE TRIGGER {counts}_update AFTER UPDATE ON {table}
    REFERENCING NEW TABLE AS fresh OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION {counts}_keep();
CREATE TRIGGER {counts}_delete AFTER DELETE ON {table}
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION {counts}_keep();
INSERT INTO {counts} ({columns}, n) SELECT {values}, count(*) FROM {table} t {join} GROUP BY {values};
"""
OF_CLASSIFIER = "ALTER TABLE {counts} ADD FOREIGN KEY (classifier_id) REFERENCES materials_classifier ON DELETE CASCADE;"
DROP = """
DROP TRIGGER {counts}_insert ON {table};
DROP TRIGGER {counts}_update ON {table};
DROP TRIGGER {counts}_delete ON {table};
DROP FUNCTION {counts}_keep();
"""
OF_ITS_TEXT = "JOIN materials_text x ON x.id = t.text_id"
KEPT = [
    ("materials_textcount", "materials_text", "",
     {"dataset_id": "t.dataset_id", "label": "t.label", "language": "t.language"}),
    ("materials_predictioncount", "materials_prediction", OF_ITS_TEXT,
     {"dataset_id": "x.dataset_id", "classifier_id": "t.classifier_id", "gold": "x.label", "label": "t.label"}),
    ("materials_mapcount", "materials_explanation", OF_ITS_TEXT,
     {"dataset_id": "x.dataset_id", "classifier_id": "t.classifier_id"}),
]  # fmt: skip


def kept(counts: str, table: str, join: str, columns: dict[str, str]) -> migrations.RunSQL:
    names = {
        "counts": counts, "table": table, "join": join, "columns": ", ".join(columns),
        "values": ", ".join(columns.values()),
        "named": ", ".join(f"{value} AS {name}" for name, value in columns.items()),
    }  # fmt: skip
    more = OF_CLASSIFIER if "classifier_id" in columns else ""
    return migrations.RunSQL((more + TABLE).format(**names), DROP.format(**names))


class Migration(migrations.Migration):
    dependencies = [("materials", "0013_counts")]

    operations = [kept(*one) for one in KEPT]
