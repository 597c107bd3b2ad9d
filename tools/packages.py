"""Installs packages from PyPI and npm into this checkout."""

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
from steps import BUILD, NETWORK_UNREACHABLE, ROOT, Step, Stop, digest, run, run_steps

VENV = ROOT / ".venv"
UV = BUILD / "uv"
WEB = ROOT / "web"
fetching_uv = threading.Lock()
installing = threading.Lock()
"""Held while a command changes the packages in an environment."""
VENV_PACKAGE = "python{}.{}-venv".format(*sys.version_info)
"""The Debian package that contains venv and pip."""
PIP_OPTIONS = ("--disable-pip-version-check", "--no-input", "--retries", "1")


def python(venv: Path = VENV) -> Path:
    return venv / "bin" / "python"


def environment(venv: Path = VENV) -> None:
    """Make a virtual environment for this Python, or make it again if it was moved or made for another Python."""
    version = "{}.{}".format(*sys.version_info)
    inputs = digest(version, str(venv))
    step = Step("environment", f"making {venv.name} for Python {version}", inputs, python(venv), venv / "stamps")
    if step.due():
        if importlib.util.find_spec("venv") is None and not debian.install(VENV_PACKAGE):
            raise Stop(_missing("venv"))
        base = str(getattr(sys, "_base_executable", None) or sys.executable)
        with step.run():
            run(venv.name.lstrip("."), base, "-m", "venv", "--without-pip", "--clear", venv)


def install(doing: str, *names: str, venv: Path = VENV, into: Path | None = None) -> None:
    """Install what requirements/<name>.txt lists into an environment or folder, unless it is already installed."""
    makes, stamps = (python(venv), venv / "stamps") if into is None else (into, BUILD / "stamps")
    listed = {name: ROOT / "requirements" / f"{name}.txt" for name in names}
    steps = {name: Step(name, doing, digest(path, str(makes)), makes, stamps) for name, path in listed.items()}
    due = [name for name, step in steps.items() if step.due()]
    if not due:
        return
    words = [word for name in due for word in ("-r", str(listed[name]))]
    place = [] if into is None else ["--target", str(into), "--upgrade"]
    uv_path = uv()
    lock = installing if into is None else contextlib.nullcontext()
    with lock, run_steps(doing, [steps[name] for name in due]):
        if uv_path is not None:
            try:
                # The new and the old name of the option to trust the certificates that the system trusts.
                variables = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", **os.environ}
                run(due[0], uv_path, "pip", "install", "--python", python(venv), *place, *words, env=variables)
                return
            except Stop:
                pass  # try pip, which may be configured for another registry; if it fails too, it reports why
        run(due[0], *pip(), "--python", python(venv), "install", *PIP_OPTIONS, *place, *words)


def uv() -> str | None:
    """The path of uv: installed on this machine, or downloaded from PyPI because that takes less time than it saves.
    None if only pip is available."""
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
        if _pip() is None and str(reason).startswith(NETWORK_UNREACHABLE):
            raise
        # pip may be configured for another registry.
        run("uv", *pip(), "install", *PIP_OPTIONS, "--target", UV, "--upgrade", "-r", pinned)


def pip() -> list[str]:
    """The command that runs pip. If there is no pip, Debian's is installed if the user may do so."""
    found = _pip() or (_pip() if debian.install(VENV_PACKAGE) else None)
    if found is None:
        raise Stop(_missing("pip"))
    return found


def _missing(what: str) -> str:
    command = debian.install_command(VENV_PACKAGE)
    return f"This Python comes without {what}. Install it, then run the same command again:\n    {command}"


def _pip() -> list[str] | None:
    """The pip that is bundled with this Python, or an installed one."""
    bundled = Path(os.__file__).parent / "ensurepip" / "_bundled"
    for folder in (bundled, Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or bundled)):
        if wheel := next(folder.glob("pip-*.whl"), None):
            return [sys.executable, str(wheel / "pip")]
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "pip"]
    return None


def node_is_supported() -> bool:
    """Whether the installed Node can build the page: 20.19 or newer 20.x, or at least 22.12."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    output = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    major, minor = (int(part) for part in output.strip().lstrip("v").split(".")[:2])
    return (major, minor) >= (22, 12) or (major == 20 and minor >= 19)


def npm(log: str, *words: str) -> None:
    """Run npm in web/: the system's if its Node is supported, otherwise the one from PyPI in .venv."""
    path = os.environ.get("PATH", "")
    if not node_is_supported():
        path = f"{VENV / 'bin'}{os.pathsep}{path}"
    # Trust the certificates that the system trusts, as pip and uv do.
    run(log, "npm", *words, cwd=WEB, env={"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path})


def install_page_packages(tests: bool) -> None:
    """Install the npm packages: all of them for tests, otherwise only those needed to build the page."""
    inputs = digest(WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc")
    everything = Step("npm-all", "installing the npm packages", inputs, WEB / "node_modules")
    needed = Step("npm-build", "installing the npm packages", inputs, WEB / "node_modules")
    if not everything.due() or (not tests and not needed.due()):
        return
    tests = tests or everything.stamp.exists()  # `npm ci --omit=dev` would remove the packages for tests
    needed.stamp.unlink(missing_ok=True)
    with (everything if tests else needed).run():
        options = ("--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")
        npm("npm", "ci", *options, *([] if tests else ["--omit=dev"]))
