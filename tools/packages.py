"""Packages from PyPI and npm, for the environments and folders of this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import debian
from steps import BUILD, ROOT, Step, Stop, digest, run

VENV = ROOT / ".venv"
UV = BUILD / "uv"
WEB = ROOT / "web"
PIP_OPTIONS = ("--disable-pip-version-check", "--no-input", "--retries", "1")


def python(venv: Path = VENV) -> Path:
    return venv / "bin" / "python"


def environment(venv: Path = VENV) -> None:
    """A virtual environment for this Python at this place. One that was moved, or of another Python, is made anew."""
    version = "{}.{}".format(*sys.version_info)
    inputs = digest(version, str(venv))
    making = Step("environment", f"making {venv.name} for Python {version}", inputs, python(venv), venv / "stamps")
    if making.due():
        base = str(getattr(sys, "_base_executable", None) or sys.executable)
        with making.run():
            run(venv.name.lstrip("."), base, "-m", "venv", "--without-pip", "--clear", venv)


def install(doing: str, *names: str, venv: Path = VENV, into: Path | None = None) -> None:
    """Install what requirements/<name>.txt pin, all in one go, into an environment or a folder."""
    listed = [ROOT / "requirements" / f"{name}.txt" for name in names]
    makes, stamps = (python(venv), venv / "stamps") if into is None else (into, BUILD / "stamps")
    step = Step("-".join(names), doing, digest(*listed, str(makes)), makes, stamps)
    if not step.due():
        return
    words = [word for path in listed for word in ("-r", str(path))]
    place = [] if into is None else ["--target", str(into), "--upgrade"]
    quick = uv()
    with step.run():
        if quick is not None:
            try:
                trusting = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", **os.environ}  # its new and its old name
                run(names[0], quick, "pip", "install", "--python", python(venv), *place, *words, env=trusting)
                return
            except Stop:
                pass  # pip may be set up for a registry that uv knows nothing of; if it fails too, it says why
        run(names[0], *pip(), "--python", python(venv), "install", *PIP_OPTIONS, *place, *words)


def uv() -> str | None:
    """uv from this machine or from PyPI, since fetching it takes less time than it saves; None if there is none."""
    if found := shutil.which("uv"):
        return found
    pinned = ROOT / "requirements" / "uv.txt"
    step = Step("uv", "fetching uv, which installs packages quickly", digest(pinned), UV)
    if step.due():
        try:
            with step.run():
                run("uv", *pip(), "install", *PIP_OPTIONS, "--target", UV, "--upgrade", "-r", pinned)
        except Stop:
            return None
    return str(UV / "bin" / "uv")


def pip() -> list[str]:
    """A pip that needs no environment of its own: the one that comes with Python, or an installed one."""
    package = "python{}.{}-venv".format(*sys.version_info)
    for _ in range(2):
        bundled = Path(os.__file__).parent / "ensurepip" / "_bundled"
        for folder in (bundled, Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or bundled)):
            if wheel := next(folder.glob("pip-*.whl"), None):
                return [sys.executable, str(wheel / "pip")]
        if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            return [sys.executable, "-m", "pip"]
        if not debian.install(package):
            break
    raise Stop(
        f"This Python comes without pip. Install it, then run the same command again:\n    {debian.by_hand(package)}"
    )


def node_is_good() -> bool:
    """Whether this machine's Node can build the page, which takes 20.19, or 22.12 and newer."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    major, minor = (int(part) for part in said.strip().lstrip("v").split(".")[:2])
    return (major, minor) >= (22, 12) or (major == 20 and minor >= 19)


def npm(log: str, *words: str) -> None:
    """Run npm in web/: the machine's own if it is good, otherwise the one from PyPI inside .venv."""
    path = os.environ.get("PATH", "")
    if not node_is_good():
        path = f"{VENV / 'bin'}{os.pathsep}{path}"
    # Trust the certificates that this machine trusts, as pip and uv do.
    run(log, "npm", *words, cwd=WEB, env={"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path})


def install_page_packages(tests: bool) -> None:
    """What package-lock.json pins: all of it for tests, otherwise only what building the page takes."""
    inputs = digest(WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc")
    everything = Step("npm-all", "installing the npm packages", inputs, WEB / "node_modules")
    needed = Step("npm-build", "installing the npm packages", inputs, WEB / "node_modules")
    if not everything.due() or (not tests and not needed.due()):
        return
    needed.stamp.unlink(missing_ok=True)
    with (everything if tests else needed).run():
        npm("npm", "ci", "--fetch-retries=1", "--prefer-offline", *([] if tests else ["--omit=dev"]))
