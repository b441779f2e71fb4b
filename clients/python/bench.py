"""What the client costs beside the plainest code for the same: bench.py BASE_URL [KEY] (a premium key without limits).

Each round times both, one after the other, so that a busy machine is busy for both; the medians of the rounds are compared.
The CPU time is that of this process alone, whatever the server and the machine do meanwhile.
"""

import statistics
import sys
import time
import urllib.request
from collections.abc import Callable

import httpx
import pyarrow.ipc

from us_banking import Client

base, key = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
headers = {"accept-encoding": "identity", **({"authorization": f"Bearer {key}"} if key else {})}
client = Client(key, base, cache=False)
METRICS = [field.name for field in client.screener_dataset(limit=1).arrow().schema if field.metadata.get(b"unit") == b"percent"][:20]


def compared(plain: Callable[[], object], ours: Callable[[], object], calls: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Seconds a call of each: by the clock, and of the processor."""
    taken: dict[str, tuple[list[float], list[float]]] = {"clock": ([], []), "CPU": ([], [])}
    for _ in range(rounds + 1):
        for place, run in enumerate((plain, ours)):
            clock, cpu = time.perf_counter(), time.process_time()
            for _ in range(calls):
                run()
            taken["clock"][place].append((time.perf_counter() - clock) / calls)
            taken["CPU"][place].append((time.process_time() - cpu) / calls)
    # the first round warms up
    return {name: (statistics.median(a[1:]), statistics.median(b[1:])) for name, (a, b) in taken.items()}


bank = client.screen(sort="-total_assets", limit=1, fields="rssd_id").row()["rssd_id"]
with httpx.Client(base_url=base, headers=headers) as http:
    plain_code: dict[str, Callable[[], object]] = {
        "httpx and .json()": lambda: http.get(f"/api/v1/banks/{bank}/").json(),
        "httpx and pyarrow": lambda: pyarrow.ipc.open_stream(http.get(f"/api/v1/banks/{bank}/?format=arrow").content).read_all(),
    }
    for what, run in plain_code.items():
        for name, (plain, ours) in compared(run, lambda: client.bank(bank), 100, 9).items():
            print(f"snapshot, {name}: {what} {1 / plain:,.0f} a second, the client {1 / ours:,.0f}: {plain / ours:.0%}")

query = f"{base}/api/v1/screeners/panel/?metrics={','.join(METRICS)}&from=2000-01-01&format=arrow&min_total_assets="
asked = 0


def bound(new: bool) -> int:
    """An answer that was given before comes from the server's memory; one that was not is worked out."""
    global asked
    asked += new
    return -asked


def plainly(new: bool) -> pyarrow.Table:
    with urllib.request.urlopen(urllib.request.Request(f"{query}{bound(new)}", headers=headers)) as answer:
        return pyarrow.ipc.open_stream(answer).read_all()


def by_client(new: bool) -> pyarrow.Table:
    return client.panel(metrics=METRICS, from_="2000-01-01", min_total_assets=bound(new)).arrow()


def by_httpx(new: bool) -> pyarrow.Table:
    return pyarrow.ipc.open_stream(http.get(f"{query}{bound(new)}").content).read_all()


assert plainly(False).equals(table := by_client(False))
with httpx.Client(headers=headers, timeout=60) as http:
    for new in (True, False):
        for what, read in {"urllib": plainly, "httpx": by_httpx}.items():
            for name, (plain, ours) in compared(lambda: read(new), lambda: by_client(new), 1, 15).items():
                told = f"panel of {table.num_rows:,} × {len(METRICS)}, {'new' if new else 'seen before'}, {name}"
                print(f"{told}: {what} and pyarrow {plain * 1e3:,.0f} ms, the client {ours * 1e3:,.0f} ms: {ours / plain - 1:+.0%}")
