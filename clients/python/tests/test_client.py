from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Final

import httpx
import pandas
import pytest

import us_banking
from us_banking import AnswerCut, AsyncClient, Client, Document, Progress, Table
from us_banking._datasets import ENDPOINTS

from conftest import KEY, URL, CuttingProxy

PANEL: Final = ("roa", "total_assets")


def json_of(path: str) -> dict[str, object]:
    answer = httpx.get(URL + path, headers={"authorization": f"Bearer {KEY}"})
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


def test_a_screen_is_what_json_says(client: Client) -> None:
    table = client.screen(min_total_assets=100_000, fields=["rssd_id", "legal_name", "total_assets"], sort="-total_assets")
    told = json_of("/api/v1/screeners/banks/?min_total_assets=100000&fields=rssd_id,legal_name,total_assets&sort=-total_assets")
    assert table.rows() == told["data"]
    assert len(table) > 10
    assert table.meta == told["meta"]
    assert table.units == {"total_assets": "thousands of US dollars"}
    assert table.synthetic and table.data_version and table.sources


def test_every_reader_has_the_same_figures(client: Client) -> None:
    table = client.screen(fields=["report_date", "total_assets"])
    total = sum(row["total_assets"] for row in table.rows())
    frame = table.pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["total_assets"].sum() == pytest.approx(total)
    assert str(frame["report_date"].dtype).startswith("datetime64")
    assert frame.attrs["units"] == table.units and frame.attrs["data_version"] == table.data_version
    assert table.polars()["total_assets"].sum() == pytest.approx(total)
    found = table.duckdb().aggregate("sum(total_assets), count(*)").fetchone()
    assert found is not None and found[0] == pytest.approx(total) and found[1] == len(table)
    assert table.arrow().schema.field("total_assets").metadata[b"unit"] == b"thousands of US dollars"


def test_answers_are_tables_or_documents_as_their_types_say(client: Client, bank: int) -> None:
    assert client.bank(bank).row()["rssd_id"] == bank
    assert len(client.bank_peers(bank, n=3)) == 3
    assert isinstance(client.get("bank-peers", rssd_id=bank, n=3), Table)
    scorecard = client.bank_scorecard(bank)
    assert isinstance(scorecard, Document) and scorecard["rssd_id"] == bank
    assert isinstance(client.bank_loan_portfolio(bank), Document)
    assert isinstance(client.bank_loan_portfolio(bank, part="composition"), Table)


def test_every_example_of_the_api_answers_by_its_method(client: Client) -> None:
    """Addresses that the server shows, asked for by key: types, paths and formats of the generated table are right."""
    document = json_of("/api/v1/openapi.json")
    paths: dict[str, dict[str, dict[str, object]]] = document["paths"]  # type: ignore[assignment]
    tried = 0
    for key, endpoint in ENDPOINTS.items():
        operation = paths[endpoint.path]["get"]
        if key.startswith("watchlist") or not operation.get("x-examples"):
            continue
        example = httpx.URL(operation["x-examples"][0]["url"])  # type: ignore[index]
        if "{" in example.path or "%7B" in str(example):
            continue
        values = zip(endpoint.path.split("/"), example.path.split("/"), strict=True)
        arguments: dict[str, str] = {name[1:-1]: value for name, value in values if name.startswith("{")}
        arguments.update((name, value) for name, value in example.params.items() if name != "format")
        answer = client.get(key, **arguments)  # type: ignore[call-overload]
        assert answer.meta["dataset"] and isinstance(answer, (Table, Document)), key
        tried += 1
    assert tried > 60


def test_a_problem_says_what_the_server_says(client: Client, bank: int) -> None:
    with pytest.raises(us_banking.InvalidParameter) as refused:
        client.screen(min_total_asset=1)  # type: ignore[call-arg]
    assert "min_total_asset: bank-screener has no such parameter" in str(refused.value)
    assert refused.value.suggestion == "min_total_assets"
    assert refused.value.faults[0].parameter == "min_total_asset"
    with pytest.raises(us_banking.NotFound, match="the bank with RSSD ID 1 is unknown"):
        client.bank(1)
    with pytest.raises(us_banking.KeyRequired), Client(None, URL, cache=False) as nobody:
        nobody.panel(metrics=PANEL)
    with pytest.raises(ValueError, match="did you mean “bank-peers”"):
        client.get("bank-peerz", rssd_id=bank)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="metrics is empty"):
        client.panel(metrics=[])
    with pytest.raises(us_banking.Unreachable), Client(None, "http://127.0.0.1:9", cache=False, max_wait=1) as lost:
        lost.screen()


def test_pages_are_the_whole_without_a_row_twice(client: Client) -> None:
    pages = [page.arrow()["rssd_id"].to_pylist() for page in client.pages(client.screen(limit=50, fields="rssd_id"))]
    assert len(pages) > 1
    assert [one for page in pages for one in page] == client.screen(fields="rssd_id").arrow()["rssd_id"].to_pylist()


def test_what_has_not_changed_is_read_from_disk_and_costs_nothing(tmp_path: Path) -> None:
    limited = os.environ["BANKING_LIMITED_URL"]
    with Client(os.environ["BANKING_LIMITED_KEY"], limited, cache=tmp_path / "kept") as client:
        first = client.screen(fields="rssd_id")
        used = client.account()["allowance"]["used"]
        again = client.screen(fields="rssd_id")
        assert again.rows() == first.rows() and again.meta == first.meta
        assert client.account()["allowance"]["used"] == used
        [file] = (tmp_path / "kept").iterdir()
        file.write_bytes(file.read_bytes()[:-5])
        assert client.screen(fields="rssd_id").rows() == first.rows()
        assert client.account()["allowance"]["used"] == used + 1


def test_the_cache_stays_within_its_bound(tmp_path: Path) -> None:
    most = 64 * 1024
    with Client(KEY, URL, cache=tmp_path, cache_bytes=most) as client:
        for limit in range(1, 60):
            client.screen(fields=["rssd_id", "legal_name"], limit=limit)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert 10 < len(sizes) < 59 and sum(sizes) <= most


def test_who_is_told_to_come_later_waits_within_the_limit(tmp_path: Path) -> None:
    """The second server takes 3 requests a second and 30 a day."""
    url, key = os.environ["BANKING_LIMITED_URL"], os.environ["BANKING_LIMITED_KEY"]
    with Client(key, url, cache=False) as patient:
        assert [len(patient.screen(limit=n)) for n in range(1, 9)] == list(range(1, 9))
    with Client(key, url, cache=False, max_wait=0) as hasty, pytest.raises(us_banking.TooManyRequests) as refused:
        for n in range(1, 9):
            hasty.screen(limit=n)
    assert refused.value.retry_after is not None and refused.value.retry_after >= 1
    with Client(key, url, cache=False) as patient:
        started = time.monotonic()
        with pytest.raises(us_banking.AllowanceUsedUp):
            for n in range(1, 32):
                patient.screen(limit=n)
        # until midnight: nobody waits for that
        assert time.monotonic() - started < 60


def test_a_cut_panel_goes_on_where_it_broke_off(client: Client) -> None:
    whole = client.panel(metrics=PANEL)
    quarters = sorted({row["report_date"] for row in whole.rows()})
    size = len(httpx.get(f"{URL}/api/v1/screeners/panel/?metrics=roa,total_assets&format=arrow", headers={"authorization": f"Bearer {KEY}"}).content)
    for cuts in ([size // 2], [size // 3, size // 4, 20], [size - 9]):
        proxy = CuttingProxy(list(cuts))
        seen: list[Progress] = []
        with Client(KEY, proxy.url, cache=False, progress=seen.append) as cut:
            table = cut.panel(metrics=PANEL)
        proxy.close()
        assert table.rows() == whole.rows()
        assert table.meta == whole.meta
        assert len(proxy.requests) == len(cuts) + 1
        assert seen[-1].rows == len(whole)
    assert len(quarters) > 2


def test_a_panel_in_many_batches_asks_only_for_the_quarters_it_lacks(client: Client) -> None:
    from us_banking._exchange import Pieces

    table = client.panel(metrics=PANEL).arrow()
    pieces = Pieces("report_date")
    for batch in table.to_batches(max_chunksize=100)[:-1]:
        pieces.add(batch)
    quarter = pieces.keep_whole_quarters()
    [kept] = pieces.whole
    assert quarter and kept.num_rows == pieces.rows > 0
    assert kept.equals(table.slice(0, kept.num_rows))
    rest = client.panel(metrics=PANEL, from_=quarter).arrow()
    assert kept.num_rows + rest.num_rows == table.num_rows


def test_what_breaks_off_again_and_again_is_no_answer() -> None:
    proxy = CuttingProxy([2000] * 50)
    with Client(KEY, proxy.url, cache=False) as cut, pytest.raises(AnswerCut, match="broke off"):
        cut.panel(metrics=PANEL)
    proxy.close()
    assert 2 < len(proxy.requests) < 10


def test_the_awaited_client_answers_the_same(client: Client, bank: int) -> None:
    async def ask() -> list[Table]:
        async with AsyncClient(KEY, URL, cache=False) as awaited:
            with pytest.raises(us_banking.NotFound):
                await awaited.bank(1)
            pages = [page async for page in awaited.pages(await awaited.screen(limit=70, fields="rssd_id"))]
            assert len(pages) > 1
            return list(await asyncio.gather(awaited.bank(bank), awaited.bank_peers(bank), awaited.panel(metrics=PANEL)))

    expected = [client.bank(bank), client.bank_peers(bank), client.panel(metrics=PANEL)]
    assert [one.rows() for one in asyncio.run(ask())] == [one.rows() for one in expected]


def test_the_bar_ends_with_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    with Client(KEY, URL, cache=False, progress=True) as shown:
        rows = len(shown.panel(metrics=PANEL))
    assert f"{rows:,} rows" in capsys.readouterr().err
