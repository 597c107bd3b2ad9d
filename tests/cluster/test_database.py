"""The tests' own PostgreSQL leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import psutil

from tests.cluster.database import Postgres, programs

RUN = """
import sys
from pathlib import Path
from tests.cluster.database import Postgres
server = Postgres(Path(sys.argv[1]))
print(server.process_id, server.folder, flush=True)
sys.stdin.read()
"""


def test_a_run_that_is_killed_leaves_no_database_running(postgres: Postgres) -> None:
    found = programs()
    assert found is not None
    command = [sys.executable, "-c", RUN, str(found)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        number, folder = run.stdout.readline().split()
        database = psutil.Process(int(number))
        guard = next(child for child in psutil.Process(run.pid).children() if folder in child.cmdline())
        run.kill()
    _, alive = psutil.wait_procs([database, guard], timeout=30)
    assert not alive, f"still running: {[process.cmdline() for process in alive]}"
    assert not Path(folder).exists()
