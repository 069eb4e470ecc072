"""Every operation of openapi.json can be called, and those of `/v1/saas` have a method with all of their fields.

Seen to fail: with an operation added to openapi.json after the generated part was made, and with the parameter `seed` taken
out of `Speech.stream`.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import lectern
from lectern import operations

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).resolve().parents[3] / "openapi.json").read_text())
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
# What an API key can call, or anybody; not the web application's routes, nor those that other people's clients know.
WITH_METHODS = {
    name
    for name, (_, path, _) in OPERATIONS.items()
    if path.startswith(("/v1/saas/", "/media/", "/feeds/", "/openapi.json"))
}
# An argument for each name of a parameter that has no default.
ARGUMENTS: dict[str, Any] = {
    "entries": [{"word": "a", "alias": "b"}],
    "events": ["chunk.completed"],
    "file": b"text",
    "index": 3,
    "picture": b"\x89PNG",
    "pls": b"<lexicon/>",
    "quotes": [{"chunk_index": 0, "start": 0, "speaker": None}],
    "scopes": ["read"],
    "speakers": [{"name": "Ines", "ereader_id": "erd_1"}],
    "url": "http://test/media/x.mp3?expires=1&signature=2",
}


def resolved(item: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in item:
        node: Any = DOCUMENT
        for part in item["$ref"].removeprefix("#/").split("/"):
            node = node[part]
        item = node
    return item


def declared(name: str) -> tuple[set[str], set[str]]:
    """The query parameters and the fields of the body."""
    operation = OPERATIONS[name][2]
    parameters = [resolved(item) for item in operation.get("parameters", [])]
    query = {item["name"] for item in parameters if item["in"] == "query"}
    fields: set[str] = set()
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if kind in ("application/json", "multipart/form-data"):
            fields |= set(resolved(content["schema"]).get("properties", {}))
    return query, fields


class Recorder:
    """Answers everything, and keeps which operation was sent what."""

    def __init__(self) -> None:
        self.query: dict[str, set[str]] = {}
        self.fields: dict[str, set[str]] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        name = self._operation(request.method, request.url.raw_path.decode().partition("?")[0])
        self.query.setdefault(name, set()).update(request.url.params)
        body = request.read()
        kind = request.headers.get("content-type", "")
        sent = set(json.loads(body)) if body and kind == "application/json" else set()
        if kind.startswith("multipart/"):
            sent = set(re.findall(r'; name="(\w+)"', body.decode()))
        self.fields.setdefault(name, set()).update(sent)
        return httpx.Response(200, json={"data": [], "progress": 1})

    def _operation(self, method: str, path: str) -> str:
        found = [
            name
            for name, (verb, template, _) in OPERATIONS.items()
            if verb == method and re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)), path)
        ]
        # `/materials/{id}` is matched by nothing but itself, `/voices/search` might be by `/voices/{id}`.
        return min(found, key=lambda name: OPERATIONS[name][1].count("{"))

    def open_socket(self, config: Any, operation: Any, start: dict[str, Any]) -> Any:
        self.fields.setdefault(operation.id, set()).update(start)
        return contextlib.nullcontext()


def used(result: Any) -> None:
    """Makes the request that a method puts off."""
    if isinstance(result, contextlib.AbstractContextManager) and not isinstance(result, Path):
        with result as stream:
            if hasattr(stream, "read"):
                stream.read()
    elif hasattr(result, "__iter__") and not isinstance(result, (str, dict, list)):
        list(result)


def call_everything(client: lectern.Lectern, folder: str) -> None:
    """Calls each method of each resource, with all of its parameters."""
    for name, resource in vars(client).items():
        if name.startswith("_"):
            continue
        for method_name, method in inspect.getmembers(resource, inspect.ismethod):
            if method_name.startswith("_"):
                continue
            if method_name == "download":
                given: dict[str, Any] = {"to": Path(folder, "x.m4b")}
                given["url" if name == "files" else "id"] = ARGUMENTS["url"] if name == "files" else "mat_1"
                used(method(**given))
                continue
            arguments = {}
            for parameter in inspect.signature(method).parameters.values():
                if parameter.name in ("timeout", "progress", "on_event", "on_assembling", "idempotency_key"):
                    continue
                boolean = "bool" in str(parameter.annotation)
                arguments[parameter.name] = True if boolean else ARGUMENTS.get(parameter.name, "x")
                if parameter.name == "speakers" and name == "speech":
                    arguments["speakers"] = {"Ines": "erd_1"}
                if parameter.name == "last_event_id":
                    arguments["last_event_id"] = 1
            used(method(**arguments))


class Coverage(unittest.TestCase):
    def setUp(self) -> None:
        self.recorder = Recorder()
        http = httpx.Client(transport=httpx.MockTransport(self.recorder))
        self.client = lectern.Lectern("svc_test_x", base_url="http://test", http_client=http)

    def test_every_operation_can_be_called(self) -> None:
        self.assertEqual(set(operations.ALL), set(OPERATIONS))
        for name, operation in operations.ALL.items():
            method, path, document = OPERATIONS[name]
            parameters = [resolved(item) for item in document.get("parameters", [])]
            self.assertEqual((operation.method, operation.path), (method, path))
            self.assertEqual(operation.idempotent, any(item["name"] == "Idempotency-Key" for item in parameters), name)
            names = {item["name"]: "a b/c" for item in parameters if item["in"] == "path"}
            self.client.request(operation, path=names)
        self.assertEqual(set(self.recorder.query), set(OPERATIONS))

    def test_every_operation_for_keys_has_a_method_with_all_fields(self) -> None:
        patched = mock.patch("lectern._sync.resources.open_socket", self.recorder.open_socket)
        with patched, tempfile.TemporaryDirectory() as folder:
            call_everything(self.client, folder)
            feed = "http://test/feeds/mat_1/secret/feed.xml"
            with self.client.files.open(feed) as stream:
                stream.read()
        self.assertEqual(WITH_METHODS - set(self.recorder.fields), set())
        for name in WITH_METHODS:
            query, fields = declared(name)
            if name == "open_socket":
                fields = declared("stream")[1] - {"text"}
            self.assertEqual(query - self.recorder.query.get(name, set()), set(), f"{name}: query")
            self.assertEqual(fields ^ self.recorder.fields[name], set(), f"{name}: body")

    def test_the_client_with_async_has_the_same_methods(self) -> None:
        other = lectern.AsyncLectern("svc_test_x", base_url="http://test")
        for name, resource in vars(self.client).items():
            if not name.startswith("_"):
                mine = [one for one in dir(resource) if not one.startswith("_")]
                theirs = [one for one in dir(getattr(other, name)) if not one.startswith("_")]
                self.assertEqual(mine, theirs)

    def test_every_code_has_a_class(self) -> None:
        codes = DOCUMENT["components"]["schemas"]["ErrorCode"]["enum"]
        self.assertEqual(sorted(lectern.errors.BY_CODE), sorted(codes))
        for name in lectern.errors.BY_CODE.values():
            self.assertTrue(issubclass(name, lectern.APIError))


if __name__ == "__main__":
    unittest.main()
