"""What the fuzzer cannot know from the OpenAPI document."""

import json
import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData

# Refusals of what JSON Schema cannot say: a cursor is opaque, parameters depend on others, a bank must have filed.
BEYOND_SCHEMA = (
    "lies before `from`",
    "lies below `min_",
    "cannot be given together with",
    "ever filed",
    "is of flat rows",
    "no source that is loaded knows",
    "must say whom",
    "was published here",
    "and the universe is",
    "less than the least of",
    "is given more than once",
)

# A nested answer, or one against the cohort or by groups, has columns and formats of its own; the document lists those of all.
OF_PARTS = ("there is no column", "not a format of this dataset")
WITH_PARTS = re.compile(r"/(loan-portfolio|complaints|hmda)/|/(banks|cus|holding-companies)/\d+/trends/")


def with_known(context, values):
    """Most institutions that are valid numbers become those of the examples: others are known to nobody."""
    for parameter in context.operation.definition.raw.get("parameters", []):
        name = parameter.get("name")
        if name not in ("rssd_id", "cu_number") or not values or "example" not in parameter:
            continue
        value = values.get(name)
        number = value[0] if isinstance(value, list) and value else value
        if type(number) is int and number > 0 and number % 4 != 0:
            values[name] = parameter["example"]
    return values


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return with_known(context, path_parameters)


@schemathesis.hook
def map_query(context, query):
    return with_known(context, query)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False for a refusal that the schema could not have told."""
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 400:
        return True
    problem = response.json()
    errors = problem.get("errors", [])
    reasons = BEYOND_SCHEMA + (OF_PARTS if WITH_PARTS.search(problem["instance"]) else ())
    return not errors or not all(
        error["parameter"] == "cursor" or any(reason in error["reason"] for reason in reasons)
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
