"""Runs each Python block of the README against a server: run_readme.py ADDRESS KEY. Prints what each prints."""

import re
import sys
from pathlib import Path

address, key = sys.argv[1:]
readme = (Path(__file__).parents[1] / "README.md").read_text()
blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
assert len(blocks) == 2
for block in blocks:
    print("BLOCK")
    exec(block.replace("http://127.0.0.1:8080", address), {"KEY": key})
