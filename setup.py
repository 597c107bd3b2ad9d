"""Compiles the fast part of Grand Tour with mypyc while the wheel is built; pyproject.toml says the rest.

Compiled are the engine, every game's rules.py, the searching player, what writes views as numbers, and any other file
of a game's folder whose first line is `# compiled`. It is all or nothing: where there is no working C compiler the
wheel holds plain Python only, plays just the same but slower, and the build says why. A type error stops the build.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError, PlatformError

HERE = Path(__file__).resolve().parent
MARK = "# compiled\n"
UNCOMPILED = "Grand Tour is built uncompiled: "


def to_compile() -> list[str]:
    """The files to compile, found by looking: a new game needs no line here."""
    package = HERE / "src" / "grandtour"
    found = {path for path in package.glob("engine/*.py") if path.name != "__init__.py"}
    found |= {*package.glob("games/*/rules.py"), package / "players/search.py", package / "rl/features.py"}
    found |= {path for path in package.glob("games/*/*.py") if path.read_text("utf-8").startswith(MARK)}
    return sorted(str(path.relative_to(HERE)) for path in found)


def hindrance() -> str | None:
    """Why nothing can be compiled here, in half a sentence; None when it can."""
    if importlib.util.find_spec("mypyc") is None:
        return "mypy, which compiles it, is not installed"
    if sys.platform != "win32":
        compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
        if shutil.which(compiler) is None:
            return f"there is no C compiler ({compiler}) on this machine"
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            return "the C headers of Python (Python.h) are not on this machine"
    return None


def extensions() -> list[Extension]:
    if not {"bdist_wheel", "build", "build_ext", "install"} & set(sys.argv):
        return []  # only asked for the metadata, or for an editable install, which is interpreted
    reason = hindrance()
    if reason is not None:
        print(UNCOMPILED + reason, file=sys.stderr)
        return []
    from mypyc.build import mypycify

    os.chdir(HERE)
    modules = mypycify(to_compile(), opt_level="3", group_name="grandtour")
    for module in modules:
        # another compiler's warnings about generated C are no reason to do without
        module.extra_compile_args = [flag for flag in module.extra_compile_args if flag != "-Werror"]
    return modules


class AllOrNothing(build_ext):
    """Compiles every extension, or leaves none behind."""

    def run(self) -> None:
        if self.inplace:
            raise SystemExit("Never compile in place: a library beside its source hides every later edit.")
        wanted: set[Path] = set()
        try:
            super().run()
            wanted = {Path(output).resolve() for output in self.get_outputs()}
        except (CompileError, LinkError, PlatformError) as failure:
            print(failure, f"{UNCOMPILED}the C compiler failed", sep="\n", file=sys.stderr)
        for kind in ("*.so", "*.pyd"):
            for library in Path(self.build_lib).rglob(kind):
                if library.resolve() not in wanted:
                    library.unlink()


setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNothing})
