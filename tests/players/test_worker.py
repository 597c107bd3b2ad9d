"""Worker processes, in which bots think and games are played."""

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor

from grandtour.players.worker import submit


def test_ctrl_c_does_not_reach_a_process_while_it_starts() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        blocked = submit(pool, signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()), "Ctrl-C is still blocked in this process"
