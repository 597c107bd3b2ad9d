"""Compiles part of Grand Tour with mypyc while the wheel is built; everything else is in pyproject.toml.

These files are compiled: the engine (except files whose first line is `# interpreted`), every rules.py,
players/search.py, rl/features.py, and any file of games, players, protocol, rl or server whose first line is
`# compiled`. The compiler gets a copy of the sources to which `tools/positions.py` has added the methods that copy
positions.

Either all of these files are compiled or none. Without a working C compiler the wheel contains plain Python, which
behaves the same but is slower, and the build says why. A type error in a compiled file stops the build. Other files are
only read for their types, so the optional packages that they import need not be installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError, PlatformError

Job = tuple[Any, ...]
"""The arguments of setuptools' `_compile`: target, source, suffix, arguments, flags, options."""
HERE = Path(__file__).resolve().parent
CACHED_EXTENSIONS = HERE / "build" / "extensions.json"
PREPARED_SOURCES = HERE / "build" / "written-out" / "grandtour"
COMPILED_MARK = "# compiled\n"
INTERPRETED_MARK = "# interpreted\n"
UNCOMPILED = "Grand Tour is built uncompiled: "
GCC_FLAGS = [
    "-Wno-misleading-indentation",  # checking for this takes gcc more time than compiling generated C
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
]

MODULE_PREFIX = "__native_grandtour"
"""How the names of the C files begin that mypyc writes for our modules. All others are its runtime."""
HOT_PREFIX = "__group_hot"
COLD_PREFIX = "__group_cold"
MAX_GROUP_SIZE = 1_000_000
"""Characters in one C file."""
ENTRY_POINT_DECLARATIONS = """\
#define NULL ((void *)0)
#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *
#define Py_DECREF(object) Py_DecRef(object)
typedef struct _object PyObject;
PyObject *Py_BuildValue(const char *, ...);
PyObject *PyImport_ImportModuleLevel(const char *, PyObject *, PyObject *, PyObject *, int);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
void *PyCapsule_GetPointer(PyObject *, const char *);
void PyErr_Clear(void);
void Py_DecRef(PyObject *);
"""


def to_compile() -> list[str]:
    """The files to compile. The files of a new game are found without a change here."""
    package = PREPARED_SOURCES
    engine = [path for path in package.glob("engine/*.py") if path.name != "__init__.py"]
    found = {path for path in engine if not path.read_text("utf-8").startswith(INTERPRETED_MARK)}
    found |= {*package.glob("games/*/rules.py"), package / "players/search.py", package / "rl/features.py"}
    folders = ("games/*", "games/*/*", "players", "protocol", "rl", "server", "server/*")
    marked = [path for folder in folders for path in package.glob(f"{folder}/*.py")]
    found |= {path for path in marked if path.read_text("utf-8").startswith(COMPILED_MARK)}
    return sorted(str(path.relative_to(HERE)) for path in found)


def why_not_compiled() -> str | None:
    """Why nothing can be compiled on this machine, as part of a sentence, or None."""
    if importlib.util.find_spec("mypyc") is None:
        return "mypy, which contains the compiler mypyc, is not installed"
    if sys.platform != "win32":
        compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
        if shutil.which(compiler) is None:
            return f"there is no C compiler ({compiler})"
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            return "the C headers of Python (Python.h) are not installed"
    return None


def extensions() -> list[Extension]:
    if not {"bdist_wheel", "build", "build_ext", "install"} & set(sys.argv):
        return []  # only the metadata is needed, or the install is editable and runs interpreted
    reason = why_not_compiled()
    if reason is not None:
        print(UNCOMPILED + reason, file=sys.stderr)
        return []
    os.chdir(HERE)
    inputs = fingerprint()
    return cached_extensions(inputs) or cache_extensions(inputs, generate_extensions())


def fingerprint() -> str:
    """A hash of everything that determines the generated C files."""
    mypyc = importlib.util.find_spec("mypyc")
    total = hashlib.sha256(repr((sys.version, version("mypy"), mypyc and mypyc.origin, str(HERE))).encode())
    for path in sorted([HERE / "setup.py", HERE / "tools" / "positions.py", *HERE.glob("src/**/*.py")]):
        total.update(f"{path.relative_to(HERE)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def cached_extensions(inputs: str) -> list[Extension] | None:
    """The extensions that an earlier command, such as `build_ext`, generated from the same inputs, or None."""
    try:
        cached = json.loads(CACHED_EXTENSIONS.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    sources = [file for module in cached["modules"] for file in module["sources"]]
    if cached["inputs"] != inputs or not all(Path(file).exists() for file in sources):
        return None
    return [Extension(**module) for module in cached["modules"]]


def cache_extensions(inputs: str, modules: list[Extension]) -> list[Extension]:
    names = ("name", "sources", "include_dirs", "depends", "extra_compile_args")
    described = [{name: getattr(module, name) for name in names} for module in modules]
    CACHED_EXTENSIONS.write_text(json.dumps({"inputs": inputs, "modules": described}), "utf-8")
    return modules


def generate_extensions() -> list[Extension]:
    """Let mypyc write C files, and change them so that gcc compiles them faster."""
    from mypyc.build import mypycify

    sys.path.insert(0, str(HERE / "tools"))
    from positions import write_out

    CACHED_EXTENSIONS.unlink(missing_ok=True)
    write_out(HERE / "src" / "grandtour", PREPARED_SOURCES)
    os.environ["MYPYPATH"] = str(PREPARED_SOURCES.parent)  # takes precedence over src
    modules = mypycify(
        # Compiled files only import packages that mypy knows by itself. Other packages are imported by the files
        # around them; ignoring those packages saves most of the time of the type check.
        ["--follow-imports=silent", "--no-site-packages", *to_compile()],
        opt_level="3",
        debug_level="0",
        multi_file=True,
        group_name="grandtour",
    )
    disable_module_body_optimization()
    replace_python_header()
    for module in modules:
        module.sources = group_sources(module.sources)
        # Generated C causes warnings that differ between compilers. They must not fail the build.
        flags = [flag for flag in module.extra_compile_args if flag != "-Werror"]
        module.extra_compile_args = flags if sys.platform == "win32" else [*flags, *GCC_FLAGS]
    return modules


def disable_module_body_optimization() -> None:
    """Tell gcc not to optimise module-level code. It runs once, and optimising large tables would take most of gcc's
    time."""
    body = re.compile(r"^char CPyDef_\w+_____top_level__\(void\) \{", re.MULTILINE)
    if sys.platform != "win32":
        for path in Path("build").glob("__native_*.c"):
            path.write_text(body.sub(r'__attribute__((optimize("O0"))) \g<0>', path.read_text("utf-8")), "utf-8")


def replace_python_header() -> None:
    """Replace `#include <Python.h>` by the few declarations needed in the files with the modules' entry points.

    There is one such file per module, and gcc would spend nearly all of its time on the header."""
    if sys.platform != "win32":
        for path in Path("build/grandtour").rglob("*.c"):
            path.write_text(
                path.read_text("utf-8").replace("#include <Python.h>\n", ENTRY_POINT_DECLARATIONS, 1), "utf-8"
            )


@cache
def hot_files() -> set[str]:
    """The names of the C files that simulations, observations, searches and each move on a server spend time in: rules,
    encoders and edits with what they import from their game, the engine, search, protocol and server.

    These files are compiled with -O3. The others, which only bots use or which run once per match, are compiled with
    -O1: that takes half as long, and they run about 3% slower.
    """
    package = HERE / "src" / "grandtour"
    found = {package / name for name in ("engine/dice.py", "engine/playout.py", "engine/state.py")}
    found |= {package / "players" / name for name in ("lookahead.py", "network.py", "search.py")}
    found |= {package / name for name in ("rl/batch.py", "rl/encoder.py")}
    found |= {*package.glob("engine/*.py"), *package.glob("protocol/*.py"), *package.glob("server/**/*.py")}
    waiting = [path for name in ("rules", "encoder", "edits") for path in package.glob(f"games/*/{name}.py")]
    while waiting:
        path = waiting.pop()
        found.add(path)
        game = package.joinpath(*path.relative_to(package).parts[:2])
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(f"from grandtour.games.{game.name}"):
                names = set(re.findall(r"\w+", line)) - {"view"}  # encoders and edits import little from views
                imported = {file for name in names for file in (game / f"{name}.py", *game.glob(f"*/{name}.py"))}
                waiting += [other for other in imported - found if other.exists()]
    return {"___".join([MODULE_PREFIX, *path.relative_to(package).with_suffix("").parts]) for path in found}


def group_sources(sources: list[str]) -> list[str]:
    """Join C files into fewer, larger ones, and return the files to compile.

    Each C file includes half a megabyte of headers, which gcc takes as long to read as a small module. One group holds
    files of the same game or package with the same optimisation level. Its size is limited, so that every core gets
    some work."""
    hot = hot_files()
    groups: dict[str, list[str]] = {}
    grouped: list[str] = []
    for source in sorted(sources):
        path = Path(source)
        if path.parent != Path("build"):
            grouped.append(source)
            continue
        ours = path.stem.startswith(MODULE_PREFIX)
        prefix = COLD_PREFIX if ours and path.stem not in hot else HOT_PREFIX
        package = "_".join(path.stem.split("___")[1:-1][:2]) if ours else "runtime"
        texts = groups.setdefault(f"{prefix}_{package}", [])
        text = path.read_text("utf-8")
        if texts and len(texts[-1]) + len(text) <= MAX_GROUP_SIZE:
            texts[-1] += "\n" + text
        else:
            texts.append(text)
    for name, texts in groups.items():
        for number, text in enumerate(texts):
            path = Path("build", f"{name}_{number}.c")
            path.write_text(text, "utf-8")
            grouped.append(path.as_posix())
    return grouped


def set_optimization(jobs: list[Job]) -> list[Job]:
    """The same jobs, with -O1 added to those for cold files."""
    return [
        (*job[:4], [*job[4], "-O1"], *job[5:]) if Path(job[1]).name.startswith(COLD_PREFIX) else job for job in jobs
    ]


class ParallelBuild(build_ext):
    """Compiles the C files that changed, in parallel on all cores. Builds every extension or none."""

    def build_extensions(self) -> None:
        self.parallel = os.cpu_count() or 1  # also for linking
        compiler: Any = self.compiler
        if compiler.compiler_type == "unix":
            compile_one = compiler._compile
            jobs: list[Job] = []
            compiler._compile = lambda *job: jobs.append(job)
            for extension in self.extensions:
                compiler.compile(
                    sorted(extension.sources),
                    output_dir=self.build_temp,
                    include_dirs=extension.include_dirs,
                    extra_postargs=extension.extra_compile_args,
                )
            jobs = set_optimization(jobs)
            compiler._compile = lambda *job: None  # super() below then only links
            # Largest first, so that no large file is left to compile alone at the end.
            jobs.sort(key=lambda job: -Path(job[1]).stat().st_size)
            with ThreadPoolExecutor(self.parallel) as threads:
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


def compile_if_changed(compile_one: Any, command: list[str], job: Job) -> None:
    """Compile one C file, unless its object file was compiled from the same content, headers and flags."""
    target, source, _, arguments, flags, _ = job
    settings = [word for word in arguments if not word.startswith("-I")]  # covered by the versions of Python and mypy
    total = hashlib.sha256(repr((sys.version, version("mypy"), command, settings, flags)).encode())
    for path in (Path(source), *sorted(Path("build").glob("*.h"))):
        total.update(path.read_bytes())
    compiled, stamp = Path(target), Path(f"{target}.sha256")
    if compiled.exists() and stamp.exists() and stamp.read_text() == total.hexdigest():
        return
    stamp.unlink(missing_ok=True)
    compile_one(*job)
    stamp.write_text(total.hexdigest())


setup(ext_modules=extensions(), cmdclass={"build_ext": ParallelBuild})
