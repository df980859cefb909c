from allauth.account.apps import AccountConfig
from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    default = True


class AllauthConfig(AccountConfig):  # type: ignore[misc]
    """allauth's own, without its demand for a middleware around every request: see hosting.py."""

    default = False

    def ready(self) -> None:
        from allauth.account import checks  # noqa: F401
