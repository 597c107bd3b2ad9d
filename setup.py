"""Compiles the fast part of Grand Tour with mypyc while the wheel is built; pyproject.toml has the rest.

Compiled are the engine, every game's rules.py, the search player, the feature encoder, and any other file in a game's
folder whose first line is `# compiled`. It is all or nothing: without a working C compiler the wheel holds plain
Python, which behaves the same but runs slower, and the build says why. A type error in a compiled file stops the build;
the files around it are only read, so optional packages that they import need not be installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError, PlatformError

HERE = Path(__file__).resolve().parent
MARK = "# compiled\n"
UNCOMPILED = "Grand Tour is built uncompiled: "
GCC_FLAGS = [
    "-Wno-misleading-indentation",  # on generated C, gcc spends most of its time on this warning
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
]


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
    modules = mypycify(
        ["--follow-imports=silent", *to_compile()],
        opt_level="3",
        debug_level="0",
        multi_file=True,
        group_name="grandtour",
    )
    for module in modules:
        # A warning about generated C, from whichever compiler this is, must not fail the build.
        flags = [flag for flag in module.extra_compile_args if flag != "-Werror"]
        module.extra_compile_args = flags if sys.platform == "win32" else [*flags, *GCC_FLAGS]
    return modules


class ParallelBuild(build_ext):
    """Compiles all C files at once, on every core, and only those that changed. Builds every extension or none."""

    def build_extensions(self) -> None:
        compiler: Any = self.compiler
        if compiler.compiler_type == "unix":
            compile_one = compiler._compile
            jobs: list[tuple[Any, ...]] = []
            compiler._compile = lambda *job: jobs.append(job)
            for extension in self.extensions:
                compiler.compile(
                    sorted(extension.sources),
                    output_dir=self.build_temp,
                    include_dirs=extension.include_dirs,
                    extra_postargs=extension.extra_compile_args,
                )
            compiler._compile = lambda *job: None  # everything is compiled below; what is left is to link it
            # The longest first: nothing is left waiting for one large file at the end.
            jobs.sort(key=lambda job: -Path(job[1]).stat().st_size)
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                done = threads.map(lambda job: compile_if_changed(compile_one, compiler.compiler_so, job), jobs)
                for number, _ in enumerate(done, 1):
                    print(f"compiled {number} of {len(jobs)} files", flush=True)
        super().build_extensions()

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


def compile_if_changed(compile_one: Any, command: list[str], job: tuple[Any, ...]) -> None:
    """Compile one C file, unless the object beside it was made from the same file, headers and flags."""
    target, source, _, arguments, flags, _ = job
    total = hashlib.sha256(repr((sys.version, command, arguments, flags)).encode())
    for path in (Path(source), *sorted(Path("build").glob("*.h"))):
        total.update(path.read_bytes())
    made, stamp = Path(target), Path(f"{target}.sha256")
    if made.exists() and stamp.exists() and stamp.read_text() == total.hexdigest():
        return
    stamp.unlink(missing_ok=True)
    compile_one(*job)
    stamp.write_text(total.hexdigest())


setup(ext_modules=extensions(), cmdclass={"build_ext": ParallelBuild})
