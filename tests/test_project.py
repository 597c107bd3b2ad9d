"""The project's own rules: allowed imports, pinned packages, and the contents of the sources."""

import ast
import doctest
import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "grandtour"
WEB_LIBRARIES = {"starlette", "uvicorn", "uvloop", "websockets", "httpx", "markdown_it"}
ROOMS = {path.stem for path in PACKAGE.iterdir() if path.stem != "__init__"}
RL_KNOWS = {"engine", "players", "rl"}
LEARNING = {
    "features": [["grandtour", "rl", "features"]],
    "encoder": [["grandtour", "rl", "encoder"]],
    "encoder_talk": [["grandtour", "rl", "encoder"]],
}
"""The modules of rl that a game's files for learning may import."""
PLAYING = {
    "grandtour.players.network": [["grandtour", "rl", "encoder"]],
    "grandtour.players.weights": [["grandtour", "rl", "encoding"]],
}
"""The modules of rl that the player with a network may import: neither needs other packages."""
SOURCES = sorted(PACKAGE.rglob("*.py"))
BY_ITSELF = {"torch"}
"""Packages that are needed only for training and differ by processor. The extra pins them, and no test needs them."""
PIN = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[0-9][0-9A-Za-z.+]*")


def module_of(path: Path) -> str:
    """The dotted name of a source file: a folder's `__init__.py` has the folder's name."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, module: str, is_package: bool) -> set[str]:
    """All dotted names that this source imports, also inside functions, with relative names resolved."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")
            above = above[: len(above) - node.level + is_package] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            found |= {origin} | {f"{origin}.{alias.name}" for alias in node.names}
    return found


def objection(module: str, imported: str) -> str | None:
    """The rule that an import breaks; None if it is allowed."""
    layer = module.split(".")[1:2]
    target = imported.split(".")
    if target[:2] == ["grandtour", "cli"] and layer != ["cli"] and module != "grandtour.__main__":
        return "nothing imports cli"
    if target[:2] == ["grandtour", "testing"] and layer != ["testing"]:
        return "tests alone import testing"
    if layer == ["games"] and target[:3] in LEARNING.get(module.split(".")[-1], []):
        return None
    if target[:3] in PLAYING.get(module, []):
        return None
    if target[:2] == ["grandtour", "rl"] and layer not in (["rl"], ["cli"]):
        return "nothing needs the learners' packages: nothing imports rl"
    if layer == ["rl"] and target[0] == "grandtour" and target[1:2] != [] and target[1] in ROOMS - RL_KNOWS:
        return "rl knows the engine, its catalogue of games and the players"
    if layer not in (["engine"], ["games"]):
        return None
    if target[0] in WEB_LIBRARIES:
        return f"{layer[0]} imports no web library"
    if target[0] != "grandtour" or target[1:2] == [] or target[1] not in ROOMS:
        return None
    if layer == ["engine"] and target[1] != "engine":
        return "the engine knows no game, no player and no server"
    if layer == ["games"] and target[1] == "games":
        return None if target[2:3] == module.split(".")[2:3] or len(target) == 2 else "a game imports no other game"
    if layer == ["games"] and target[1] != "engine":
        return "a game knows the engine and itself, nothing else"
    return None


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_imports_stay_within_the_allowed_layers(path: Path) -> None:
    module = module_of(path)
    for imported in sorted(imports(path.read_text("utf-8"), module, path.name == "__init__.py")):
        wall = objection(module, imported)
        assert wall is None, f"{module} imports {imported}, but {wall}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("grandtour.engine.match", "from grandtour.games import round_trip"),
        ("grandtour.engine.match", "def f():\n    import starlette.requests"),
        ("grandtour.engine.match", "from ..players import make"),
        ("grandtour.games.round_trip.rules", "import grandtour.games.itchy_feet.parts"),
        ("grandtour.games.round_trip.rules", "from grandtour.games import itchy_feet"),
        ("grandtour.games.round_trip.view", "from grandtour import server"),
        ("grandtour.server.http.app", "from grandtour.cli import main"),
        ("grandtour.players.search", "from grandtour import cli"),
        ("grandtour.players.search", "from grandtour.rl import env"),
        ("grandtour.arena.report", "def f():\n    from grandtour import rl"),
        ("grandtour.games.round_trip.view", "from grandtour.rl.features import Record"),
        ("grandtour.games.round_trip.features", "from grandtour.rl.table import mask"),
        ("grandtour.games.postcards_home", "from grandtour.testing import Table"),
        ("grandtour.rl.environment", "from grandtour.games import round_trip"),
        ("grandtour.rl.environment", "from grandtour.protocol import messages"),
        ("grandtour.players.weights", "from grandtour.rl.table import mask"),
        ("grandtour.players.hard", "from grandtour.rl.encoding import encoder_of"),
    ],
)
def test_a_forbidden_import_is_detected(module: str, source: str) -> None:
    assert any(objection(module, imported) for imported in imports(source, module, False)), "it was not detected"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("grandtour.engine.match", "from grandtour.engine.dice import Dice"),
        ("grandtour.games.round_trip.view", "from . import parts"),
        ("grandtour.games.round_trip.view", "from grandtour.games.round_trip import parts"),
        ("grandtour.server.http.app", "import starlette"),
        ("grandtour.games.round_trip.features", "from grandtour.rl.features import Record"),
        ("grandtour.rl.environment", "from grandtour.engine.catalogue import game"),
        ("grandtour.rl.environment", "from grandtour.rl.table import mask"),
    ],
)
def test_an_allowed_import_is_accepted(module: str, source: str) -> None:
    assert not any(objection(module, imported) for imported in imports(source, module, False)), "it was refused"


PAGE = [path for kind in ("*.svelte", "*.ts") for path in (ROOT / "web" / "src").rglob(kind)]


def test_the_page_does_not_select_by_test_ids() -> None:
    found = [path.name for path in PAGE if "[data-testid" in path.read_text("utf-8")]
    assert not found, f"use data-anchor, not data-testid, in {', '.join(found)}"


def test_each_breakpoint_is_defined_once() -> None:
    widths = json.loads((ROOT / "web/src/kit/breakpoints.json").read_text("utf-8")).values()
    edges = "|".join(str(edge) for width in widths for edge in (width, width + 1))
    found = [path.name for path in PAGE if re.search(rf"(max|min)-width: ({edges})px", path.read_text("utf-8"))]
    assert not found, f"use the names in svelte.config.js, such as @media (--phone), in {', '.join(found)}"


def test_nothing_is_compiled_in_place() -> None:
    stray = [str(path.relative_to(ROOT)) for kind in ("*.so", "*.pyd") for path in (ROOT / "src").rglob(kind)]
    assert not stray, f"a library beside its source hides every later edit: remove {', '.join(stray)}"


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_a_file_stays_small(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= 600, f"{path.name} has {lines} lines: some idea in it wants a name and a file of its own"


def pins(name: str) -> dict[str, str]:
    """The pins of a requirements file, by package name as PyPI compares names."""
    found = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)", (ROOT / "requirements" / name).read_text("utf-8"), re.M)
    return {plain(package): version for package, version in found}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.split("[")[0]).lower()


@pytest.mark.parametrize("path", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_every_python_package_is_pinned_by_version_and_by_hash(path: Path) -> None:
    """Except the libraries that `make bench` compares with, which are installed for nothing else."""
    text = path.read_text("utf-8").replace(" \\\n    --hash=sha256:", " ")
    for line in text.splitlines():
        if line and not line.startswith("# "):
            pin, *hashes = line.partition(";")[0].split(" ")
            assert PIN.fullmatch(pin), f"{path.name}: {pin!r} is not of the form name==version"
            assert hashes or path.name == "bench.txt", f"{path.name}: run `make pins`, {pin} has no hash"
            for each in hashes:
                assert re.fullmatch(r"[0-9a-f]{64}", each), f"{path.name}: {each!r} is not a hash of {pin}"


def test_the_pins_satisfy_the_requirements_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for wanted in project["project"]["dependencies"]:
        name = plain(re.split(r"[<>=; ]", wanted)[0])
        assert name in pins("run.txt"), f"requirements/run.txt does not pin {name}"
    together = pins("run.txt") | pins("arena.txt") | pins("postgres.txt") | pins("push.txt") | pins("test.txt")
    for extra, packages in project["project"]["optional-dependencies"].items():
        for wanted in packages:
            name = plain(re.split(r"[<>=; ]", wanted)[0])
            assert extra != "server" or name in pins("run.txt"), f"requirements/run.txt does not pin {name}"
            assert name in {*together, *BY_ITSELF, "grandtour"}, (
                f"no requirements file pins {name} of the extra {extra}"
            )
    for wanted in project["build-system"]["requires"]:
        name, version = wanted.split("==")
        assert pins("build.txt").get(plain(name)) == version, f"requirements/build.txt has another version of {name}"


def test_files_that_are_installed_together_pin_the_same_versions() -> None:
    files = ("run.txt", "arena.txt", "build.txt", "postgres.txt", "push.txt", "test.txt")
    together = {package: version for name in files for package, version in pins(name).items()}
    for name in files:
        for package, version in pins(name).items():
            assert together[package] == version, f"{package} is pinned to two different versions"


def test_dependencies_of_pinned_packages_are_pinned_too() -> None:
    for names in (("run.txt",), ("run.txt", "arena.txt"), ("run.txt", "postgres.txt"), ("run.txt", "push.txt")):
        pinned = {package for name in names for package in pins(name)}
        for package in pinned:
            for wanted in map(Requirement, distribution(package).requires or ()):
                needed = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
                assert not needed or plain(wanted.name) in pinned, f"pin {wanted.name}, which {package} needs"


def npm_lock() -> dict[str, Any]:
    """The packages in web/package-lock.json, by their folder."""
    packages: dict[str, Any] = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    return packages


def test_npm_packages_are_locked_for_every_platform() -> None:
    manifest = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    for kind in ("dependencies", "devDependencies", "overrides"):
        for name, version in manifest.get(kind, {}).items():
            assert re.fullmatch(r"\d+\.\d+\.\d+\S*", version), (
                f"web/package.json: {name} {version} is not an exact version"
            )
    locked = npm_lock()
    for place, package in locked.items():
        for name in package.get("optionalDependencies", {}):
            assert any(other.endswith(f"node_modules/{name}") for other in locked), f"the lock lacks {name} for {place}"


def test_no_file_contains_download_addresses_of_packages() -> None:
    for path in sorted({*ROOT.glob("requirements/*.txt"), ROOT / "web" / ".npmrc", ROOT / "web" / "package.json"}):
        found = re.findall(r"https?://\S+|^registry *=.*|--(?:extra-)?index-url.*", path.read_text("utf-8"), re.M)
        assert not found, f"{path.name} contains a download address: {found[0]}"
    addressed = [place for place, package in npm_lock().items() if "resolved" in package]
    assert not addressed, f"package-lock.json contains a download address for {addressed[0]}"


def direct_packages() -> set[str]:
    """The Python and npm packages that we depend on directly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    chosen = {re.split(r"[<>=;\[ ]", each)[0] for each in wanted} - {"grandtour"}
    return chosen | set(manifest.get("dependencies", {})) | set(manifest.get("devDependencies", {}))


def test_the_authors_of_all_packages_are_credited() -> None:
    credits = (ROOT / "CREDITS.md").read_text("utf-8")
    missing = sorted(name for name in direct_packages() if f"`{name}`" not in credits)
    assert not missing, f"CREDITS.md does not name {', '.join(missing)}"


def test_all_rows_of_a_table_in_the_docs_have_the_same_number_of_cells() -> None:
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/grandtour/games/*/*.md")]
    assert len(files) > 10
    for file in files:
        head = 0
        for number, line in enumerate(re.sub(r"`[^`\n]*`", "code", file.read_text()).splitlines(), 1):
            cells = line.count("|") - 1 if line.startswith("|") else 0
            assert not head or not cells or cells == head, f"{file.name}, line {number}: {cells} cells, not {head}"
            head = cells and (head or cells)


@pytest.mark.parametrize("name", ["README.md", "docs/api.md", "docs/learning.md"])
def test_the_examples_in_a_document_run_as_shown(name: str) -> None:
    outcome = doctest.testfile(str(ROOT / name), module_relative=False)
    assert outcome.attempted > 0, f"{name} shows no example"
    assert outcome.failed == 0, f"an example in {name} gives a different result"


FAST_GAMES = sorted(path.parent for path in PACKAGE.glob("games/*/rules.py"))
ROLES = ("bot", "features", "knowledge", "parts", "referee", "rules", "search", "state", "study", "view")
OPTIONAL_ROLES = ("__init__", "edits", "encoder", "text", "why", "words")
SUB_FOLDERS = ("mechanics", "strategy")
"""The sub-folders of a game: parts of its rules, and evaluation and planning for its bots."""


@pytest.mark.parametrize("folder", FAST_GAMES, ids=lambda folder: folder.name)
def test_the_same_role_has_the_same_file_in_every_game(folder: Path) -> None:
    missing = [f"{role}.py" for role in ROLES if not (folder / f"{role}.py").exists()]
    assert not missing, f"{folder.name} has no {', '.join(missing)}"
    assert (ROOT / "tests" / "games" / folder.name / "positions.py").exists(), "its tests have no positions.py"


@pytest.mark.parametrize("folder", FAST_GAMES, ids=lambda folder: folder.name)
def test_files_that_only_one_game_has_are_in_sub_folders(folder: Path) -> None:
    """A long file may be split; the second begins with the name of the first: `view_types.py`, `encoder_talk.py`."""
    known = {*ROLES, *OPTIONAL_ROLES}
    stray = [
        path.name for path in folder.glob("*.py") if path.stem not in known and path.stem.split("_")[0] not in known
    ]
    assert not stray, f"move {', '.join(stray)} to one of {', '.join(SUB_FOLDERS)}"
    others = {path.parent.name for path in folder.glob("*/*.py")} - set(SUB_FOLDERS)
    assert not others, f"{folder.name} has the folders {', '.join(sorted(others))}"
