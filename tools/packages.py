"""Packages from PyPI and npm, for the environments and folders of this checkout."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import debian
from steps import BUILD, OUT_OF_REACH, ROOT, Step, Stop, digest, run, together

VENV = ROOT / ".venv"
UV = BUILD / "uv"
WEB = ROOT / "web"
fetching_uv = threading.Lock()
installing = threading.Lock()
"""Held while the packages in an environment change: one command at a time."""
VENV_PACKAGE = "python{}.{}-venv".format(*sys.version_info)
"""Debian's package of what its Python may lack: venv, and the pip for new environments."""
PIP_OPTIONS = ("--disable-pip-version-check", "--no-input", "--retries", "1")


def python(venv: Path = VENV) -> Path:
    return venv / "bin" / "python"


def environment(venv: Path = VENV) -> None:
    """A virtual environment for this Python at this place. One that was moved, or of another Python, is made again."""
    version = "{}.{}".format(*sys.version_info)
    inputs = digest(version, str(venv))
    making = Step("environment", f"making {venv.name} for Python {version}", inputs, python(venv), venv / "stamps")
    if making.due():
        if importlib.util.find_spec("venv") is None and not debian.install(VENV_PACKAGE):
            raise Stop(_comes_without("venv"))
        base = str(getattr(sys, "_base_executable", None) or sys.executable)
        with making.run():
            run(venv.name.lstrip("."), base, "-m", "venv", "--without-pip", "--clear", venv)


def install(doing: str, *names: str, venv: Path = VENV, into: Path | None = None) -> None:
    """Install what requirements/<name>.txt pin into an environment or a folder: in one go, and only what is missing."""
    makes, stamps = (python(venv), venv / "stamps") if into is None else (into, BUILD / "stamps")
    listed = {name: ROOT / "requirements" / f"{name}.txt" for name in names}
    steps = {name: Step(name, doing, digest(path, str(makes)), makes, stamps) for name, path in listed.items()}
    due = [name for name, step in steps.items() if step.due()]
    if not due:
        return
    words = [word for name in due for word in ("-r", str(listed[name]))]
    place = [] if into is None else ["--target", str(into), "--upgrade"]
    quick = uv()
    held = installing if into is None else contextlib.nullcontext()
    with held, together(doing, [steps[name] for name in due]):
        if quick is not None:
            try:
                trusting = {
                    "UV_SYSTEM_CERTS": "1",
                    "UV_NATIVE_TLS": "1",
                    **os.environ,
                }  # the variable's new and old names
                run(due[0], quick, "pip", "install", "--python", python(venv), *place, *words, env=trusting)
                return
            except Stop:
                pass  # pip may be set up for a registry that uv knows nothing of; if it fails too, it says why
        run(due[0], *pip(), "--python", python(venv), "install", *PIP_OPTIONS, *place, *words)


def uv() -> str | None:
    """uv from this machine or from PyPI, since fetching it takes less time than it saves; None if only pip is
    available."""
    if found := shutil.which("uv"):
        return found
    pinned = ROOT / "requirements" / "uv.txt"
    step = Step("uv", "fetching uv, which installs packages quickly", digest(pinned), UV)
    with fetching_uv:
        if step.due():
            try:
                with step.run():
                    _fetch_uv(pinned)
            except Stop:
                if _pip() is None:
                    raise
                return None
    return str(UV / "bin" / "uv")


def _fetch_uv(pinned: Path) -> None:
    try:
        run("uv", sys.executable, ROOT / "tools" / "fetch_uv.py", UV / "bin")
    except Stop as reason:
        if _pip() is None and str(reason).startswith(OUT_OF_REACH):
            raise
        # pip may be set up for another registry.
        run("uv", *pip(), "install", *PIP_OPTIONS, "--target", UV, "--upgrade", "-r", pinned)


def pip() -> list[str]:
    """A pip that needs no environment of its own; where there is none, Debian's is installed if that is allowed."""
    found = _pip() or (_pip() if debian.install(VENV_PACKAGE) else None)
    if found is None:
        raise Stop(_comes_without("pip"))
    return found


def _comes_without(what: str) -> str:
    command = debian.by_hand(VENV_PACKAGE)
    return f"This Python comes without {what}. Install it, then run the same command again:\n    {command}"


def _pip() -> list[str] | None:
    """The pip that comes with this Python, or an installed one."""
    bundled = Path(os.__file__).parent / "ensurepip" / "_bundled"
    for folder in (bundled, Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or bundled)):
        if wheel := next(folder.glob("pip-*.whl"), None):
            return [sys.executable, str(wheel / "pip")]
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "pip"]
    return None


def node_is_good() -> bool:
    """Whether this machine's Node can build the page: 20.19, or 22.12 or newer."""
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
    tests = tests or everything.stamp.exists()  # whoever has what only the tests need keeps it
    needed.stamp.unlink(missing_ok=True)
    with (everything if tests else needed).run():
        trying = ("--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")
        npm("npm", "ci", *trying, *([] if tests else ["--omit=dev"]))
