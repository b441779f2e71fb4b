"""What the fuzzer cannot know from the OpenAPI document."""

import json

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

# Refusals of what JSON Schema cannot say: a cursor is opaque, parameters depend on others, a bank must have filed.
BEYOND_SCHEMA = ("lies before `from`", "cannot be given together with", "ever filed")


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False for a refusal that the schema could not have told."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return True
    errors = response.json().get("errors", [])
    return not errors or not all(
        error["parameter"] == "cursor" or any(reason in error["reason"] for reason in BEYOND_SCHEMA)
        for error in errors
    )


@schemathesis.deserializer("application/x-ndjson")
def rows(context, response):
    """The schema is that of a row: the first one stands for all, as the writer is the same."""
    first = response.content.split(b"\n", 1)[0]
    return json.loads(first) if first else {}


@schemathesis.deserializer("application/vnd.columns+json")
def columns(context, response):
    return json.loads(response.content)
