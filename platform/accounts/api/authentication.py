from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.api.models import ApiToken
from accounts.api.tokens import find_token, note_use
from accounts.models import User

KEYWORDS = {b"bearer", b"token"}


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer SECRET`, or `Token SECRET`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() not in KEYWORDS:
            return None
        token = find_token(words[1].decode("latin-1")) if len(words) == 2 else None
        if token is None:
            raise AuthenticationFailed("This token is not known here, has expired, or was revoked.")
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Peekaword"'


class BrowserAuthentication(SessionAuthentication):
    """Whoever is signed in to the pages; what changes something needs the CSRF token that pages have."""
