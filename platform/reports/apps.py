from django.apps import AppConfig


class Reports(AppConfig):
    name = "reports"

    def ready(self) -> None:
        from judging.erasing import erased
        from reports.forgetting import forget_builds

        erased.connect(forget_builds, dispatch_uid="reports.forget_builds")
