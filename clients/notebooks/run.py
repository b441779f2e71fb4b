"""Runs the notebooks of this folder: run.py [--write]. BANKING_URL and BANKING_KEY say where. Prints what each has drawn.

With --write they are kept as they ran, without the times and versions that would differ at every run.
"""

import sys
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient

for path in sorted(Path(__file__).parent.glob("*.ipynb")):
    book = nbformat.read(path, as_version=4)
    # by a socket of the file system: nobody else on the machine can reach it
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")
    runner = NotebookClient(book, km=kernel, timeout=120, record_timing=False)
    runner.owns_km = True  # it ends it
    runner.execute()
    for cell in book.cells:
        cell.metadata.clear()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    warnings = [output["text"] for output in outputs if output.get("name") == "stderr"]
    print(path.name, pictures, "pictures", *warnings, flush=True)
    if "--write" in sys.argv:
        book.metadata["language_info"] = {"name": "python"}
        nbformat.write(book, path)
