"""The peer FastAPI + DuckDB + orjson: an endpoint a kind of question over tables made once from Parquet.

Arguments: the database file and the port. `--fill` with names, Parquet files and orders of tables makes the database.
"""

import io
import json
import os
import sys
import threading

import duckdb
import orjson
import pyarrow as pa
import pyarrow.csv
import uvicorn
from fastapi import FastAPI, Request, Response

FIVE = "[0, 0.25, 0.5, 0.75, 1]"


def fill(database, *given):
    making = database + ".making"
    if os.path.exists(making):
        os.remove(making)
    with duckdb.connect(making) as connection:
        for table, path, order in zip(given[0::3], given[1::3], given[2::3]):
            connection.execute(f"CREATE TABLE {table} AS SELECT * FROM read_parquet(?) ORDER BY {order}", [path])
    os.rename(making, database)


app = FastAPI()
local = threading.local()


def cursor():
    """A cursor of this thread: DuckDB runs those of several threads at once."""
    if not hasattr(local, "cursor"):
        local.cursor = app.state.database.cursor()
    return local.cursor


def answer(sql, parameters, form):
    result = cursor().execute(sql, parameters)
    if form == "json":
        names = [column[0] for column in result.description]
        return Response(orjson.dumps([dict(zip(names, row)) for row in result.fetchall()]), media_type="application/json")
    table = result.to_arrow_table()
    out = io.BytesIO()
    if form == "csv":
        pyarrow.csv.write_csv(table, out)
        return Response(out.getvalue(), media_type="text/csv")
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return Response(out.getvalue(), media_type="application/vnd.apache.arrow.stream")


def known(request, name):
    """Column names of the request, each one of the catalog: nothing else reaches SQL text."""
    names = request.query_params[name].split(",")
    for one in names:
        if one not in app.state.columns:
            raise ValueError(f"there is no column {one}")
    return names


def condition(column, wanted, values):
    if isinstance(wanted, list):
        if not all(isinstance(one, str) for one in wanted):
            return f"{column} IN ({', '.join(str(int(one)) for one in wanted)})"
        values.update({f"{column}_{at}": one for at, one in enumerate(wanted)})
        return f"{column} IN ({', '.join(f'${column}_{at}' for at in range(len(wanted)))})"
    values[column] = wanted
    return f"{column} = ${column}"


@app.get("/rows")
def rows(request: Request):
    asked = json.loads(request.query_params["question"])
    order = [(one.lstrip("-"), " DESC" if one.startswith("-") else "") for one in asked["order"]]
    after = asked.get("after", {})
    own = app.state.tables[asked["table"]]
    for one in [*asked["columns"], *asked["where"], *after, *(name for name, _ in order)]:
        if one not in own:
            raise ValueError(f"there is no column {one} in {asked['table']}")
    values = {}
    conditions = [condition(column, wanted, values) for column, wanted in asked["where"].items()]
    if after:
        first, second = after
        values |= after
        conditions.append(
            f"{first} <= CAST(${first} AS DATE) AND ({first} < CAST(${first} AS DATE) OR {second} > ${second})"
        )
    limit = f" LIMIT {int(asked['limit'])}" if "limit" in asked else ""
    sql = (
        f"SELECT {', '.join(asked['columns'])} FROM {asked['table']} WHERE {' AND '.join(conditions)} "
        f"ORDER BY {', '.join(name + way for name, way in order)}{limit}"
    )
    return answer(sql, values, "json")


def form(request):
    return request.query_params.get("format", "json")


@app.get("/banks/{bank}")
def snapshot(bank: int, request: Request):
    return answer("SELECT * FROM latest WHERE rssd_id = $bank", {"bank": bank}, form(request))


@app.get("/screen")
def screen(request: Request):
    columns = ", ".join(known(request, "columns"))
    if "state" not in request.query_params:
        return answer(f"SELECT {columns} FROM latest ORDER BY rssd_id", {}, form(request))
    sql = f"SELECT {columns} FROM latest WHERE hq_state = $state AND total_assets >= $least ORDER BY rssd_id"
    values = {"state": request.query_params["state"], "least": float(request.query_params["least"])}
    return answer(sql, values, form(request))


@app.get("/banks/{bank}/series")
def series(bank: int, request: Request):
    metrics = ", ".join(known(request, "metrics"))
    sql = f"SELECT rssd_id, report_date, {metrics} FROM history WHERE rssd_id = $bank ORDER BY report_date"
    return answer(sql, {"bank": bank}, form(request))


@app.get("/panel")
def panel(request: Request):
    columns = ", ".join(["rssd_id", "report_date", "legal_name", "hq_state", *known(request, "metrics")])
    states = request.query_params.get("states")
    where = "" if states is None else " WHERE hq_state IN (SELECT unnest($states))"
    values = {} if states is None else {"states": states.split(",")}
    return answer(f"SELECT {columns} FROM history{where} ORDER BY report_date, rssd_id", values, form(request))


@app.get("/banks/{bank}/rank")
def rank(bank: int, request: Request):
    metrics = known(request, "metrics")
    counts = ", ".join(
        f"max(own.{m}) AS {m}_value, count(*) FILTER (WHERE b.{m} < own.{m}) AS {m}_below, "
        f"count(*) FILTER (WHERE b.{m} = own.{m}) AS {m}_equal, count(b.{m}) AS {m}_ranked"
        for m in metrics
    )
    figures = ", ".join(figures_of(m) for m in metrics)
    sql = (
        f"SELECT banks, {figures} FROM (SELECT count(*) AS banks, {counts} FROM latest AS b JOIN "
        f"(SELECT cohort, {', '.join(metrics)} FROM latest WHERE rssd_id = $bank) AS own ON b.cohort = own.cohort)"
    )
    return answer(sql, {"bank": bank}, form(request))


def figures_of(metric):
    below, equal, ranked = (f"{metric}_{what}" for what in ("below", "equal", "ranked"))
    better = below if app.state.directions[metric] == "lower" else f"{ranked} - {below} - {equal}"
    given = f"CASE WHEN {metric}_value IS NULL THEN NULL ELSE"
    percentile = f"CAST(100 AS DOUBLE) * ({below} + {equal} / 2) / {ranked}"
    return f"{metric}_value, {given} {better} + 1 END AS {metric}_rank, {ranked}, {given} {percentile} END AS {metric}_percentile"


@app.get("/summary")
def summary(request: Request):
    figures = ", ".join(f"count({m}) AS {m}_count, quantile_cont({m}, {FIVE}) AS {m}_five" for m in known(request, "metrics"))
    return answer(f"SELECT cohort, {figures} FROM latest WHERE cohort <> '' GROUP BY cohort", {}, form(request))


if __name__ == "__main__":
    if sys.argv[1] == "--fill":
        fill(*sys.argv[2:])
    else:
        database, port = sys.argv[1:3]
        app.state.database = duckdb.connect(database, read_only=True)
        app.state.directions = json.loads(os.environ["DIRECTIONS"])
        names = [row[0] for row in app.state.database.execute("SHOW TABLES").fetchall()]
        described = {name: app.state.database.execute(f"DESCRIBE {name}").fetchall() for name in names}
        app.state.tables = {name: {row[0] for row in columns} for name, columns in described.items()}
        app.state.columns = app.state.tables["latest"]
        uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)
