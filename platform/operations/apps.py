from django.apps import AppConfig


class Operations(AppConfig):
    name = "operations"

    def ready(self) -> None:
        from operations import following, identifying, noting

        following.listen()
        identifying.listen()
        noting.listen()
