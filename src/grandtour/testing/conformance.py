"""The laws that every game must obey, as functions of a set-up and some of its positions.

They work for any `Game`. `suite.py` runs them all for one game. The laws about what a seat may know are in
`knowledge.py`.
"""

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from grandtour.engine import catalogue, tour
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.options import START, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK, ENGINE_FIELDS, State
from grandtour.engine.vocabulary import Named
from grandtour.players import PLAYERS, make
from grandtour.protocol.text import WIDTH, view_text
from grandtour.testing.shapes import type_faults

MAX_DECISIONS = 20_000
"""The maximum number of decisions in any game."""

SAMPLE_SIZE = 10
"""The number of positions examined in each match."""


class Setup(NamedTuple):
    """A game, a number of players, options and a seed."""

    game: Game | str
    seats: int
    options: tuple[tuple[str, Any], ...]
    seed: int

    def __str__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.rules.name} for {self.seats}{' with ' + chosen if chosen else ''}"

    @property
    def rules(self) -> Game:
        return catalogue.game(self.game) if isinstance(self.game, str) else self.game

    def match(self, seed: int | None = None) -> Match:
        return Match(self.rules, self.seats, dict(self.options), self.seed if seed is None else seed)


def setups(games: Iterable[Game]) -> Iterator[Setup]:
    """Every game with every number of players and default options, and once with every other value of every option."""
    for game in games:
        low, high = game.players
        for seats in range(low, high + 1):
            yield Setup(game, seats, (), seats)
        others = [(o.name, value) for o in game.options for value in o.choices if value != o.default]
        for number, chosen in enumerate(others):
            fitting = [seats for seats in range(low, high + 1) if fits(game, seats, chosen)]
            if fitting:
                yield Setup(game, fitting[number % len(fitting)], (chosen,), number)


def fits(game: Game, seats: int, chosen: tuple[str, Any]) -> bool:
    try:
        game.new(seats, check_options(game.options, dict([chosen])), QuickDice(0))
    except Refusal:
        return False
    return True


def movers(state: State) -> list[int]:
    """Every seat that has a legal move now, including out of turn."""
    return [seat for seat in [*range(state.seats), CLOCK] if state.legal(seat)]


def mover(state: State, dice: Dice) -> int:
    """A random seat that can move: usually one the game waits for, sometimes one out of turn or the clock."""
    choices = movers(state) if dice.below(8) == 0 else state.waiting()
    return choices[dice.below(len(choices))]


@cache
def positions(setup: Setup) -> list[State]:
    """Positions from random games, from start to end, including moves out of turn.

    Three games for each number of players, one for each other value of an option.
    """
    found: list[State] = []
    dice = QuickDice(setup.seed)
    for number in range(1 if setup.options else 3):
        state = setup.match(setup.seed + number).state
        line = [state.clone()]
        while state.waiting():
            seat = mover(state, dice)
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])
            line.append(state.clone())
            assert len(line) < MAX_DECISIONS, f"{setup} does not end within {MAX_DECISIONS} decisions"
        found += [line[0], line[-1], *(line[dice.below(len(line))] for _ in range(SAMPLE_SIZE - 2))]
    return found


def step(state: State, seat: int, move: int) -> list[Event]:
    state.events = []
    state.play(seat, move)
    events, state.events = state.events, None
    return events


def attributes(state: State) -> set[str]:
    """The names of all attributes of a position, compiled or not."""
    compiled = {name for kind in type(state).__mro__ for name in getattr(kind, "__mypyc_attrs__", ())}
    return (compiled | set(getattr(state, "__dict__", {}))) - {"__dict__", "__weakref__"}


def every_attribute_is_a_field(setup: Setup, states: list[State]) -> None:
    for state in states:
        kept, named = attributes(state) - set(ENGINE_FIELDS), state.fields()
        assert len(set(named)) == len(named), f"{setup}: a field is named twice"
        missing = ", ".join(sorted(kept - set(named)))
        assert not missing, f"{setup}: `fields` does not name {missing}, so it is not saved, compared or restored"
        assert set(named) <= kept, f"{setup}: there is no attribute {', '.join(sorted(set(named) - kept))}"


def a_seat_can_always_move_until_the_game_ends(setup: Setup, states: list[State]) -> None:
    for state in states:
        waiting = state.waiting()
        assert (state.result() is None) == bool(waiting), "there must be a result exactly when nobody has to move"
        assert all(state.legal(seat) for seat in waiting), "the game waits for a seat that has no legal move"
        if not waiting:
            assert movers(state) == [], "a seat can still move after the end of the game"
            assert len(state.result() or []) == setup.seats, "a result must have one number per seat"


def legal_moves_are_sorted_and_unique_and_every_one_can_be_played(setup: Setup, states: list[State]) -> None:
    for state in states:
        for seat in movers(state):
            moves = state.legal(seat)
            assert moves == sorted(set(moves)), "legal moves are not sorted, or not unique"
            assert all(0 <= move < setup.rules.moves.size for move in moves), "a move is not in the vocabulary"
            for move in moves:
                after = state.clone()
                after.play(seat, move)
                assert after.census() == state.census(), (
                    f"{setup.rules.moves.name(move)} changes the contents of the box"
                )


def refused(match: Match, seat: int, named: Named) -> Refusal | None:
    """Try a move: the refusal, or None if it was made."""
    try:
        match.play(seat, named)
    except Refusal as refusal:
        return refusal
    return None


def a_move_that_is_not_legal_is_refused_with_a_sentence_and_changes_nothing(setup: Setup) -> None:
    match = setup.match()
    dice = QuickDice(setup.seed + 7)
    for _ in range(60):
        if match.over:
            break
        before = match.state.dump()
        for _ in range(5):
            seat, move = dice.below(setup.seats), dice.below(setup.rules.moves.size)
            if move not in match.state.legal(seat):
                named = setup.rules.moves.name(move)
                refusal = refused(match, seat, named)
                assert refusal is not None, f"{named} is not legal, but was played"
                assert refusal.rule, f"no rule is named: {refusal.reason}"
                assert refusal.reason.endswith("."), refusal.reason
        assert match.state.dump() == before, "a refused move changed something"
        seat = mover(match.state, dice)
        moves = match.legal(seat)
        match.play(seat, moves[dice.below(len(moves))])


def the_referee_objects_to_exactly_the_moves_that_are_not_legal(setup: Setup, states: list[State]) -> None:
    dice = QuickDice(setup.seed + 1)
    game = setup.rules
    for state in states:
        for seat in range(setup.seats):
            legal = set(state.legal(seat))
            some = {dice.below(game.moves.size) for _ in range(150)}
            for move in legal | some:
                objection = game.objection(state, seat, move)
                assert (objection is None) == (move in legal), (
                    f"seat {seat} and {game.moves.name(move)}: legal says {move in legal}, the referee {objection}"
                )


def a_clone_is_equal_and_independent(setup: Setup, states: list[State]) -> None:
    for state in states:
        before = state.dump()
        copy = state.clone()
        assert copy.dump() == before, "a clone is not equal"
        for seat in copy.waiting()[:1]:
            copy.play(seat, copy.legal(seat)[-1])
            assert state.dump() == before, "playing on a clone changed the original"
        again = pickle.loads(pickle.dumps(state))
        assert again.dump() == before, "a pickled position is not equal"
        for seat in range(setup.seats):
            assert again.legal(seat) == state.legal(seat), "a pickled position has other legal moves"


def the_log_rebuilds_the_match_and_so_does_its_file(setup: Setup) -> None:
    match = setup.match()
    dice = QuickDice(setup.seed + 2)
    while not match.over:
        seat = mover(match.state, dice)
        moves = match.state.legal(seat)
        named = setup.rules.moves.name(moves[dice.below(len(moves))])
        match.play(seat, json.loads(json.dumps(named)))
    if setup.rules.name in catalogue.games():
        again, _ = tour.load(tour.save(match))
        assert again.log == match.log, "a saved match has another log"
        assert again.state.dump() == match.state.dump(), "a saved match ends differently"
    *_, last = match.steps()
    assert last.state.dump() == match.state.dump(), "a replay ends differently"


def named_moves_and_views_and_words_survive_json(setup: Setup, states: list[State]) -> None:
    game = setup.rules
    names = [f"Player {seat}" for seat in range(setup.seats)]
    shape = get_type_hints(game.view).get("return", Any)
    rulebook = game.rulebook()
    survived: set[int] = set()
    for state in states:
        for seat in [None, *range(setup.seats)]:
            view = game.view(state, seat)
            assert json.loads(json.dumps(view)) == view, "a view does not survive JSON"
            assert not (fault := type_faults(view, shape)), f"a view does not have its declared type: {fault}"
            if seat == 0:
                lines = view_text(game, view, names, seat).split("\n")
                assert max(map(len, lines)) <= WIDTH, "the text of a view is too wide for a terminal"
            prompt = game.prompt(state, seat)
            assert prompt["text"], "a prompt has no text"
            assert all(rule in rulebook for rule in prompt["rules"]), f"no such paragraph: {prompt}"
        for seat in movers(state):
            for move in state.legal(seat):
                named = game.moves.name(move)
                if move not in survived:
                    assert game.moves.number(json.loads(json.dumps(named))) == move, f"{named} does not survive JSON"
                    survived.add(move)
                assert game.describe_move(state, named), f"there are no words for {named}"
            for record in step(state.clone(), seat, state.legal(seat)[0]):
                for viewer in [None, *range(setup.seats)]:
                    assert isinstance(game.describe(seen(record, viewer), names, viewer), str), record
        if not state.waiting():
            assert [row["seat"] for row in game.final(state)] == list(range(setup.seats)), (
                "`final` must have a row per seat"
            )


def a_seat_cannot_tell_an_imagined_position_from_the_real_one(setup: Setup, states: list[State]) -> None:
    game = setup.rules
    for number, state in enumerate(states):
        waiting, census, spectator = state.waiting(), state.census(), game.view(state, None)  # the same for every seat
        for seat in range(setup.seats):
            other = state.imagine(seat, QuickDice(number))
            assert game.view(other, seat) == game.view(state, seat), f"seat {seat} sees another view"
            assert game.prompt(other, seat) == game.prompt(state, seat), f"seat {seat} sees another prompt"
            assert other.legal(seat) == state.legal(seat), f"seat {seat} may do something else"
            assert other.waiting() == waiting, "the game waits for a different seat"
            assert other.census() == census, "the contents of the box have changed"
            assert game.view(other, None) == spectator, "a spectator sees more than a player"


def imagined_worlds_do_not_depend_on_hidden_things(setup: Setup, states: list[State]) -> None:
    for number, state in enumerate(states):
        for seat in range(setup.seats):
            other = state.imagine(seat, QuickDice(number))
            again = other.imagine(seat, QuickDice(99)).dump()
            assert again == state.imagine(seat, QuickDice(99)).dump(), f"seat {seat} imagines what it cannot know"


def leaves(value: Any) -> set[Any]:
    """All single values in a piece of JSON, except the names and reasons of events, which are only for wording."""
    if isinstance(value, dict):
        return {leaf for key, inner in value.items() if key not in ("event", "why") for leaf in leaves(inner)}
    if isinstance(value, list):
        return {leaf for inner in value for leaf in leaves(inner)}
    return {value}


class Outcomes:
    """The outcome of each move in a position, computed once and kept."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._made: dict[tuple[int, int], tuple[State, list[Event]]] = {}

    def after(self, seat: int, move: int) -> tuple[State, list[Event]]:
        """The position after a move, and its events. Neither may be changed."""
        if (seat, move) not in self._made:
            after = self.state.clone()
            self._made[seat, move] = after, step(after, seat, move)
        return self._made[seat, move]


def an_event_tells_a_seat_no_more_than_its_view_does(setup: Setup, states: list[State]) -> None:
    """Take two positions that an observer cannot tell apart, and let another seat make the same move in both.

    If the observer still cannot tell them apart, it must have been told the same. If it can, its view must now show
    whatever it was told differently.
    """
    game = setup.rules
    compared = 0
    for number, state in enumerate(states):
        moving = {seat: state.legal(seat) for seat in movers(state)}
        real = Outcomes(state)
        imagined: dict[int, Outcomes] = {}
        for watcher in [*range(setup.seats), None]:
            viewer = watcher if watcher is not None else 0
            if viewer not in imagined:
                imagined[viewer] = Outcomes(state.imagine(viewer, QuickDice(number)))
            other = imagined[viewer]
            for seat in [seat for seat in moving if seat != watcher]:
                possible = set(other.state.legal(seat))
                moves = [move for move in moving[seat] if move in possible]
                for move in [*moves[:6], *moves[-6:]]:
                    (one, events), (two, other_events) = real.after(seat, move), other.after(seat, move)
                    told = [seen(e, watcher) for e in events]
                    told_other = [seen(e, watcher) for e in other_events]
                    compared += 1
                    if told == told_other:
                        continue
                    view = game.view(one, watcher)
                    assert view != game.view(two, watcher), (
                        f"{game.moves.name(move)} shows seat {watcher} more than its view: {told} here, but"
                        f" {told_other} in another position that looks the same to it"
                    )
                    secret = leaves(told) - leaves(told_other) - leaves(view)
                    assert not secret, f"{game.moves.name(move)} tells {secret}, which the view does not show"
    assert compared, "no pair of positions was comparable: the test has proved nothing"


def a_hidden_choice_is_not_told(setup: Setup, states: list[State]) -> None:
    """If two choices lead to different positions that an observer cannot tell apart, it gets the same events for both.
    Choices that lead to the same position hide nothing."""
    game = setup.rules
    for state in states:
        outcomes = Outcomes(state)
        for seat in movers(state):
            moves = state.legal(seat)[:40]
            for watcher in [other for other in range(setup.seats) if other != seat]:
                events = [[seen(e, watcher) for e in outcomes.after(seat, move)[1]] for move in moves]
                if all(others == events[0] for others in events):
                    continue
                told: list[tuple[Any, Any, State]] = []
                for move, record in zip(moves, events, strict=True):
                    after = outcomes.after(seat, move)[0]
                    view = game.view(after, watcher)
                    alike = [(e, other) for v, e, other in told if v == view and e != record]
                    hidden = any(other.dump() != after.dump() for _, other in alike)
                    assert not hidden, f"{game.moves.name(move)} is told"
                    told.append((view, record, after))


def the_games_own_bot_makes_legal_moves_and_does_not_peek(setup: Setup, states: list[State]) -> None:
    game = setup.rules
    for number, state in enumerate(states):
        for seat in state.waiting():
            choices = {game.choose(state.imagine(seat, QuickDice(deal)), seat, QuickDice(number)) for deal in range(4)}
            assert len(choices) == 1, "its choice changes with cards it cannot see"
            assert choices <= set(state.legal(seat)), "it makes a move that is not legal"
        for seat in range(setup.seats):
            if game.speaks is None:
                break
            deals = [state, *(state.imagine(seat, QuickDice(deal)) for deal in range(3))]
            said = {game.speaks(deal, seat) for deal in deals}
            assert len(said) == 1, "whether it speaks changes with cards it cannot see"
            if said == {True} and seat not in state.waiting():
                choices = {game.choose(deal, seat, QuickDice(number)) for deal in deals[1:]}
                assert len(choices) == 1, "what it says changes with cards it cannot see"
                assert choices <= set(state.legal(seat)), "it makes a move that is not legal"


def every_built_in_player_makes_legal_moves_and_does_not_peek(setup: Setup, states: list[State]) -> None:
    state = next(state for state in states[2:] for seat in state.waiting()[:1] if len(state.legal(seat)) > 1)
    seat = state.waiting()[0]
    other = state.imagine(seat, QuickDice(1))
    for name in PLAYERS:
        player = make("hard:3" if name == "hard" else name)
        choices = {player.choose(setup.rules, deal, seat, QuickDice(setup.seed)) for deal in (state, other)}
        assert len(choices) == 1, f"the choice of {name} changes with cards it cannot see"
        assert choices <= set(state.legal(seat)), f"{name} makes a move that is not legal"


MIN_TICKS = 10
"""A counter must have gone up this often, always before the turn of the same seat, to count rounds."""


def rounds_begin_with_the_starting_player(game: Game) -> int:
    """A counter that always goes up before the same seat's turn does so relative to the starting player.

    So rounds and limits are never counted from a fixed seat. A few random games are played for every number of players
    and every starting player. Returns the number of such counters.
    """
    found = 0
    for seats in range(game.players[0], game.players[1] + 1):
        ticking: dict[str, dict[int, set[int]]] = {}
        for start in range(seats):
            if not any(option.name == START and str(start + 1) in option.choices for option in game.options):
                continue
            setup = Setup(game, seats, ((START, str(start + 1)),), start)
            for name, when in _ticks(setup, start).items():
                if sum(when.values()) >= MIN_TICKS and len(when) == 1:
                    ticking.setdefault(name, {})[start] = set(when)
        for name, starts in ticking.items():
            found += 1
            first = next(iter(starts.values()))
            assert all(when == first for when in starts.values()), (
                f"{game.name} for {seats}: {name} goes up with another seat when another seat begins: "
                f"{ {start: [(start + after) % seats for after in when] for start, when in starts.items()} }"
            )
    return found


def _ticks(setup: Setup, start: int) -> dict[str, Counter[int]]:
    """For each counter of a position, how often it went up by one before each seat's turn, relative to the starting
    player."""
    found: dict[str, Counter[int]] = {}
    falling: set[str] = set()  # fields that also go down, such as whose turn it is, are not counters
    for number in range(2):
        state = setup.match(10 * start + number).state
        names = [name for name in state.fields() if type(getattr(state, name)) is int]
        dice = QuickDice(number)
        for _ in range(250):
            waiting = state.waiting()
            if not waiting:
                break
            before = [getattr(state, name) for name in names]
            seat = waiting[dice.below(len(waiting))]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])
            after = state.waiting()
            for name, value in zip(names, before, strict=True):
                if getattr(state, name) < value:
                    falling.add(name)
                elif getattr(state, name) == value + 1 and len(after) == 1:
                    found.setdefault(name, Counter())[(after[0] - start) % setup.seats] += 1
    return {name: when for name, when in found.items() if name not in falling}
