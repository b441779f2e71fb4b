"""Facts of whole bank registrants in a quarter of the Financial Statement Data Sets, read with pandas: 2010q2.zip out.csv"""

import sys
import zipfile

import pandas as pd

archive, out = sys.argv[1:]
BANKS = ["6021", "6022", "6029", "6035", "6036", "6099", "6111", "6712"]


def read(name):
    with zipfile.ZipFile(archive) as opened, opened.open(name) as member:
        return pd.read_csv(member, sep="\t", quoting=3, dtype=str, keep_default_na=False)


filings = read("sub.txt")
filings = filings[filings.sic.isin(BANKS)]
facts = read("num.txt").merge(filings, on="adsh")
facts = facts[(facts.coreg == "") & (facts.segments == "") & (facts.value != "")]
end = pd.to_datetime(facts.ddate, format="%Y%m%d")
quarters = facts.qtrs.astype(int)
months = end.dt.year * 12 + end.dt.month - 3 * quarters
start = pd.to_datetime({"year": months // 12, "month": months % 12 + 1, "day": 1})
facts["start"] = start.dt.strftime("%Y-%m-%d").where(quarters > 0, "")
facts["end"] = end.dt.strftime("%Y-%m-%d")
facts["filed"] = pd.to_datetime(facts.filed, format="%Y%m%d").dt.strftime("%Y-%m-%d")
facts["taxonomy"] = facts.version.str.split("/").str[0].where(facts.version != facts.adsh, "custom")
facts["number"] = facts.value.astype(float).map(lambda value: f"{value:.6g}")
columns = ["cik", "taxonomy", "tag", "uom", "start", "end", "number", "fy", "fp", "form", "adsh", "filed"]
facts[columns].to_csv(out, index=False)
