"""Downloads uv, which installs packages, from the package index: the pinned version, checked against its hashes.

    python3 tools/fetch_uv.py FOLDER

Uses only the standard library, because Debian's Python comes without pip. Where pip is available, this is still faster.
The index comes from the environment variable PIP_INDEX_URL. If it is not set, the script fails, and the caller uses
pip, which may have another configuration.
"""

from __future__ import annotations

import hashlib
import io
import os
import platform
import re
import sys
import sysconfig
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

PINNED = Path(__file__).resolve().parent.parent / "requirements" / "uv.txt"
TIMEOUT = 10.0
"""Seconds without a response after which the index counts as unreachable."""


def is_compatible(wheel: str) -> bool:
    """Whether a wheel with this file name is for this machine."""
    kind, _, machine = sysconfig.get_platform().partition("-")
    if kind == "linux":
        library = "manylinux" if platform.libc_ver()[0] == "glibc" else "musllinux"
        return re.search(rf"{library}_\d+_\d+_{machine}\b", wheel) is not None
    return kind == "macosx" and re.search(rf"macosx_\d+_\d+_{platform.machine()}\b", wheel) is not None


def fetch(folder: Path) -> None:
    pins = PINNED.read_text("utf-8")
    version = re.search(r"^uv==(\S+)", pins, re.MULTILINE)
    assert version is not None
    hashes = set(re.findall(r"sha256:(\w+)", pins))
    if "PIP_INDEX_URL" not in os.environ:
        sys.exit("PIP_INDEX_URL is not set, so the package index is unknown.")
    index = f"{os.environ['PIP_INDEX_URL'].rstrip('/')}/uv/"
    with urllib.request.urlopen(index, timeout=TIMEOUT) as response:
        base, listed = response.url, response.read().decode()
    links = re.findall(rf'href="([^"]+/(uv-{re.escape(version[1])}-[^"/#]+\.whl)[^"]*)"', listed)
    address = next((link for link, name in links if is_compatible(name)), None)
    if address is None:
        sys.exit(f"{index} has no uv {version[1]} for this machine.")
    with urllib.request.urlopen(urllib.parse.urljoin(base, address), timeout=TIMEOUT) as response:
        content = response.read()
    if hashlib.sha256(content).hexdigest() not in hashes:
        sys.exit(f"{address} is not the file that {PINNED.name} pins.")
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        program = next(name for name in wheel.namelist() if name.endswith(".data/scripts/uv"))
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / "uv.partial"
        partial.write_bytes(wheel.read(program))
    partial.chmod(0o755)
    partial.replace(folder / "uv")


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
