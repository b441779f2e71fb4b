"""Figures of credit unions a second time: DuckDB over NCUA's text files, sharing no code with the project.

usage: credit_unions.py figures FOLDER OUTPUT   one CSV row a credit union insured by NCUA
       credit_unions.py list ZIP OUTPUT         NCUA's own list of credit unions, an xlsx in a zip, as CSV

The definitions are written down again from NCUA's account descriptions and the guide of its Financial Performance Report.
Only one quarter is there, so what is averaged is the balance itself.
"""

import csv
import io
import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import duckdb

FIGURES = {
    "total_assets": "a010 / 1000",
    "total_loans": "a025B / 1000",
    "total_shares": "a018 / 1000",
    "members": "a083",
    "net_worth": "a997 / 1000",
    "net_income": "a661A / 1000",
    "vehicle_loans": "(a385 + a370) / 1000",
    "real_estate_loans": "(a703A + a386A + a386B + a718A5) / 1000",
    "commercial_loans": "(a718A5 + a400P) / 1000",
    "delinquent_loans": "(aDL0141 + a021B + a022B + a023B) / 1000",
    "net_chargeoffs": "(a550 - a551) / 1000",
    "provision": "(a300 + aIS0017) / 1000",
    "cash": "(aAS0009 - aAS0007) / 1000",
    "net_worth_ratio": """100 * a997 / if(a010A + a010B + a010C > 0, a010A + a010B + a010C + aNW0010 - a010, aNW0010)""",
    "delinquency_ratio": "100 * a041B / nullif(a025B, 0)",
    "net_chargeoffs_ratio": "100 * (a550 - a551) / nullif(a025B, 0)",
    "roa": "100 * a661A / nullif(a010, 0)",
    "nim": "100 * aIS0010 / nullif(a010, 0)",
    "noninterest_expense_ratio": "100 * a671 / nullif(a010, 0)",
    "cost_of_funds": "100 * (a380 + a381 + a340) / nullif(a010, 0)",
    "loan_to_share_ratio": "100 * a025B / nullif(a018, 0)",
    "members_per_employee": "a083 / nullif(a564A + a564B / 2, 0)",
    "borrowings_ratio": "100 * a860C / nullif(a018 + a997, 0)",
    "average_share_balance": "a018 / 1000 / nullif(a083, 0)",
    "delinquency_credit_card_ratio": "100 * a045B / nullif(a396, 0)",
}


def figures(folder, output):
    con = duckdb.connect()
    wanted = sorted(set(re.findall(r"\ba([0-9A-Z]{3,7})\b", " ".join(FIGURES.values()))))
    columns = {}
    for path in sorted(Path(folder).glob("FS220*.txt")):
        with open(path, encoding="cp1252", newline="") as file:
            for name in next(csv.reader(file)):
                code = re.fullmatch(r"acct_(\w+)", name, re.IGNORECASE)
                if code and code[1].upper() in wanted:
                    columns[code[1].upper()] = (path, name)
    filers = "read_csv(?, encoding = 'latin-1', all_varchar = true, quote = '\"', strict_mode = false)"
    con.execute(
        f"CREATE TABLE cu AS SELECT CU_NUMBER::INT AS cu FROM {filers} WHERE CU_TYPE != '3'", [f"{folder}/FOICU.txt"]
    )
    for path in {path for path, _ in columns.values()}:
        own = [(code, name) for code, (file, name) in columns.items() if file == path]
        values = ", ".join(f'coalesce(try_cast("{name}" AS DOUBLE), 0) AS a{code}' for code, name in own)
        con.execute(f"CREATE TABLE part AS SELECT CU_NUMBER::INT AS cu, {values} FROM {filers}", [str(path)])
        con.execute("CREATE TABLE next AS SELECT * FROM cu LEFT JOIN part USING (cu)")
        con.execute("DROP TABLE cu; DROP TABLE part; ALTER TABLE next RENAME TO cu")
    select = ", ".join(f"{sql} AS {name}" for name, sql in FIGURES.items())
    con.execute(f"COPY (SELECT cu AS cu_number, {select} FROM cu ORDER BY cu) TO '{output}' (HEADER)")


def as_listed(path, output):
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(path) as outer:
        book = zipfile.ZipFile(io.BytesIO(outer.read(outer.namelist()[0])))
    texts = [
        "".join(part.text or "" for part in entry.iter(f"{space}t"))
        for entry in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
    ]
    sheet = next(name for name in book.namelist() if re.search(r"worksheets/sheet\d+\.xml$", name))
    with open(output, "w", newline="") as file:
        writer = csv.writer(file)
        names = []
        for row in ElementTree.fromstring(book.read(sheet)).iter(f"{space}row"):
            cells = {}
            for cell in row:
                value = cell.find(f"{space}v")
                if value is not None:
                    text = texts[int(value.text)] if cell.get("t") == "s" else value.text
                    cells[re.match("[A-Z]+", cell.get("r"))[0]] = " ".join(text.split())
            if not names:
                names = sorted(cells, key=lambda name: (len(name), name))
            writer.writerow([cells.get(name, "") for name in names])


if __name__ == "__main__":
    {"figures": figures, "list": as_listed}[sys.argv[1]](sys.argv[2], sys.argv[3])
