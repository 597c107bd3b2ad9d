"""What a browser is told to allow, and whom the server listens to."""

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from grandtour.engine.refusal import Refusal
from grandtour.server.answers import refusal_answer

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Security:
    """Puts the headers on every answer, and refuses sockets and changes that come from another site's page."""

    def __init__(self, app: ASGIApp, origins: frozenset[str]) -> None:
        self.app = app
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] == "websocket" and not self._welcome(scope):
            await WebSocketClose(1008, "wrong-origin")(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD") and not self._welcome(scope):
            refusal = Refusal("wrong-origin", "This request comes from another site's page.")
            await refusal_answer(refusal)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _welcome(self, scope: Scope) -> bool:
        """A browser always says where its page is from; what says nothing is no browser."""
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        scheme, _, host = origin.partition("://")
        return scheme in ("http", "https") and host == headers.get("host")
