"""Security headers, and checks of host and origin."""

import socket
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from grandtour.engine.refusal import Refusal
from grandtour.server.http.proxies import read_address
from grandtour.server.http.responses import refusal_response
from grandtour.server.metrics import count_refusal

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
PART_HEADERS: Final = {name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")}
"""The headers that matter for files that browsers do not show as pages of their own. All of them together would be
longer than many of these files."""
PARTS: Final = frozenset({"/theme.js", "/manifest.webmanifest"})
PART_SUFFIXES: Final = (".js", ".css", ".woff2")


def headers_for(path: str) -> dict[str, str]:
    """The security headers of the response to a request for this path."""
    part = path in PARTS or (path.startswith("/assets/") and path.endswith(PART_SUFFIXES))
    return PART_HEADERS if part else HEADERS


class Security:
    """Middleware that adds security headers to every response. It refuses requests for other hosts, and it refuses
    sockets and changes that come from other sites' pages."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], hosts: frozenset[str]) -> None:
        self.app = app
        self.origins = origins
        own = socket.gethostname().lower()
        self.hosts = {name.lower() for name in hosts} | {"localhost", own, f"{own}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(scope["path"]).items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is not None:
            count_refusal(scope, refusal)
        if refusal is None:
            await self.app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, refusal.code)(scope, receive, send)
        else:
            await refusal_response(refusal)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(host):
            # This prevents DNS rebinding, in which another site's name points to this server.
            return Refusal("wrong-host", "The server is not known by this name; its operator can add it to `hosts`.")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not self._welcome(headers.get("origin"), host):
            return Refusal("wrong-origin", "This request comes from another site's page.")
        return None

    def _is_own(self, host: str) -> bool:
        """Whether the Host header names this server. Browsers always send it; other clients need not."""
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
        """Whether the Origin header is allowed. Browsers always send it; other clients need not."""
        if origin is None or origin in self.origins:
            return True
        scheme, _, name = origin.partition("://")
        return scheme in ("http", "https") and name == host
