"""Updates the hashes in requirements/*.txt. Run `make pins` after changing a version there.

    python3 tools/pins.py

The files in requirements/ list every package that is installed, with its version. This script adds the hashes of that
version's files for all platforms, so that no other file can be installed in their place.
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
"""Only installed for the benchmark, in a separate environment."""


def main() -> int:
    uv_path = uv()
    if uv_path is None:
        sys.exit("This needs uv, which could not be downloaded.")
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        if path.name in WITHOUT_HASHES:
            continue
        lines = path.read_text("utf-8").splitlines()
        comment = [line for line in lines if line.startswith("#")]
        pins = [re.sub(r"\s*\\$", "", line) for line in lines if re.match(r"\w", line)]
        command = [uv_path, "pip", "compile", "-", "--no-deps", "--generate-hashes", "--universal", "--no-annotate"]
        command += ["--quiet", "--no-header", "--no-config", "--python-version", OLDEST_PYTHON]
        variables = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", **os.environ}
        found = subprocess.run(command, input="\n".join(pins), env=variables, text=True, capture_output=True)
        if found.returncode != 0:
            sys.exit(f"{path.name}: {found.stderr}")
        path.write_text("\n".join([*comment, found.stdout]), encoding="utf-8")
        print(f"{path.name}: {len(pins)} packages, {found.stdout.count('--hash')} hashes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
