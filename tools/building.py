"""Builds the page, and the wheel with the compiled engine."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from packages import VENV, WEB, install, install_page_packages, installing, npm, pip, python, uv
from progress import Task
from steps import BUILD, ROOT, Step, Stop, digest, files, progress, run

SOURCE = BUILD / "source"
BUILD_TOOLS = BUILD / "tools"
WHEELS = BUILD / "wheel"
DIST = BUILD / "dist"
PACKAGE = ROOT / "src" / "grandtour"
PAGE = PACKAGE / "server" / "page"
WHEEL_FILES = (
    "setup.py",
    "tools/positions.py",
    "MANIFEST.in",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CREDITS.md",
)
UNCOMPILED = "Grand Tour is built uncompiled: "


def page() -> Step:
    """The step that builds the page from web/ and the games' data, into the package."""
    inputs = digest(WEB, *sorted(PACKAGE.glob("games/*/*.json")))
    return Step("page", "building the page", inputs, PAGE / "index.html")


def build_page() -> None:
    """Build the page if any of its inputs has changed."""
    step = page()
    if step.due():
        install_page_packages(tests=False)
        with step.run():
            npm("page", "run", "build")


def can_compile() -> bool:
    return _compiler() is not None and _headers()


def wheel() -> Step:
    """The step that installs the package: with the page inside, and compiled if there is a C compiler."""
    sources = (PACKAGE, *(ROOT / name for name in WHEEL_FILES))
    inputs = digest(*sources, sys.version, str(_compiler()), str(_headers()))
    doing = "compiling Grand Tour" if can_compile() else "installing Grand Tour"
    return Step("wheel", doing, inputs, VENV / "bin" / "grandtour", VENV / "stamps")


def compile_early() -> None:
    """Compile everything in the wheel while the page is still being built. `build_wheel` then reuses the result."""
    install("installing the build tools", "build", into=BUILD_TOOLS)
    with progress.task("compiling Grand Tour") as task:
        _update_build_sources(without=PAGE)
        _run_setup_py("compile", task, "build_ext")


def build_wheel(doing: str | None = None) -> None:
    """Build and install the wheel if any of its inputs has changed. `doing` replaces the text shown as progress."""
    step = wheel()
    step.doing = doing or step.doing
    if not step.due():
        return
    if stray := next(PACKAGE.rglob("*.so"), None):
        raise Stop(f"Delete {stray.relative_to(ROOT)}: Python would load it instead of the source beside it.")
    install("installing the build tools", "build", into=BUILD_TOOLS)
    with step.run() as task:
        _update_build_sources()
        shutil.rmtree(WHEELS, ignore_errors=True)
        output = _run_setup_py("wheel", task, "bdist_wheel", "-d", WHEELS)
        built = next(WHEELS.glob("*.whl"))
        with installing:
            if uv_path := uv():
                run("install", uv_path, "pip", "install", "--python", python(), "--no-deps", "--reinstall", built)
            else:
                run("install", *pip(), "--python", python(), "install", "--no-deps", "--force-reinstall", built)
    for line in output.splitlines():
        if UNCOMPILED in line:
            progress.say(f"{line.strip()}. {UNCOMPILED_HINT}")
            break


def _run_setup_py(log: str, task: Task, *words: str | Path) -> str:
    """Run setup.py and show how many files it has compiled. Calling it through pip would start four processes, one
    after another, for the same result."""

    def note(line: str) -> None:
        if found := re.search(r"compiled (\d+ of \d+) files", line):
            task.note = found[0]

    variables = {**os.environ, "PYTHONPATH": str(BUILD_TOOLS)}
    return run(log, python(), "setup.py", *words, cwd=SOURCE, env=variables, on_line=note)


UNCOMPILED_HINT = (
    "Everything works, but bots and simulations are slower.\n"
    "Install a C compiler (on Debian: gcc and python3-dev) and the next start compiles it."
)


def distributions() -> None:
    """Build the wheel and the source distribution. Both contain the page, so installing them needs no Node."""
    build_wheel()
    shutil.rmtree(DIST, ignore_errors=True)
    with progress.task("packing the source distribution"):
        environment = {**os.environ, "PYTHONPATH": str(BUILD_TOOLS)}
        run("sdist", python(), "setup.py", "-q", "sdist", "-d", DIST, cwd=SOURCE, env=environment)
    for built in WHEELS.glob("*.whl"):
        shutil.copy2(built, DIST)
    progress.say(f"The wheel and the source distribution are in {DIST.relative_to(ROOT)}.")


def _compiler() -> str | None:
    return shutil.which((os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0])


def _headers() -> bool:
    return Path(sysconfig.get_path("include"), "Python.h").exists()


def _update_build_sources(without: Path | None = None) -> None:
    """Make build/source a copy of the wheel's inputs, except a folder that is still being written.

    Unchanged files keep their modification times, so they are not compiled again."""
    sources = files(PACKAGE, *(ROOT / name for name in WHEEL_FILES), without=without)
    wanted = {path.relative_to(ROOT) for path in sources}
    for path in wanted:
        content, copy = (ROOT / path).read_bytes(), SOURCE / path
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    for copy in files(SOURCE / "src"):
        if copy.relative_to(SOURCE) not in wanted:
            copy.unlink()
    for built in SOURCE.glob("build/lib*/**/*"):
        if built.is_file() and built.suffix != ".so":
            built.unlink()
