"""Errors during the set-up are explained in one sentence and leave nothing half done."""

import ast
import errno
import importlib.util
import os
import runpy
import shutil
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.start.test_start import ROOT, bare_environment, clone

sys.path.insert(0, str(ROOT / "tools"))

import debian
import packages
import steps

SET_UP = str(ROOT / "tools" / "setup.py")
NOWHERE = "http://127.0.0.1:9/"
"""An address where nothing listens, so connections fail as on a machine without a network."""
UNREACHABLE = {
    "PIP_INDEX_URL": NOWHERE,
    "UV_INDEX_URL": NOWHERE,
    "UV_DEFAULT_INDEX": NOWHERE,
    "npm_config_registry": NOWHERE,
}


def set_up(checkout: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(checkout / "tools" / "setup.py"), *words]
    environment = {**bare_environment(), **variables}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize(
    ("variables", "again"),
    [({"MAKELEVEL": "0"}, "make play PORT="), ({}, "python3 tools/setup.py play --port ")],
    ids=["with make", "without make"],
)
def test_a_used_port_is_reported_before_the_set_up(variables: dict[str, str], again: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = set_up(clone(tmp_path), "play", "--port", str(port), **variables)
    assert refused.returncode == 1
    assert refused.stderr == f"Port {port} is in use. Choose another: {again}{port + 1}\n"
    assert refused.stdout == ""


def test_a_read_only_data_folder_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refuse = runpy.run_path(SET_UP)["refuse_read_only_data"]
    refuse(str(tmp_path / "not" / "there" / "yet"))
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)  # root may write anywhere, else
    monkeypatch.setenv("MAKELEVEL", "0")
    with pytest.raises(steps.Stop) as refused:
        refuse(str(tmp_path / "data"))
    assert str(refused.value) == (
        f"Tables cannot be stored in {tmp_path}/data. Choose another folder: make play DATA=~/grandtour"
    )


def test_a_missing_network_is_reported_in_one_sentence(tmp_path: Path) -> None:
    nothing_cached = {
        "HOME": str(tmp_path),
        "PIP_NO_CACHE_DIR": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
    }
    refused = set_up(clone(tmp_path), "play", "--port", "0", **UNREACHABLE, **nothing_cached, UV_HTTP_RETRIES="0")
    assert refused.returncode == 1
    assert "the network or the package registry cannot be reached" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert len(refused.stderr.splitlines()) <= 7, refused.stderr


def test_an_early_compiler_exits_when_its_parent_process_dies(tmp_path: Path) -> None:
    """When the parent dies, the compiler's standard input is closed before the server is reported as running."""
    ended = set_up(clone(tmp_path), "compile", "--early", **UNREACHABLE)
    assert ended.returncode == 130
    assert ended.stdout == ended.stderr == ""


def test_a_python_without_pip_or_venv_is_reported_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked_for: list[str] = []
    monkeypatch.setattr(debian, "install", lambda package: asked_for.append(package))
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}" if program == "apt-get" else None)
    monkeypatch.setattr(packages, "_pip", lambda: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    package = f"python3.{sys.version_info.minor}-venv"
    for what, need in (("pip", packages.pip), ("venv", lambda: packages.environment(tmp_path / "env"))):
        with pytest.raises(steps.Stop) as refused:
            need()
        first, command = str(refused.value).splitlines()
        assert first == f"This Python comes without {what}. Install it, then run the same command again:"
        assert command.endswith(f"apt-get install {package}")
    assert asked_for == [package, package], "the user may install it, but the set-up does not"


def test_a_command_that_starts_while_ctrl_c_is_pressed_is_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[subprocess.Popen[str]] = []
    start = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
        started.append(start(*arguments, **options))
        steps.stop_all()  # it does not know of this command yet
        return started[0]

    monkeypatch.setattr(steps, "LOGS", tmp_path)
    monkeypatch.setattr(steps, "_stopping", threading.Event())
    monkeypatch.setattr(subprocess, "Popen", popen)
    with pytest.raises(KeyboardInterrupt):
        steps.run("sleep", "sleep", "60")
    assert started[0].poll() is not None


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full."),
        ("npm error code ENOTFOUND", "the network or the package registry cannot be reached"),
        ("PermissionError: [Errno 13] Permission denied: 'x'", "could not be written"),
        ("src/a.py:3: error: Name 'x' is not defined", "stopped because pip failed"),
    ],
)
def test_a_failure_is_explained(output: str, sentence: str) -> None:
    noise = "\n".join(f"Collecting package-{number}" for number in range(50))
    said = steps.explain(f"{noise}\n{output}\n{noise}", "pip", steps.LOGS / "wheel.log")
    assert sentence in said
    assert output in said, "the line that matters is shown"
    assert "Collecting" not in said
    assert said.endswith("The full output is in build/logs/wheel.log.")


def run_help_with(change: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run `tools/setup.py --help` with a change to `sys`, and only this folder in PATH."""
    # Its imports come first, because modules of the standard library look at `sys` too.
    imports = "import argparse, runpy, socket, subprocess, sys"
    program = (
        f"{imports}; {change}; sys.argv = [{SET_UP!r}, '--help']; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env={"PATH": str(path)}, capture_output=True, text=True, timeout=60)


def test_windows_is_refused_with_a_hint_to_use_wsl(tmp_path: Path) -> None:
    refused = run_help_with("sys.platform = 'win32'", tmp_path)
    assert refused.returncode == 1
    assert refused.stderr == "The set-up runs on Linux and macOS. On Windows, run it inside WSL.\n"


def test_an_old_python_is_refused_when_there_is_no_newer_one(tmp_path: Path) -> None:
    (tmp_path / "python3.13").write_text("#!/bin/sh\nexit 127\n")  # pyenv leaves such stubs
    (tmp_path / "python3.13").chmod(0o755)
    refused = run_help_with("sys.version_info = (3, 10, 4, 'final', 0)", tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Grand Tour needs Python 3.11 or newer; this is Python 3.10.")
    (tmp_path / "python3.12").symlink_to(Path(sys.executable).resolve())
    goes_on = run_help_with("sys.version_info = (3, 10, 4, 'final', 0)", tmp_path)
    assert goes_on.returncode == 0, goes_on.stderr
    assert goes_on.stdout.startswith("usage: tools/setup.py")


def test_the_version_check_runs_on_very_old_pythons() -> None:
    source = Path(SET_UP).read_text("utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert "from __future__" not in source, "Python 3.6 does not know `annotations`"
    checked = source.index("sys.version_info < OLDEST_PYTHON")
    assert checked < source.index("from steps import"), "the other files need a Python that is new enough"


def test_packages_for_tests_are_kept_when_the_page_is_built_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed: list[tuple[str, ...]] = []

    def npm(log: str, *words: str) -> None:
        (tmp_path / "node_modules").mkdir(exist_ok=True)
        installed.append(words)

    monkeypatch.setattr(packages, "WEB", tmp_path)
    monkeypatch.setattr(packages, "npm", npm)
    monkeypatch.setattr(packages, "digest", lambda *inputs: (tmp_path / "package.json").read_text())
    monkeypatch.setattr(packages, "Step", partial(steps.Step, stamps=tmp_path / "stamps"))

    def omits_what_tests_need(tests: bool, lock: str) -> bool | None:
        """None if nothing was installed."""
        installed.clear()
        (tmp_path / "package.json").write_text(lock)
        packages.install_page_packages(tests)
        return "--omit=dev" in installed[0] if installed else None

    assert omits_what_tests_need(False, "first lock") is True
    assert omits_what_tests_need(True, "first lock") is False
    assert omits_what_tests_need(False, "first lock") is None
    assert omits_what_tests_need(False, "second lock") is False
    assert omits_what_tests_need(True, "second lock") is None
    (tmp_path / "node_modules").rmdir()
    assert omits_what_tests_need(False, "second lock") is False


def test_an_environment_whose_python_is_not_readable_is_created_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """For example because its Python belongs to another user."""
    python = tmp_path / "python"
    python.touch()
    step = steps.Step("environment", "making it", "inputs", python, tmp_path / "stamps")
    with step.run():
        pass
    assert not step.due()
    look = os.stat

    def refused(path: Any, **how: Any) -> os.stat_result:
        if os.fspath(path) == str(python):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path, **how)

    monkeypatch.setattr(os, "stat", refused)
    assert step.due()
