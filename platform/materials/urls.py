from django.urls import path, register_converter

from materials.views import classifiers, datasets, imports, keeping, maps, removing, runs, texts


class TokenConverter:
    """What `secrets.token_urlsafe(16)` makes."""

    regex = "[A-Za-z0-9_-]{22}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class RunActionConverter(TokenConverter):
    regex = "|".join(runs.ACTIONS)


class FigureConverter(TokenConverter):
    regex = "|".join(texts.FIGURES)


class MapsKindConverter(TokenConverter):
    regex = "|".join(maps.KINDS)


register_converter(TokenConverter, "upload")
register_converter(MapsKindConverter, "maps_kind")
register_converter(FigureConverter, "figure")
register_converter(RunActionConverter, "run_action")

urlpatterns = [
    path("datasets/", datasets.dataset_list, name="dataset_list"),
    path("datasets/import/", imports.dataset_import, name="dataset_import"),
    path("datasets/import/<upload:token>/", imports.dataset_mapping, name="dataset_mapping"),
    path("datasets/import/<upload:token>/progress/", imports.dataset_import_progress, name="dataset_import_progress"),
    path("datasets/import/<upload:token>/rejected.csv", imports.dataset_rejected, name="dataset_rejected"),
    path("datasets/import/<upload:token>/discard/", imports.dataset_discard, name="dataset_discard"),
    path("datasets/<slug:slug>/", datasets.dataset, name="dataset"),
    path("datasets/<slug:slug>/import/", imports.dataset_import, name="dataset_add"),
    path("datasets/<slug:slug>/maps/", maps.dataset_maps, name="dataset_maps"),
    path("datasets/<slug:slug>/maps.<maps_kind:kind>", maps.maps_file, name="maps_file"),
    path("datasets/<slug:slug>/settings/", keeping.dataset_settings, name="dataset_settings"),
    path("datasets/<slug:slug>/delete/", keeping.dataset_delete, name="dataset_delete"),
    path("datasets/<slug:slug>/evaluate/", datasets.evaluate, name="dataset_evaluate"),
    path("datasets/<slug:slug>/texts/<int:pk>/", texts.text, name="dataset_text"),
    path("datasets/<slug:slug>/texts/<int:pk>/figure.<figure:kind>", texts.text_figure, name="dataset_text_figure"),
    path("removals/<int:number>/", removing.removal, name="removal"),
    path("removals/<int:number>/retry/", removing.removal_retry, name="removal_retry"),
    path("explanations/", runs.explanation_list, name="explanation_list"),
    path("explanations/<int:pk>/", runs.explanation_run, name="explanation_run"),
    path("explanations/<int:pk>/retry/", runs.run_retry, name="run_retry"),
    path("runs/<int:pk>/", runs.run_progress, name="run_progress"),
    path("runs/<int:pk>/<run_action:action>/", runs.run_action, name="run_action"),
    path("classifiers/", classifiers.classifier_list, name="classifier_list"),
    path("classifiers/new/", classifiers.classifier_add, name="classifier_add"),
    path("classifiers/<slug:slug>/", classifiers.classifier, name="classifier"),
    path("classifiers/<slug:slug>/settings/", keeping.classifier_settings, name="classifier_settings"),
    path("classifiers/<slug:slug>/delete/", keeping.classifier_delete, name="classifier_delete"),
    path("classifiers/<slug:slug>/state/", classifiers.classifier_state, name="classifier_state"),
    path("classifiers/<slug:slug>/reload/", classifiers.classifier_reload, name="classifier_reload"),
    path("datasets/<slug:slug>/labels/", keeping.dataset_labels, name="dataset_labels"),
    path("classifiers/<slug:slug>/labels/", classifiers.classifier_labels, name="classifier_labels"),
]
