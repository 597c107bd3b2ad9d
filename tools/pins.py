"""Write the hashes of every pinned package into requirements/; `make pins` calls it after a version was changed.

    python3 tools/pins.py

A file in requirements/ lists every package that is installed, each at one version. This looks up the hashes of all
files of that version, for every platform, so that nothing else can be installed in their place.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from packages import uv
from steps import ROOT

OLDEST_PYTHON = "3.11"
WITHOUT_HASHES = {"bench.txt"}
"""Only installed to compare libraries, in a separate environment."""


def main() -> int:
    quick = uv()
    if quick is None:
        sys.exit("This needs uv, which could not be fetched.")
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        if path.name in WITHOUT_HASHES:
            continue
        lines = path.read_text("utf-8").splitlines()
        comment = [line for line in lines if line.startswith("#")]
        pins = [re.sub(r"\s*\\$", "", line) for line in lines if re.match(r"\w", line)]
        command = [quick, "pip", "compile", "-", "--no-deps", "--generate-hashes", "--universal", "--no-annotate"]
        command += ["--quiet", "--no-header", "--no-config", "--python-version", OLDEST_PYTHON]
        trusting = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", **os.environ}
        found = subprocess.run(command, input="\n".join(pins), env=trusting, text=True, capture_output=True)
        if found.returncode != 0:
            sys.exit(f"{path.name}: {found.stderr}")
        path.write_text("\n".join([*comment, found.stdout]), encoding="utf-8")
        print(f"{path.name}: {len(pins)} packages, {found.stdout.count('--hash')} hashes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
