from django.apps import AppConfig


class Campaigns(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from campaigns.preparing import settle_all
        from materials.announcing import run_done

        run_done.connect(settle_all, dispatch_uid="campaigns.settle_all")
