"""Figures of holding companies from the wide bulk files, worked out by DuckDB: another implementation of the definitions."""
import json
import sys

import duckdb

AVERAGE = "BHCK3368"  # one quarter a year is there, so the average of the year to date is that of the quarter
EARNING = "BHCKB558 + BHCKB559 + BHCKB560 + BHCK3365 + BHCK3516 + BHCK3401 + BHCKB985"
LOANS = "BHCK5369 + BHCKB528"
TIER1 = "BHCA8274"
NONCURRENT = "BHCK5525 - BHCK3506 + BHCK5526 - BHCK3507"
CRE = "BHCKF158 + BHCKF159 + BHDM1460 + BHCKF160 + BHCKF161"
DEPOSITS = "BHDM6631 + BHDM6636 + BHFN6631 + BHFN6636"
SUBSIDIARIES = " + ".join(f"coalesce({item}, 0)" for item in "BHCP3239 BHCP3238 BHCP1273 BHCP0087 BHCP0201 BHCP0202".split())

METRICS = {
    "total_assets": "BHCK2170",
    "net_loans": f"{LOANS} - BHCK3123",
    "total_deposits": DEPOSITS,
    "roa": f"100 * BHCK4340 / ({AVERAGE})",
    "roe": "100 * BHCK4340 / BHCK3519",
    "nim": f"100 * BHCK4519 / ({EARNING})",
    "efficiency_ratio": "100 * BHCK4093 / (BHCK4074 + BHCK4079)",
    "cet1_ratio": "100 * BHCAP859 / BHCAA223",
    "total_capital_ratio": "100 * BHCA3792 / BHCAA223",
    "tier1_leverage_ratio": f"100 * {TIER1} / BHCAA224",
    "noncurrent_loans_ratio": f"100 * ({NONCURRENT}) / ({LOANS})",
    "net_chargeoffs_ratio": "100 * (BHCK4635 - BHCK4605) / BHCK3516",
    "coverage_ratio": f"100 * BHCK3123 / ({NONCURRENT})",
    "cre_concentration": f"100 * ({CRE}) / ({TIER1} + BHCK3123)",
    "loan_to_deposit_ratio": f"100 * ({LOANS} - BHCK3123) / ({DEPOSITS})",
    "dividend_payout": "100 * (BHCK4460 + BHCK4598) / BHCK4340",
    "unrealized_gains_afs": "BHCK1773 - BHCK1772",
    "double_leverage": f"100 * ({SUBSIDIARIES}) / BHCP3210",
}

select = ", ".join(f"({sql})::DOUBLE AS {key}" for key, sql in METRICS.items())
rows = []
for path in sys.argv[1:]:
    found = duckdb.sql(
        f"""SELECT RSSD9001 AS rssd_id, strftime(strptime(RSSD9999::VARCHAR, '%Y%m%d'), '%Y-%m-%d') AS report_date, {select}
        FROM read_csv('{path}', header = true, nullstr = 'NA', sample_size = -1, encoding = 'latin-1')"""
    )
    rows += [dict(zip(found.columns, row)) for row in found.fetchall()]
print(json.dumps(rows))
