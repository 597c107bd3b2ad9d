"""Everything between a fresh clone and a game that runs; `make setup` calls it, and so do the others.

    python3 tools/setup.py            what it takes to play
    python3 tools/setup.py --tests    and what it takes to test
    python3 tools/setup.py --bench    and the libraries to compare with, in an environment of their own
    python3 tools/setup.py --tools    only the packages for work on the sources: nothing is built

A step is done again only when the content of its inputs has changed since it was last done. Nothing but the
standard library is needed: this runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import debian

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PEERS = ROOT / ".venv-bench"
BUILD = ROOT / "build"
SOURCE = BUILD / "source"
WEB = ROOT / "web"
PACKAGE = ROOT / "src" / "grandtour"
WHEEL_FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "CREDITS.md")
PASSED_OVER = {"node_modules", "dist", "__pycache__", ".svelte-kit"}
OLDEST_PYTHON = (3, 11)
UNCOMPILED = "Grand Tour is built uncompiled: "


class Stop(Exception):
    """Why the set-up cannot go on, in words for the one who started it."""


def files(*places: Path) -> Iterator[Path]:
    """Every file at or below these places, in order, without what tools leave there."""
    for place in places:
        if place.is_file():
            yield place
        elif place.is_dir() and place.name not in PASSED_OVER and not place.name.endswith(".egg-info"):
            yield from files(*sorted(place.iterdir()))


def digest(*inputs: Path | str) -> str:
    """One hash of the names and contents of files and folders, and of plain words."""
    total = hashlib.sha256()
    for each in inputs:
        if isinstance(each, str):
            total.update(f"word\0{each}\0".encode())
            continue
        for path in files(each):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"file\0{path.relative_to(ROOT)}\0{content}\0".encode())
    return total.hexdigest()


class Step:
    """Something to make, and a stamp that remembers which inputs it was last made from."""

    def __init__(self, name: str, saying: str, inputs: str, makes: Path, venv: Path = VENV) -> None:
        self.stamp = venv / "stamps" / name
        self.saying = saying
        self.inputs = inputs
        self.makes = makes

    def due(self) -> bool:
        return not (self.makes.exists() and self.stamp.exists() and self.stamp.read_text() == self.inputs)

    @contextlib.contextmanager
    def doing(self) -> Iterator[None]:
        """The work goes inside; it is stamped as done only when it came to its end."""
        self.stamp.unlink(missing_ok=True)
        started = time.monotonic()
        print(f"• {self.saying} …", flush=True)
        yield
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(self.inputs)
        print(f"  {time.monotonic() - started:.1f} s", flush=True)


def run(log: str, *command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command quietly and give back what it said; when it fails, the end of that is the reason."""
    kept = BUILD / "logs" / f"{log}.log"
    kept.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in command]
    with kept.open("wb") as out:
        ended = subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    said = kept.read_text("utf-8", "replace")
    if ended.returncode != 0:
        end = "\n".join(said.rstrip().splitlines()[-40:])
        raise Stop(f"{end}\n\nThe set-up stopped here. All that was said is in {kept.relative_to(ROOT)}.")
    return said


def python(venv: Path) -> Path:
    return venv / "bin" / "python"


def pip(log: str, *words: str | Path, venv: Path = VENV) -> str:
    return run(log, python(venv), "-m", "pip", "--disable-pip-version-check", "--no-input", *words)


def environment(venv: Path = VENV) -> None:
    """A virtual environment for this Python, at this place: one that was moved is made anew."""
    version = "{}.{}".format(*sys.version_info)
    saying = f"making {venv.name} with Python {version}"
    making = Step("environment", saying, digest(version, str(venv)), python(venv), venv)
    if not making.due():
        return
    base = str(getattr(sys, "_base_executable", None) or sys.executable)
    with making.doing():
        if subprocess.run([base, "-c", "import ensurepip"], stderr=subprocess.DEVNULL).returncode != 0:
            package = f"python{version}-venv"
            if not debian.install(package):
                raise Stop(f"This Python cannot make environments yet: sudo apt-get install {package}")
        run("environment", base, "-m", "venv", "--clear", venv)


def packages(name: str, saying: str, venv: Path = VENV) -> None:
    """The packages pinned in requirements/<name>.txt."""
    listed = ROOT / "requirements" / f"{name}.txt"
    installing = Step(name, saying, digest(listed), python(venv), venv)
    if installing.due():
        with installing.doing():
            pip(name, "install", "-r", listed, venv=venv)


def node_is_good() -> bool:
    """Whether this machine's Node can build the page, which takes 20.19, or 22.12 and newer."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    major, minor = (int(part) for part in said.strip().lstrip("v").split(".")[:2])
    return (major, minor) >= (22, 12) or (major == 20 and minor >= 19)


def npm(log: str, *words: str) -> None:
    """Run npm in web/: the machine's own when it is good, else one from PyPI inside .venv."""
    path = os.environ.get("PATH", "")
    if not node_is_good():
        packages("node", "fetching Node, which this machine has not")
        path = f"{VENV / 'bin'}{os.pathsep}{path}"
    run(log, "npm", *words, cwd=WEB, env={**os.environ, "PATH": path})


def page_packages() -> None:
    """What web/package.json pins, from nothing each time, since without a lock file npm would keep what it finds."""
    inputs = digest(WEB / "package.json", WEB / ".npmrc")
    installing = Step("npm", "installing what the page is built from", inputs, WEB / "node_modules")
    if installing.due():
        with installing.doing():
            shutil.rmtree(WEB / "node_modules", ignore_errors=True)
            npm("npm", "install")


def page() -> None:
    """The page, built from web/ and the games' data into the package."""
    inputs = digest(WEB, *sorted(PACKAGE.glob("games/*/*.json")))
    building = Step("page", "building the page", inputs, PACKAGE / "server" / "page" / "index.html")
    if building.due():
        page_packages()
        with building.doing():
            npm("page", "run", "build")


def mirror() -> None:
    """Bring build/source up to date with what the wheel is made of.

    What did not change keeps its time, so that only what did is compiled again; what is gone goes there too.
    """
    wanted = {path.relative_to(ROOT) for path in files(PACKAGE, *(ROOT / name for name in WHEEL_FILES))}
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


def wheel() -> None:
    """The package as others would install it: compiled where a compiler is found, with the page inside."""
    compiler = shutil.which((os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0])
    headers = Path(sysconfig.get_path("include"), "Python.h").exists()
    sources = (PACKAGE, *(ROOT / name for name in WHEEL_FILES))
    inputs = digest(*sources, sys.version, str(compiler), str(headers))
    building = Step("wheel", "compiling and installing Grand Tour", inputs, VENV / "bin" / "grandtour")
    if not building.due():
        return
    if stray := next(PACKAGE.rglob("*.so"), None):
        raise Stop(f"{stray.relative_to(ROOT)} hides the source beside it: remove it. Nothing is compiled in place.")
    with building.doing():
        mirror()
        wheels = BUILD / "wheel"
        shutil.rmtree(wheels, ignore_errors=True)
        said = pip("wheel", "wheel", "-v", "--no-deps", "--no-build-isolation", "-w", wheels, SOURCE)
        pip("install", "install", "--no-deps", "--force-reinstall", *wheels.glob("*.whl"))
    for line in said.splitlines():
        if UNCOMPILED in line:
            print(
                f"{line.strip()} (build/logs/wheel.log).\n"
                "Everything works, but bots and simulations are slower. Once gcc and python3-dev are installed,\n"
                "the next start compiles it."
            )
            break


def everything(wanted: set[str]) -> None:
    environment()
    packages("build", "installing what compiles it")
    packages("run", "installing what it runs on")
    if wanted & {"--tests", "--tools"}:
        packages("test", "installing what tests it")
    if "--tools" in wanted:
        return
    page()
    wheel()
    if "--tests" in wanted:
        page_packages()
    if "--bench" in wanted:
        environment(PEERS)
        packages("bench", "installing the libraries to compare with", PEERS)


def main() -> int:
    if sys.version_info < OLDEST_PYTHON:
        print("Grand Tour needs Python 3.11 or newer. Name one: make play PYTHON=python3.12", file=sys.stderr)
        return 1
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        # two terminals may start at once; the second finds everything done
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            everything(set(sys.argv[1:]))
        except Stop as reason:
            print(reason, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
