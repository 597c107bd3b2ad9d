"""Debian packages, if this machine runs Debian and lets us install them."""

from __future__ import annotations

import os
import shutil
import subprocess

from steps import progress


def install(package: str) -> bool:
    """Install a Debian package if that needs no password: as root, or with a sudo that asks for none. Returns whether
    it worked."""
    if shutil.which("apt-get") is None:
        return False
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return False
        command = ["sudo", "-n", *command]
    order = [*command, "install", "-y", "--no-install-recommends", package]
    with progress.task(f"installing the Debian package {package}"):
        for attempt in ([order], [[*command, "update"], order]):
            if all(subprocess.run(each, capture_output=True).returncode == 0 for each in attempt):
                return True
    return False


def by_hand(package: str) -> str:
    """The command that installs a package, for a person to type."""
    if shutil.which("apt-get") is None:
        return f"the package that is {package} on Debian"
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {package}"
