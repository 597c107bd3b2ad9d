"""Compiles the fast part of Grand Tour with mypyc while the wheel is built; pyproject.toml has the rest.

Compiled are the engine (except files whose first line is `# interpreted`), every rules.py, the search player, the
building blocks of features, and any other file of a game, of players, protocol, rl or server whose first line is
`# compiled`. What is compiled is a copy, in which `tools/positions.py` has written out how positions are
copied. It is all or nothing: without a working C compiler the wheel contains plain Python, which behaves the same but
is slower, and the build says why. A type error in a compiled file stops the build. The files around it are only read,
so the optional packages they import need not be installed.
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
"""What setuptools compiles one C file with: the target, the source, its suffix, arguments, flags and options."""
HERE = Path(__file__).resolve().parent
KEPT = HERE / "build" / "extensions.json"
WRITTEN_OUT = HERE / "build" / "written-out" / "grandtour"
MARK = "# compiled\n"
UNMARK = "# interpreted\n"
UNCOMPILED = "Grand Tour is built uncompiled: "
GCC_FLAGS = [
    "-Wno-misleading-indentation",  # on generated C, gcc spends most of its time on this warning
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
]

OURS = "__native_grandtour"
COLD = "__group_cold"
LARGEST_GROUP = 1_000_000
"""Characters."""
ENTRY_POINT = """\
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
    """The files to compile, found by looking: a new game needs no line here."""
    package = WRITTEN_OUT
    engine = [path for path in package.glob("engine/*.py") if path.name != "__init__.py"]
    found = {path for path in engine if not path.read_text("utf-8").startswith(UNMARK)}
    found |= {*package.glob("games/*/rules.py"), package / "players/search.py", package / "rl/features.py"}
    folders = ("games/*", "games/*/*", "players", "protocol", "rl", "server", "server/*")
    marked = [path for folder in folders for path in package.glob(f"{folder}/*.py")]
    found |= {path for path in marked if path.read_text("utf-8").startswith(MARK)}
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
    os.chdir(HERE)
    inputs = fingerprint()
    return kept_extensions(inputs) or keep_extensions(inputs, generate())


def fingerprint() -> str:
    """A hash of all that the C files are generated from, and of what generates them."""
    mypyc = importlib.util.find_spec("mypyc")
    total = hashlib.sha256(repr((sys.version, version("mypy"), mypyc and mypyc.origin, str(HERE))).encode())
    for path in sorted([HERE / "setup.py", HERE / "tools" / "positions.py", *HERE.glob("src/**/*.py")]):
        total.update(f"{path.relative_to(HERE)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def kept_extensions(inputs: str) -> list[Extension] | None:
    """What was generated from the same inputs before: `build_ext` and `bdist_wheel` can run one after the other."""
    try:
        kept = json.loads(KEPT.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if kept["inputs"] != inputs or not all(Path(file).exists() for one in kept["modules"] for file in one["sources"]):
        return None
    return [Extension(**module) for module in kept["modules"]]


def keep_extensions(inputs: str, modules: list[Extension]) -> list[Extension]:
    names = ("name", "sources", "include_dirs", "depends", "extra_compile_args")
    kept = [{name: getattr(module, name) for name in names} for module in modules]
    KEPT.write_text(json.dumps({"inputs": inputs, "modules": kept}), "utf-8")
    return modules


def generate() -> list[Extension]:
    """Let mypyc write C files, and prepare them for a quick compilation."""
    from mypyc.build import mypycify

    sys.path.insert(0, str(HERE / "tools"))
    from positions import write_out

    KEPT.unlink(missing_ok=True)  # what it describes is about to change
    write_out(HERE / "src" / "grandtour", WRITTEN_OUT)
    os.environ["MYPYPATH"] = str(WRITTEN_OUT.parent)  # comes before the sources
    modules = mypycify(
        # Compiled files import nothing from outside but what mypy itself knows. Not to look at other installed
        # packages, which the files around them import, saves most of the time for checking types.
        ["--follow-imports=silent", "--no-site-packages", *to_compile()],
        opt_level="3",
        debug_level="0",
        multi_file=True,
        group_name="grandtour",
    )
    hurry_past_module_bodies()
    spare_python_h()
    for module in modules:
        module.sources = in_groups(module.sources)
        # A warning about generated C, from whichever compiler this is, must not fail the build.
        flags = [flag for flag in module.extra_compile_args if flag != "-Werror"]
        module.extra_compile_args = flags if sys.platform == "win32" else [*flags, *GCC_FLAGS]
    return modules


def hurry_past_module_bodies() -> None:
    """Tell gcc not to optimise what runs once, when a module is imported. Large tables would take most of its time."""
    body = re.compile(r"^char CPyDef_\w+_____top_level__\(void\) \{", re.MULTILINE)
    if sys.platform != "win32":
        for path in Path("build").glob("__native_*.c"):
            path.write_text(body.sub(r'__attribute__((optimize("O0"))) \g<0>', path.read_text("utf-8")), "utf-8")


def spare_python_h() -> None:
    """Declare the few functions that the entry points of modules call, in place of all of Python's. There is one such
    file for each module, and to read the headers is all the work it makes."""
    if sys.platform != "win32":
        for path in Path("build/grandtour").rglob("*.c"):
            path.write_text(path.read_text("utf-8").replace("#include <Python.h>\n", ENTRY_POINT, 1), "utf-8")


@cache
def on_the_hot_path() -> set[str]:
    """The C files that random games, observations and searches run through: rules and encoders, what they import from
    their folder, dice, search; and those that every move at a server runs through.

    These are optimised as far as the compiler can. What only bots think with, or runs once a match, is not: that takes
    half as long to compile, and runs slower by one part in thirty.
    """
    package = HERE / "src" / "grandtour"
    found = {package / name for name in ("engine/dice.py", "engine/playout.py", "engine/state.py")}
    found |= {package / "players" / name for name in ("lookahead.py", "network.py", "search.py")}
    found |= {package / name for name in ("rl/batch.py", "rl/encoder.py")}
    found |= {*package.glob("engine/*.py"), *package.glob("protocol/*.py"), *package.glob("server/**/*.py")}
    waiting = [*package.glob("games/*/rules.py"), *package.glob("games/*/encoder.py")]
    while waiting:
        path = waiting.pop()
        found.add(path)
        game = package.joinpath(*path.relative_to(package).parts[:2])
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(f"from grandtour.games.{game.name}"):
                names = set(re.findall(r"\w+", line)) - {"view"}  # from views encoders take names alone
                beside = {file for name in names for file in (game / f"{name}.py", *game.glob(f"*/{name}.py"))}
                waiting += [other for other in beside - found if other.exists()]
    return {"___".join([OURS, *path.relative_to(package).with_suffix("").parts]) for path in found}


def in_groups(sources: list[str]) -> list[str]:
    """The same C files joined to fewer ones. Each begins with half a megabyte of headers, which takes gcc as long as a
    small module does. Those of a game or a package that are optimised alike are together, up to a size that leaves work
    for every core."""
    hot = on_the_hot_path()
    groups: dict[str, list[str]] = {}
    alone: list[str] = []
    for source in sorted(sources):
        path = Path(source)
        if path.parent != Path("build"):
            alone.append(source)
            continue
        level = COLD if path.stem.startswith(OURS) and path.stem not in hot else "__group_hot"
        kind = "_".join(path.stem.split("___")[1:-1][:2]) if path.stem.startswith(OURS) else "runtime"
        texts = groups.setdefault(f"{level}_{kind}", [])
        text = path.read_text("utf-8")
        if texts and len(texts[-1]) + len(text) <= LARGEST_GROUP:
            texts[-1] += "\n" + text
        else:
            texts.append(text)
    for name, texts in groups.items():
        for number, text in enumerate(texts):
            path = Path("build", f"{name}_{number}.c")
            path.write_text(text, "utf-8")
            alone.append(path.as_posix())
    return alone


def with_levels(jobs: list[Job]) -> list[Job]:
    """The same jobs, with less optimisation for the files of ours that are not on the hot path."""
    return [(*job[:4], [*job[4], "-O1"], *job[5:]) if Path(job[1]).name.startswith(COLD) else job for job in jobs]


class ParallelBuild(build_ext):
    """Compiles all C files at once, on every core, and only those that changed. Builds every extension or none."""

    def build_extensions(self) -> None:
        self.parallel = os.cpu_count() or 1  # linking, too
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
            jobs = with_levels(jobs)
            compiler._compile = lambda *job: None  # everything is compiled below; what is left is to link it
            # The longest first: nothing is left waiting for one large file at the end.
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
    """Compile one C file, unless the object beside it was made from the same file, headers and flags."""
    target, source, _, arguments, flags, _ = job
    settings = [word for word in arguments if not word.startswith("-I")]  # those headers go with mypy and with Python
    total = hashlib.sha256(repr((sys.version, version("mypy"), command, settings, flags)).encode())
    for path in (Path(source), *sorted(Path("build").glob("*.h"))):
        total.update(path.read_bytes())
    made, stamp = Path(target), Path(f"{target}.sha256")
    if made.exists() and stamp.exists() and stamp.read_text() == total.hexdigest():
        return
    stamp.unlink(missing_ok=True)
    compile_one(*job)
    stamp.write_text(total.hexdigest())


setup(ext_modules=extensions(), cmdclass={"build_ext": ParallelBuild})
