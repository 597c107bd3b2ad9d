"""Web Push: notices that a browser shows even if no page is open. It needs the extra `grandtour[push]`.

pywebpush encrypts and signs; `outgoing.py` checks the address and sends the request.
"""

import base64
import binascii
import importlib.util
import json
import time
from typing import Final
from urllib.parse import urlsplit

from grandtour.server.people.outgoing import bad_endpoint
from grandtour.server.storage.notice_store import Subscription

POINT_BYTES: Final = 65
AUTH_BYTES: Final = 16
TTL: Final = 24 * 3600
"""Seconds for which a push service keeps a notice for a browser that is not running."""
SIGNATURE_LIFETIME: Final = 12 * 3600
"""Seconds for which a signature is valid. The standard allows one day at most."""
TOPIC: Final = "grandtour"
"""All notices have the same topic, so the push service delivers, and the browser shows, only the newest."""


def available() -> bool:
    return importlib.util.find_spec("pywebpush") is not None


def new_key() -> str:
    """A key with which the server signs its notices (VAPID), as PEM."""
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    pem: bytes = vapid.private_pem()
    return pem.decode()


def public_key(key: str) -> str:
    """The public part of a key, as browsers need it to subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    vapid = Vapid02.from_pem(key.encode())
    point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def check_keys(receiver: str, auth: str) -> None:
    """Refuse keys that cannot come from a browser."""
    point, secret = _decoded(receiver), _decoded(auth)
    if len(point) != POINT_BYTES or point[0] != 4 or len(secret) != AUTH_BYTES:
        raise bad_endpoint("These are not the keys of a browser.")


def request_for(subscription: Subscription, text: bytes, key: str, contact: str) -> tuple[dict[str, str], bytes]:
    """The headers and the body of the request that sends a text to a browser."""
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    keys = {"p256dh": subscription.receiver, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    body: bytes = pusher.encode(text)["body"]
    endpoint = urlsplit(subscription.endpoint)
    claims = {
        "sub": contact,
        "aud": f"{endpoint.scheme}://{endpoint.netloc}",
        "exp": int(time.time()) + SIGNATURE_LIFETIME,
    }
    signed = Vapid02.from_pem(key.encode()).sign(claims)
    headers = {
        "Authorization": str(signed["Authorization"]),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL),
        "Urgency": "normal",
        "Topic": TOPIC,
    }
    return headers, body


def payload(title: str, body: str, url: str) -> bytes:
    """The JSON that the page's service worker reads."""
    return json.dumps({"title": title, "body": body, "url": url, "tag": TOPIC}, ensure_ascii=False).encode()


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
