"""The files for operators work: the systemd unit, the settings, and the commands in the guide."""

import configparser
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from grandtour.server.configuration import configure
from grandtour.server.metrics import Metrics

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "grandtour.service"
SETTINGS = ROOT / "deploy" / "grandtour.toml"
GUIDE = ROOT / "docs" / "operate.md"
ANALYZE = shutil.which("systemd-analyze")
EXPOSURE = 20
"""Tenths, as `systemd-analyze security` counts: 0 is nothing, 100 everything."""


def service() -> dict[str, str]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(UNIT, "utf-8")
    return dict(parser["Service"])


def test_the_unit_starts_a_server_and_stops_it(tmp_path: Path) -> None:
    unit = service()
    words = shlex.split(unit["ExecStart"])
    assert words[0].endswith("/grandtour")
    assert words[-1] == "/etc/grandtour.toml"
    variable, _, folder = unit["Environment"].partition("=")
    assert folder == f"/var/lib/{unit['StateDirectory']}"
    command = [sys.executable, "-m", "grandtour", *words[1:-1], str(SETTINGS), "--port", "0"]
    server = subprocess.Popen(
        command, env={**os.environ, variable: str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, said
        with urllib.request.urlopen(found[0] + "metrics") as answer:
            assert b"grandtour_store_ok 1" in answer.read()
        assert [path.name for path in tmp_path.glob("*.db")] == ["grandtour.db"]
        server.send_signal(signal.SIGTERM)
        _, log = server.communicate(timeout=20)
    finally:
        if server.poll() is None:
            server.kill()
            server.communicate()
    assert server.returncode == 0, "systemd would report a failure"
    assert "Traceback" not in log


def test_systemd_accepts_the_unit_and_rates_it_secure(tmp_path: Path) -> None:
    if ANALYZE is None:
        pytest.skip("there is no systemd here")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/grandtour/bin/grandtour", sys.executable), "utf-8")
    checked = subprocess.run([ANALYZE, "verify", str(unit)], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    closed = subprocess.run(
        [ANALYZE, "security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE}", str(unit)],
        capture_output=True,
        text=True,
    )
    assert closed.returncode == 0, closed.stdout[-200:] + closed.stderr


def test_the_shipped_settings_are_valid() -> None:
    settings, _ = configure(SETTINGS)
    assert settings.hosts == {"play.example.org"}
    assert settings.metrics_from == {"127.0.0.1"}


def test_every_metric_in_the_guide_exists() -> None:
    text = GUIDE.read_text("utf-8")
    there = Metrics().text({})
    sources = (ROOT / "src" / "grandtour" / "server").rglob("*.py")
    gauges = "".join(path.read_text("utf-8") for path in sources)
    for name in set(re.findall(r"\b(?:grandtour|process)_[a-z_]+", text)) - {"grandtour_"}:
        known = re.sub("_(bucket|sum|count)$", "", name)
        assert known in there or f'"{known}"' in gauges, f"the guide mentions {name}, which does not exist"


def test_every_file_the_guide_mentions_exists() -> None:
    for path in re.findall(r"`(deploy/[\w.]+)`", GUIDE.read_text("utf-8")):
        assert (ROOT / path).is_file(), f"{path} does not exist"


def test_the_guide_installs_the_pinned_packages() -> None:
    text = GUIDE.read_text("utf-8")
    installed = re.findall(r"^/opt/grandtour/bin/pip install (.*)$", text, re.M)
    assert installed, "the guide installs nothing"
    for line in installed:
        hashed = line == "--require-hashes -r requirements/run.txt"
        assert hashed or "--no-deps" in line.split(), f"{line!r} installs packages without checking their hashes"
    assert (ROOT / "requirements" / "run.txt").is_file()
