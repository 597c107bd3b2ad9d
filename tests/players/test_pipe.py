"""External programs as bots: what is sent to them, and that none of them can break a run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from grandtour.arena.play import ProgramSettings, Seating, play_out, starting_position
from grandtour.arena.simulation import Plan, Simulation, make_plan
from grandtour.arena.tally import Tally
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import make, pipe, program
from grandtour.players.player import FORFEITS
from grandtour.protocol import messages

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
SHORT = {"turn_limit": 10}
HONEST = """
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now" and message["legal"]:
            answer(message, message["legal"][0]["move"])
"""
LOOP = """
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] != "now" or not message["legal"]:
            continue
        legal = [choice["move"] for choice in message["legal"]]
"""


class Workshop:
    """Writes bots into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def bot(self, body: str, name: str = "bot") -> str:
        """Write a bot with this body, which can `answer` a message with a move. It records each of its starts."""
        head = f"""#!{sys.executable} -IS
import json, os, signal, sys, time
def answer(message, move, **other):
    n = message["n"]
    print(json.dumps({{"type": "move", "id": str(n), "at": n, "move": move, **other}}), flush=True)
with open({str(self.folder / name)!r} + ".starts", "a") as starts:
    print(os.getpid(), file=starts)
"""
        lines = body.strip("\n").split("\n")
        indent = len(lines[0]) - len(lines[0].lstrip())
        file = self.folder / name
        file.write_text(head + "\n".join(line[indent:] for line in lines) + "\n", "utf-8")
        file.chmod(0o755)
        return str(file)

    def starts(self, name: str = "bot") -> list[int]:
        """The process ids of a bot, one per start."""
        return [int(line) for line in (self.folder / f"{name}.starts").read_text().split()]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    monkeypatch.setattr(pipe, "STARTUP_SECONDS", 10.0)
    yield Workshop(tmp_path)
    pipe.end_bots()


def run(players: list[str], games: int = 2, jobs: int = 1, deadline: float = 20.0, game: str = "round-trip") -> Tally:
    options = SHORT if game == "round-trip" else None
    simulated = Simulation(make_plan(game, players, games, 7, options, deadline), jobs)
    simulated.run(lambda _: None)
    return simulated.tally


def forfeits(tally: Tally, player: int = 0) -> dict[str, int]:
    return {why: count for why, count in zip(FORFEITS, tally.forfeits[player], strict=True) if count}


def runs(process: int) -> bool:
    """Whether a process is still running; a zombie is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def still_running(processes: list[int]) -> list[int]:
    """The processes that are still running after a while. Killed processes take a moment to disappear."""
    for _ in range(400):
        if not any(runs(process) for process in processes):
            break
        time.sleep(0.05)
    return [process for process in processes if runs(process)]


def test_a_bot_asked_out_of_turn_need_not_move(workshop: Workshop) -> None:
    """In The Journey: Istanbul, players may talk on another player's turn, but need not."""
    body = (
        LOOP
        + """
        if message["waiting"] == [message["view"]["you"]]:
            answer(message, legal[0])
        else:
            print("asked", file=open(__file__ + ".asked", "a"))
            answer(message, None)
    """
    )
    tally = run([workshop.bot(body), "normal"], games=1, game="journey-istanbul")
    assert (workshop.folder / "bot.asked").exists(), "it was never asked"
    assert forfeits(tally) == {}


def test_a_bot_that_has_to_move_must_move(workshop: Workshop) -> None:
    tally = run([workshop.bot(LOOP + "        answer(message, None)"), "random"], games=1)
    assert list(forfeits(tally)) == ["illegal"]


def test_a_bot_that_crashes_out_of_turn_makes_no_move(workshop: Workshop) -> None:
    """No random move is made for it, since the random player never moves out of turn."""
    found = games()["journey-istanbul"]
    plan = make_plan("journey-istanbul", [workshop.bot("sys.exit()"), "normal"], 1, 7, None, 20.0)
    log: list[tuple[bool, int]] = []

    def on_move(state: State, seat: int, move: int, legal: list[int]) -> None:
        log.append((seat in state.waiting(), seat))

    state = starting_position(found, plan.options, 7, Seating(0, (0, 1)))
    programs = ProgramSettings(plan.options, plan.deadline)
    play_out(found, state, plan.players, 7, Seating(0, (0, 1)), on_move, programs)
    assert (True, 0) in log
    assert (False, 1) in log, "normal never spoke out of turn"
    assert (False, 0) not in log, "a random move was made for a program that need not move"


def test_an_honest_bot_forfeits_nothing_in_any_seat(workshop: Workshop) -> None:
    tally = run([workshop.bot(HONEST), "random", "random"], games=3)
    assert tally.games == 3
    assert forfeits(tally) == {}


def test_a_bot_is_started_once_as_a_check_and_once_to_play(workshop: Workshop) -> None:
    run([workshop.bot(HONEST), "random"], games=4)
    assert len(workshop.starts()) == 2


def test_a_bot_that_plays_itself_is_two_programs(workshop: Workshop) -> None:
    path = workshop.bot(HONEST)
    tally = run([path, path])
    assert len(set(workshop.starts())) == 4, "the two seats could have shared what they see"
    assert forfeits(tally, 0) == forfeits(tally, 1) == {}


def test_results_do_not_depend_on_the_number_of_processes(workshop: Workshop) -> None:
    players = [workshop.bot(HONEST), "random"]
    assert vars(run(players, games=22, jobs=2)) == vars(run(players, games=22))


@pytest.mark.parametrize("game", games())
def test_a_bot_can_play_every_game(workshop: Workshop, game: str) -> None:
    players = [str(EXAMPLES / "bot.py"), "random"]
    assert forfeits(run(players, games=1, game=game)) == {}


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs"])
def test_the_examples_play_by_the_rules_and_beat_random(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # If the machine has no Node, the set-up installed one next to Python.
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{Path(sys.executable).parent}")
    plan = make_plan("round-trip", [str(EXAMPLES / name), "random"], 20, 7, {"turn_limit": 60}, 20)
    simulated = Simulation(plan)
    simulated.run(lambda _: None)
    assert forfeits(simulated.tally) == {}
    assert simulated.tally.wins[0] > 12, "it makes round trips whenever it can, so it should beat random play"


def test_a_bot_that_prints_something_and_exits_forfeits_its_moves_but_the_run_continues(workshop: Workshop) -> None:
    tally = run([workshop.bot("print('hello', flush=True)"), "random"])
    assert tally.games == 2
    assert sum(forfeits(tally).values()) > 0


MALFORMED = {
    "not JSON": LOOP + "        print('hm, let me see', flush=True)",
    "not a message": LOOP + "        print('[1, 2, 3]', flush=True)",
    "another message": LOOP + "        print(json.dumps({'type': 'undo', 'id': 'a', 'at': 1}), flush=True)",
    "a field the protocol does not have": LOOP + "        answer(message, legal[0], seat=1)",
    "deep nesting": LOOP + "        print('[' * 60_000, flush=True)",
    "not UTF-8": LOOP + "        sys.stdout.buffer.write(bytes([0xff, 0x0a])); sys.stdout.flush()",
    "a number that is not a number": LOOP + "        answer(message, legal[0], at='soon')",
    "a line without an end": "while True: sys.stdout.write('a' * 10_000)",
    "lines without an end": "while True: print('a' * 50)",
    "a line that is too long": LOOP + "        answer(message, legal[0], id='a' * 100_000)",
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_answer_forfeits_the_move(workshop: Workshop, body: str) -> None:
    tally = run([workshop.bot(body), "random"], games=1)
    assert forfeits(tally).get("malformed", 0) > 0
    assert tally.games == 1


ILLEGAL = {
    "an illegal move": LOOP + "        answer(message, {'do': 'give', 'ticket': 'Milano-Roma'})",
    "a move that no game has": LOOP + "        answer(message, {'do': 'win'})",
    "no move": LOOP + "        answer(message, None)",
    "a deep move": LOOP + "        answer(message, {'do': 'lay', 'tickets': [[[['Milano-Roma']]]]})",
    "another position": LOOP + "        answer(message, legal[0], at=message['n'] + 1)",
    "the same id again": LOOP + "        answer(message, legal[0], id='1')",
    "an id that is too long": LOOP + "        answer(message, legal[0], id='a' * 65)",
}


@pytest.mark.parametrize("body", ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_answer_forfeits_the_move(workshop: Workshop, body: str) -> None:
    tally = run([workshop.bot(body), "random"], games=1)
    assert forfeits(tally).keys() == {"illegal"}
    assert tally.games == 1


def test_an_answer_to_an_earlier_position_is_refused_as_stale(workshop: Workshop) -> None:
    body = """
    before = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now" and message["legal"]:
            if message["n"] % 2:
                answer(message, message["legal"][0]["move"])
            else:
                answer(before, message["legal"][0]["move"], id="new" + str(message["n"]))
            before = message
    """
    tally = run([workshop.bot(body), "random"], games=1)
    assert forfeits(tally).keys() == {"illegal"}


def test_a_bot_is_told_why_its_move_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "refused":
            open({str(heard)!r}, "w").write(line)
        elif message["type"] == "now" and message["legal"]:
            answer(message, {{"do": "give", "ticket": "Milano-Roma"}})
    """
    run([workshop.bot(body), "random"], games=1)
    refused = msgspec.json.decode(heard.read_bytes())
    assert refused["code"] == "not-legal"
    assert refused["rule"].startswith("RT-")
    assert refused["reason"].endswith(".")


def test_a_bot_that_always_crashes_is_restarted_a_limited_number_of_times(workshop: Workshop) -> None:
    tally = run([workshop.bot("sys.exit(1)"), "random"], games=2)
    assert tally.games == 2
    assert forfeits(tally).keys() == {"crashed"}
    assert len(workshop.starts()) <= pipe.MAX_CRASHES + 2


def test_a_crashed_bot_is_restarted_in_the_same_game(workshop: Workshop) -> None:
    body = """
    moves = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now" and message["legal"]:
            moves += 1
            if moves == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            answer(message, message["legal"][0]["move"])
    """
    tally = run([workshop.bot(body), "random"], games=1)
    crashed = forfeits(tally)["crashed"]
    assert crashed > 1
    assert tally.moves / 2 > crashed, "the moves between the crashes were its own"


def test_a_bot_may_exit_after_a_game(workshop: Workshop) -> None:
    body = """
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now":
            if message["result"]:
                break
            answer(message, message["legal"][0]["move"])
    """
    tally = run([workshop.bot(body), "random"], games=8)
    assert forfeits(tally) == {}
    assert len(workshop.starts()) == 9


def test_a_bot_that_closes_its_output_has_crashed(workshop: Workshop) -> None:
    tally = run([workshop.bot("os.close(1)\ntime.sleep(1000)"), "random"], games=1)
    assert forfeits(tally).keys() == {"crashed"}


def test_a_bot_that_never_answers_is_late_and_then_not_restarted(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipe, "STARTUP_SECONDS", 0.0)
    tally = run([workshop.bot("time.sleep(1000)"), "random"], games=1, deadline=0.02)
    assert forfeits(tally)["late"] == pipe.MAX_CRASHES * pipe.MAX_LATE
    assert len(workshop.starts()) <= pipe.MAX_CRASHES + 1


def test_a_late_answer_is_not_taken_for_the_next_move(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot holds back its first answer until the second question, then sends both at once."""
    monkeypatch.setattr(pipe, "STARTUP_SECONDS", 0.0)
    body = """
    kept = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now" and message["legal"]:
            kept.append((message, message["legal"][0]["move"]))
            if len(kept) != 1:
                for each in kept if len(kept) == 2 else kept[-1:]:
                    answer(*each)
    """
    player = pipe.Pipe(workshop.bot(body), 1.5)
    game = games()["round-trip"]
    state = game.new(2, check_options(game.options, {"start": "1"}), QuickDice(1))
    player.begin(game, 2, {}, 0, QuickDice(2))
    first = state.legal(0)[0]
    player.choose(game, state, 0, QuickDice(3))
    assert player.forfeited()["late"] == 1
    state.play(0, first)
    assert player.choose(game, state, 0, QuickDice(3)) == state.legal(0)[0]
    assert sum(player.forfeited().values()) == 1
    player.close()


def test_a_forfeited_move_is_drawn_with_the_players_own_dice(workshop: Workshop) -> None:
    game = games()["round-trip"]
    state = game.new(2, check_options(game.options, {"start": "1"}), QuickDice(1))
    player = pipe.Pipe(workshop.bot("sys.exit(1)"))
    player.begin(game, 2, {}, 0, QuickDice(2))
    before = state.dump()
    assert player.choose(game, state, 0, QuickDice(3)) == make("random").choose(game, state, 0, QuickDice(3))
    assert state.dump() == before
    player.close()


@pytest.mark.parametrize(
    ("name", "mode", "text", "reason"),
    [
        ("missing", None, "", "There is no program "),
        ("plain", 0o644, "hello", " is not executable: run chmod +x on it."),
        ("strange", 0o755, "#!/no/such/interpreter\n", " cannot be started: "),
        ("empty", 0o755, "\0\0\0\0", " cannot be started: "),
    ],
)
def test_a_program_that_cannot_be_started_is_refused_before_anything_is_played(
    tmp_path: Path, name: str, mode: int | None, text: str, reason: str
) -> None:
    file = tmp_path / name
    if mode is not None:
        file.write_text(text)
        file.chmod(mode)
    with pytest.raises(Refusal) as refused:
        make_plan("round-trip", ["random", str(file)], 10, 7)
    assert reason in refused.value.reason


def test_a_folder_is_not_a_program(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="There is no program"):
        make_plan("round-trip", ["random", f"{tmp_path}/"], 10, 7)


def test_a_program_is_started_only_if_the_caller_gives_a_deadline(workshop: Workshop) -> None:
    with pytest.raises(Refusal, match="programs can play on the command line only"):
        make(workshop.bot(HONEST))
    assert not (workshop.folder / "bot.starts").exists(), "a name from the network would have started it"


def as_read(message: msgspec.Struct, kind: type[msgspec.Struct]) -> object:
    """A message as a client reads it: encoded as JSON and decoded with the types of the protocol."""
    return msgspec.to_builtins(msgspec.json.decode(msgspec.json.encode(message), type=kind))


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_messages_follow_the_protocol_and_show_only_what_the_seat_may_see(game: Game) -> None:
    low, high = game.players
    for seats in (low, high):
        options = check_options(game.options, None)
        state = game.new(seats, options, QuickDice(seats))
        greeting = pipe.welcome(game, seats, options, 1, QuickDice(1))
        assert as_read(greeting, messages.Welcome) == msgspec.to_builtins(greeting)
        dice = QuickDice(5)
        for count in range(150):
            waiting = state.waiting()
            if not waiting:
                break
            if count % 15 == 0:
                for seat in range(seats):
                    told = pipe.now(game, state, seat)
                    assert as_read(told, messages.Now) == msgspec.to_builtins(told)
                    imagined = state.imagine(seat, QuickDice(count))
                    assert pipe.now(game, imagined, seat) == told, "it shows what its seat must not see"
            seat = waiting[dice.below(len(waiting))]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])


def test_an_answer_has_the_same_format_as_a_move_sent_to_the_server() -> None:
    fields = {field.name for field in msgspec.structs.fields(pipe.Answer)}
    assert fields == {field.name for field in msgspec.structs.fields(messages.Move)}
    line = b'{"type": "move", "id": "1", "at": 1, "move": {"do": "end-turn"}}'
    ours, theirs = msgspec.json.decode(line, type=pipe.Answer), msgspec.json.decode(line, type=messages.Move)
    assert msgspec.to_builtins(ours) == msgspec.to_builtins(theirs)


STUBBORN = """
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)
    open(sys.argv[0] + ".starts", "a").write(f"{child}\\n")
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "now" and message["legal"]:
            answer(message, message["legal"][0]["move"])
    while True:
        time.sleep(1)
"""


def test_a_bot_leaves_nothing_behind(workshop: Workshop) -> None:
    run([workshop.bot(STUBBORN), "random"], games=1)
    assert len(workshop.starts()) == 4
    assert not still_running(workshop.starts())


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_run_leaves_no_bot_behind(workshop: Workshop, stop: signal.Signals) -> None:
    players = f"{workshop.bot(STUBBORN)},random"
    command = [sys.executable, "-m", "grandtour", "simulate", "round-trip", "--players", players]
    words = [*command, "--games", "1000000", "--jobs", "1" if stop == signal.SIGTERM else "2"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        expected = 4 if stop == signal.SIGTERM else 6
        while run.poll() is None and not (
            (workshop.folder / "bot.starts").exists() and len(workshop.starts()) >= expected
        ):
            time.sleep(0.05)
        assert run.poll() is None, "the run ended on its own"
        if stop == signal.SIGKILL:
            run.kill()
        else:
            os.killpg(run.pid, stop)
    assert run.returncode == (130 if stop == signal.SIGINT else -stop)
    left = still_running(workshop.starts())
    assert not left, f"{len(left)} processes are still running"


def test_the_line_limit_is_longer_than_any_move() -> None:
    for game in games().values():
        longest = max(len(msgspec.json.encode(game.moves.name(move))) for move in range(game.moves.size))
        assert longest + 200 < program.MAX_LINE


def test_a_plan_without_programs_needs_no_deadline() -> None:
    assert Plan("round-trip", {}, ("random", "random"), 1, 7).deadline == pipe.DEADLINE


def test_the_transcript_in_the_docs_is_accurate(workshop: Workshop, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    body = f"""
    import subprocess
    bot = subprocess.Popen([{str(EXAMPLES / "bot.py")!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with open({str(heard)!r}, "w") as log:
        for line in sys.stdin:
            bot.stdin.write(line)
            bot.stdin.flush()
            log.write(line)
            if json.loads(line).get("legal"):
                answered = bot.stdout.readline()
                log.write(answered)
                print(answered, end="", flush=True)
    """
    plan = make_plan("round-trip", [workshop.bot(body), "random"], 1, 7)
    simulated = Simulation(plan)
    simulated.run(lambda _: None)
    happened = [msgspec.json.decode(line) for line in heard.read_bytes().splitlines()]
    document = (EXAMPLES.parent / "docs" / "write-a-bot.md").read_text("utf-8")
    written = [msgspec.json.decode(block.split("```")[0]) for block in document.split("```json\n")[1:]]
    happened[0]["table"]["made"] = written[0]["table"]["made"]
    assert len(written) == 4, "a greeting, a position, an answer and its acknowledgement"
    assert happened[:4] == written
