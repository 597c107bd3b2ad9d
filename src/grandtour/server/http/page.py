"""The built page: its files, and the HTML document that all its addresses return."""

import mimetypes
import os
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGE_PATHS: Final = (
    "/",
    "/table/{id}",
    "/replay",
    "/replay/{id}",
    "/rules",
    "/rules/{name}",
    "/about",
    "/passport",
    "/games",
    "/daily",
    "/people/{id}",
    "/compare/{id}/{other}",
)
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""The compressions of the page's text files, smallest first, and their file extensions."""
NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Grand Tour</title>
<h1>The page is not built</h1>
<p>The server runs, but its page has not been built yet. Run <code>make setup</code>.</p>
</html>
"""


mimetypes.add_type("application/manifest+json", ".webmanifest")


def accepted_encodings(header: str) -> set[str]:
    """The encodings in a browser's Accept-Encoding header."""
    offers = (offer.partition(";") for offer in header.lower().split(","))
    return {name.strip() for name, _, weight in offers if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00")}


def compressed_variant(file: Path, encodings: set[str]) -> tuple[Path, str | None]:
    """The smallest variant of a file that the browser accepts, and its encoding."""
    for encoding, suffix in ENCODINGS.items():
        smaller = file.with_name(file.name + suffix)
        if encoding in encodings and smaller.is_file():
            return smaller, encoding
    return file, None


def document_response(file: Path, headers: Headers, status: int = 200) -> Response:
    """The HTML document, in the smallest variant that the browser accepts."""
    found, encoding = compressed_variant(file, accepted_encodings(headers.get("accept-encoding", "")))
    response_headers = {"Cache-Control": REVALIDATE, "Vary": "Accept-Encoding"}
    if encoding is not None:
        response_headers["Content-Encoding"] = encoding
    return FileResponse(found, status, headers=response_headers, media_type="text/html")


class Files(StaticFiles):
    """The files of the page. Those in assets/ have a hash of their content in their name, so a browser may cache them
    forever."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        found, encoding = compressed_variant(
            Path(full_path), accepted_encodings(Headers(scope=scope).get("accept-encoding", ""))
        )
        if encoding is not None:
            full_path, stat_result = found, found.stat()
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Vary"] = "Accept-Encoding"
        if encoding is not None:
            response.headers["Content-Encoding"] = encoding
        immutable = Path(full_path).parent.name == "assets"
        response.headers["Cache-Control"] = CACHE_FOREVER if immutable else REVALIDATE
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            index = Path(str(self.directory)) / "index.html"
            # A browser that asks for an unknown address gets the page, which says so; other clients get a plain 404.
            if error.status_code != 404 or path.startswith("api") or Path(path).suffix or not index.is_file():
                raise
            return document_response(index, Headers(scope=scope), 404)


def routes(folder: Path) -> list[BaseRoute]:
    index = folder / "index.html"

    async def document(request: Request) -> Response:
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        return document_response(index, request.headers)

    found: list[BaseRoute] = [Route(address, document) for address in PAGE_PATHS]
    if folder.is_dir():
        found.append(Mount("/", Files(directory=folder)))
    return found
