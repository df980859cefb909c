from django.apps import AppConfig


class Operations(AppConfig):
    name = "operations"

    def ready(self) -> None:
        from operations import alerting, following, identifying, noting

        alerting.start()
        following.listen()
        identifying.listen()
        noting.listen()
