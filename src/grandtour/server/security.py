"""What a browser is told to allow, and whom the server listens to."""

import socket
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from grandtour.engine.refusal import Refusal
from grandtour.server.answers import refusal_answer
from grandtour.server.proxies import read_address

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
    """Puts the headers on every answer, and refuses what was meant for another host, and sockets and changes that
    come from another site's page."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], hosts: frozenset[str]) -> None:
        self.app = app
        self.origins = origins
        own = socket.gethostname().lower()
        self.hosts = {name.lower() for name in hosts} | {"localhost", own, f"{own}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            await self.app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, refusal.code)(scope, receive, send)
        else:
            await refusal_answer(refusal)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(host):
            # A page of another site whose name was made to lead here would otherwise pass for the server's own.
            return Refusal("wrong-host", "The server is not known by this name; its operator can add it to `hosts`.")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not self._welcome(headers.get("origin"), host):
            return Refusal("wrong-origin", "This request comes from another site's page.")
        return None

    def _is_own(self, host: str) -> bool:
        """A browser always says which host it means; who says nothing is no browser."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        name = name.lower().removesuffix(".")
        return (
            not name
            or name in self.hosts
            or "*" in self.hosts
            or name.endswith(".localhost")
            or read_address(name.removeprefix("[").removesuffix("]")) is not None
        )

    def _welcome(self, origin: str | None, host: str) -> bool:
        """A browser always says where its page is from; what says nothing is no browser."""
        if origin is None or origin in self.origins:
            return True
        scheme, _, name = origin.partition("://")
        return scheme in ("http", "https") and name == host
