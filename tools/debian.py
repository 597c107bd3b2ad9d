"""Installs Debian packages, if this machine runs Debian and the user may install them without a password."""

from __future__ import annotations

import os
import shutil
import subprocess

from steps import progress


def install(package: str) -> bool:
    """Install a Debian package as root, or with sudo if it needs no password. Returns whether that worked."""
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


def install_command(package: str) -> str:
    """The command with which a user can install a package."""
    if shutil.which("apt-get") is None:
        return f"the equivalent of Debian's package {package}"
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {package}"
