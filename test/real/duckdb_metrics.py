"""Metrics of the Call Report a second time: DuckDB over the FFIEC's bulk files, sharing no code with the project.

usage: duckdb_metrics.py FOLDER OUTPUT QUARTER...   (QUARTER: 2018-12-31; the four quarters before are read too)

Writes one CSV row a bank and quarter. The definitions are written down again from FDIC's and the UBPR's texts.
Averages take no account of mergers: that part of FDIC's definition has a test of its own.
"""

import csv
import datetime
import io
import os
import re
import sys
import tempfile
import zipfile

import duckdb

CODES = """2170 2200 3210 B528 5369 3123 1403 1407 1406 2150 2143 1754 JJ34 1773 1772 1771 JA22 0071 0081 B987 B989
3545 3543 2365 F158 F159 1460 F161 2746 6631 8274 A224 A223 P859 3792""".split()
INCOME = "4340 4074 4079 4093 4107 4073 4635 4605 4150 C216 C232 JJ33 4230".split()
SERIES = ["RCFD", "RCON", "RCFN", "RCFA", "RCOA"]
WANTED = {s + c for s in SERIES for c in CODES} | {"RIAD" + c for c in INCOME}


def quarter_ends(quarter):
    """The quarter and the four before it, newest first."""
    day = datetime.date.fromisoformat(quarter)
    ends = []
    for _ in range(5):
        ends.append(day.isoformat())
        first = day.replace(day=1)
        for _ in range(2):
            first = (first - datetime.timedelta(days=1)).replace(day=1)
        day = first - datetime.timedelta(days=1)
    return ends


def read_quarter(folder, quarter):
    """A dict of items for each filer of a quarter."""
    year, month, day = quarter.split("-")
    path = os.path.join(folder, f"FFIEC CDR Call Bulk All Schedules {month}{day}{year}.zip")
    banks = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if " Schedule " not in name or re.search(r"Schedule (NARR|RIE|CI|GI|GL|ENT|SU) ", name):
                continue
            lines = archive.read(name).decode("latin-1").split("\r\n")
            header = [cell.strip('"') for cell in lines[0].split("\t")]
            columns = [(i, code) for i, code in enumerate(header) if code in WANTED]
            if not columns:
                continue
            for line in lines[2:]:
                cells = line.split("\t")
                if not cells[0].isdigit():
                    continue
                bank = banks.setdefault(int(cells[0]), {})
                for i, code in columns:
                    if i < len(cells) and cells[i] != "":
                        bank[code] = float(cells[i])
    return banks


def load(folder, quarters, connection):
    codes = sorted(WANTED)
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["quarter", "rssd_id", *codes])
        for quarter in sorted(quarters):
            for rssd_id, items in read_quarter(folder, quarter).items():
                writer.writerow([quarter, rssd_id, *(items.get(code, "") for code in codes)])
        file.flush()
        columns = ", ".join(f"'{code}': 'DOUBLE'" for code in codes)
        connection.execute(
            f"CREATE TABLE filings AS SELECT * FROM read_csv('{file.name}', header = true, "
            f"columns = {{'quarter': 'DATE', 'rssd_id': 'UINTEGER', {columns}}})"
        )


def balance(code):
    return f"coalesce(RCFD{code}, RCON{code})"


def capital(code):
    return f"coalesce(RCFA{code}, RCOA{code})"


AMOUNTS = f"""
CREATE TABLE amounts AS
SELECT quarter, rssd_id, year(quarter) AS year, quarter(quarter) AS q,
  {balance('2170')} AS total_assets,
  {balance('B528')} + coalesce({balance('5369')}, 0) AS total_loans,
  {balance('3123')} AS allowance,
  RCON2200 + coalesce(RCFN2200, 0) AS total_deposits,
  RCON6631 + coalesce(RCFN6631, 0) AS noninterest_bearing,
  {balance('3210')} AS total_equity,
  coalesce({balance('1403')}, 0) + coalesce({balance('1407')}, 0) AS noncurrent,
  {balance('1406')} AS late,
  {balance('2150')} AS oreo, coalesce({balance('2143')}, 0) AS intangibles,
  coalesce({balance('JJ34')}, {balance('1754')}) AS htm, {balance('1773')} AS afs,
  {balance('1773')} - {balance('1772')} AS unrealized_gains_afs,
  {balance('1771')} - {balance('1754')} AS unrealized_gains_htm,
  coalesce({balance('0071')}, 0) + coalesce(RCONB987, 0) + coalesce({balance('B989')}, 0)
    + coalesce({balance('JA22')}, 0) + coalesce({balance('3545')}, 0)
    - CASE WHEN {balance('3545')} IS NULL THEN 0 ELSE coalesce({balance('3543')}, 0) END AS other_earning,
  -- The UBPR and FDIC take loans secured by real estate of each kind from domestic offices alone.
  coalesce(RCONF158, 0) + coalesce(RCONF159, 0) AS construction,
  coalesce(RCON1460, 0) + coalesce(RCONF161, 0) + coalesce({balance('2746')}, 0) AS other_cre,
  {capital('8274')} AS tier1, {capital('A224')} AS leverage_assets, {capital('A223')} AS rwa,
  {capital('P859')} AS cet1, {capital('3792')} AS total_capital,
  RCON2365 AS brokered,
  RIAD4340 AS net_income, RIAD4074 AS nii, RIAD4079 AS nonii, RIAD4093 AS nonix, RIAD4107 AS interest_income,
  RIAD4635 - coalesce(RIAD4605, 0) AS net_chargeoffs,
  coalesce(RIADC216, 0) + coalesce(RIADC232, 0) AS amortisation,
  coalesce(RIADJJ33, RIAD4230) AS provision
FROM filings
"""

METRICS = """
WITH earning AS (
  SELECT *, other_earning + coalesce(htm, 0) + coalesce(afs, 0) + total_loans - coalesce(allowance, 0) AS earning
  FROM amounts
), averaged AS (
  SELECT a.quarter, a.rssd_id,
    avg(b.total_assets) AS assets5, avg(b.total_loans) AS loans5, avg(b.earning) AS earning5,
    avg(b.total_equity) AS equity5
  FROM earning a JOIN earning b
    ON b.rssd_id = a.rssd_id AND b.quarter <= a.quarter
    AND (b.year = a.year OR (b.year = a.year - 1 AND b.q = 4))
  GROUP BY ALL
)
SELECT strftime(e.quarter, '%Y-%m-%d') AS report_date, e.rssd_id,
  e.total_assets, e.total_loans, e.total_deposits, e.total_equity, e.net_income,
  100 * e.net_income / nullif(assets5, 0) * 4 / e.q AS roa,
  CASE WHEN equity5 > 0 THEN 100 * e.net_income / equity5 * 4 / e.q END AS roe,
  100 * e.nii / nullif(earning5, 0) * 4 / e.q AS nim,
  100 * e.interest_income / nullif(earning5, 0) * 4 / e.q AS yield_on_earning_assets,
  100 * e.nonix / nullif(assets5, 0) * 4 / e.q AS noninterest_expense_ratio,
  100 * (e.nonix - e.amortisation) / nullif(e.nii + e.nonii, 0) AS efficiency_ratio,
  100 * e.net_chargeoffs / nullif(loans5, 0) * 4 / e.q AS net_chargeoffs_ratio,
  100 * e.provision / nullif(assets5, 0) * 4 / e.q AS provision_ratio,
  -- FDIC publishes 0 for a bank without loans.
  CASE WHEN e.total_loans = 0 THEN 0 ELSE 100 * e.noncurrent / e.total_loans END AS noncurrent_loans_ratio,
  100 * e.late / nullif(e.total_loans, 0) AS past_due_30_89_ratio,
  100 * e.allowance / nullif(e.total_loans, 0) AS allowance_ratio,
  CASE WHEN e.total_equity - e.intangibles + coalesce(e.allowance, 0) > 0
    THEN 100 * (e.noncurrent + coalesce(e.oreo, 0)) / (e.total_equity - e.intangibles + coalesce(e.allowance, 0))
  END AS texas_ratio,
  100 * e.tier1 / nullif(e.leverage_assets, 0) AS tier1_leverage_ratio,
  100 * e.cet1 / nullif(e.rwa, 0) AS cet1_ratio,
  100 * e.total_capital / nullif(e.rwa, 0) AS total_capital_ratio,
  100 * (e.construction + e.other_cre) / nullif(e.tier1 + e.allowance, 0) AS cre_concentration,
  100 * e.construction / nullif(e.tier1 + e.allowance, 0) AS construction_concentration,
  100 * (e.total_loans - coalesce(e.allowance, 0)) / nullif(e.total_deposits, 0) AS loan_to_deposit_ratio,
  100 * e.brokered / nullif(e.total_deposits, 0) AS brokered_deposits_ratio,
  100 * e.noninterest_bearing / nullif(e.total_deposits, 0) AS noninterest_bearing_deposits_ratio,
  e.unrealized_gains_afs, e.unrealized_gains_htm,
  100 * (e.total_assets / nullif(b.total_assets, 0) - 1) AS asset_growth_1q
FROM earning e JOIN averaged USING (quarter, rssd_id)
LEFT JOIN amounts b ON b.rssd_id = e.rssd_id AND b.quarter = last_day(e.quarter - INTERVAL 3 MONTH)
WHERE strftime(e.quarter, '%Y-%m-%d') IN (SELECT unnest(?))
ORDER BY ALL
"""


def main(folder, output, *quarters):
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    needed = {end for quarter in quarters for end in quarter_ends(quarter)}
    held = {end for end in needed if os.path.exists(os.path.join(
        folder, f"FFIEC CDR Call Bulk All Schedules {end[5:7]}{end[8:]}{end[:4]}.zip"))}
    year_start = min(q for q in needed if q.endswith("12-31"))
    load(folder, {q for q in held if q >= year_start}, connection)
    connection.execute(AMOUNTS)
    result = connection.execute(METRICS, [list(quarters)])
    names = [column[0] for column in result.description]
    with io.open(output, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(result.fetchall())


main(*sys.argv[1:])
