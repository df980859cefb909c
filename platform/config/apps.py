from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from catalogue.external import ExternalError, add_methods
from catalogue.methods import METHODS


class Peekaword(AppConfig):
    name = "config"

    def ready(self) -> None:
        try:
            add_methods(settings.SALIENCY_METHODS, METHODS)
        except ExternalError as error:
            raise ImproperlyConfigured(f"SALIENCY_METHODS: {error}") from error
