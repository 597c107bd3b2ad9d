"""The OpenAPI description of the HTTP part, generated from the types of requests and responses."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from grandtour import __version__
from grandtour.server.http.requests import RefusalBody

if TYPE_CHECKING:
    from grandtour.server.http.endpoint import Endpoint

TEXT = {"text/plain": {"schema": {"type": "string"}}}


def openapi(endpoints: Iterable["Endpoint"]) -> dict[str, Any]:
    """An OpenAPI document for these endpoints."""
    listed = list(endpoints)
    kinds = [kind for endpoint in listed for kind in (endpoint.response, endpoint.body) if kind not in (None, ...)]
    schemas, components = msgspec.json.schema_components(
        [*kinds, RefusalBody], ref_template="#/components/schemas/{name}"
    )
    known = list(zip([*kinds, RefusalBody], schemas, strict=True))

    def content(kind: Any) -> dict[str, Any]:
        if kind is None:
            return TEXT
        return {"application/json": {"schema": next(schema for known_kind, schema in known if known_kind == kind)}}

    paths: dict[str, Any] = {}
    for endpoint in listed:
        described: dict[str, Any] = {
            "summary": endpoint.summary,
            "operationId": endpoint.handle.__name__,
            "parameters": _parameters(endpoint),
            "responses": {
                "200": {"description": "Done.", "content": content(endpoint.response)},
                "4XX": {"description": "Refused; nothing has changed.", "content": content(RefusalBody)},
            },
        }
        if endpoint.body is not ...:
            described["requestBody"] = {"required": True, "content": content(endpoint.body)}
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Grand Tour", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _parameters(endpoint: "Endpoint") -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]
    in_query = [
        {"name": name, "in": "query", "required": False, "schema": {"type": "integer"}} for name in endpoint.query
    ]
    return in_path + in_query
