"""The built page: its files, and the one document that all its addresses show."""

import os
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ADDRESSES: Final = ("/", "/table/{id}", "/replay", "/replay/{id}", "/rules", "/rules/{name}", "/about")
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Grand Tour</title>
<h1>The page is not built</h1>
<p>The server runs, but its page has not been built yet: <code>make setup</code> does it.</p>
</html>
"""


class Files(StaticFiles):
    """The files of the page. Those in assets/ have their content in their name, so a browser may keep them."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        kept = Path(full_path).parent.name == "assets"
        response.headers["Cache-Control"] = FOR_EVER if kept else ASK_AGAIN
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            index = Path(str(self.directory)) / "index.html"
            # A person who mistyped an address gets the page, which says so; a program or a file gets the bare answer.
            if error.status_code != 404 or path.startswith("api") or Path(path).suffix or not index.is_file():
                raise
            return FileResponse(index, 404, headers={"Cache-Control": ASK_AGAIN})


def routes(folder: Path) -> list[BaseRoute]:
    index = folder / "index.html"

    async def document(request: Request) -> Response:
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        return FileResponse(index, headers={"Cache-Control": ASK_AGAIN})

    shown: list[BaseRoute] = [Route(address, document) for address in ADDRESSES]
    if folder.is_dir():
        shown.append(Mount("/", Files(directory=folder)))
    return shown
