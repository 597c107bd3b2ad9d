"""Packages of the machine itself, where it is a Debian and lets us."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def install(package: str) -> bool:
    """Install a Debian package, as root or through sudo; say so. True when it worked."""
    if shutil.which("apt-get") is None:
        return False
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return False
        command = ["sudo", *([] if sys.stdin.isatty() else ["-n"]), *command]
    print(f"• installing the Debian package {package}", flush=True)
    order = [*command, "install", "-y", "--no-install-recommends", package]
    for attempt in ([order], [[*command, "update"], order]):
        if all(subprocess.run(each, stdout=subprocess.DEVNULL).returncode == 0 for each in attempt):
            return True
    return False
