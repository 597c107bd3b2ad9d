"""A table for tests: positions in words, moves by name, refusals by paragraph."""

from collections.abc import Mapping
from typing import Any, Generic

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.kit.position import Position
from grandtour.engine.kit.zones import Cards, Pile, Track
from grandtour.engine.options import START, Options, check_options
from grandtour.engine.refusal import Objection, Refusal
from grandtour.engine.state import CLOCK, Result
from grandtour.engine.study import S

NAMES = ["Ada", "Bea", "Cem", "Dan", "Eli", "Flo", "Gus", "Hal"]
AND_MORE = "..."


class Table(Generic[S]):
    """A game in a given position, with players who make moves.

    Seat 0 begins if the host can choose who does. For a kit game, everything declared can be given in words:

        Table(GAME, 2, hand=["Fig, Fig, Plum", "Plum"], row="Fig", deck="Lemon, ...", coins=[3, 0])

    A place gets exactly the cards named, the top of a pile first. They are taken from other places, and spare cards go
    under the pile that ends in "...", or under the first pile that is not given, so that no card is added or lost. If
    every pile is given in full, as in `deck=""` for the end of a game, spare cards are out of the game.
    Nobody has seen any of the cards before. For other games, pass a `state`, or override `arrange`, which gets all that
    is given, apart from options: those are given by their names, too.

    The players are called Ada, Bea, Cem and so on. `events` are those of the last move (at first, of the set-up), and
    `past` are all of them.
    """

    def __init__(
        self,
        game: Game[S],
        seats: int = 2,
        options: Options | None = None,
        seed: int = 0,
        state: S | None = None,
        version: int | None = None,
        **given: Any,
    ) -> None:
        wanted = dict(options or {})
        wanted.update((option.name, given.pop(option.name)) for option in game.options if option.name in given)
        if START not in wanted and any(option.name == START and "1" in option.choices for option in game.options):
            wanted[START] = "1"
        self.game = game
        self.events: list[Event] = []
        self.state: S = state or game.new(
            seats, check_options(game.options, wanted), QuickDice(seed), self.events, version
        )
        self.state.events = None
        self.past = list(self.events)
        if given:
            self.arrange(**given)

    def arrange(self, *_: Any, **given: Any) -> None:
        """Set up a position given in words. Tests of a game that is not made with the kit override this, with
        parameters of their own."""
        position: object = self.state
        assert isinstance(position, Position), f"{self.game.title} is not made with the kit: override `arrange`"
        arrange(position, given)

    def play(self, seat: int, do: str, **arguments: object) -> list[Event]:
        """Make a move, which must be legal. Returns its events; `said` has them in words."""
        move = self.game.moves.move(do, **arguments)
        objection = self.game.objection(self.state, seat, move) if seat != CLOCK else None
        assert objection is None, f"{self.game.moves.name(move)} is refused: {objection.rule}, {objection.reason}"
        assert move in self.state.legal(seat), f"{self.game.moves.name(move)} is not legal, but the referee allows it"
        self.events = self.state.events = []
        self.state.play(seat, move)
        self.state.events = None
        self.past += self.events
        return self.events

    def plays(self, seat: int, *moves: str) -> None:
        """Make several moves, each written as a verb and what it is done with: "draw", "give: Fig", "aim: 1, D4"."""
        for words in moves:
            do, _, values = words.partition(":")
            named = zip(self.game.moves.verbs[do].arguments, _names(values), strict=True)
            self.play(seat, do, **{f"{name}_": int(value) if value.isdigit() else value for name, value in named})

    def refused(self, seat: int, do: str, **arguments: object) -> Objection:
        """Try a move, which must be refused. Returns the paragraph and the reason."""
        try:
            move = self.game.moves.move(do, **arguments)
        except Refusal as refusal:
            return Objection(refusal.rule or "", refusal.reason)
        objection = self.game.objection(self.state, seat, move)
        assert objection is not None, f"{self.game.moves.name(move)} is allowed"
        assert move not in self.state.legal(seat), f"legal, but the referee says: {objection.reason}"
        return objection

    def may(self, seat: int, do: str, **arguments: object) -> bool:
        """Whether a move is legal. Rules and referee must agree."""
        move = self.game.moves.move(do, **arguments)
        objection = self.game.objection(self.state, seat, move)
        legal = move in self.state.legal(seat)
        assert legal == (objection is None), f"{self.game.moves.name(move)}: legal is {legal}, the referee: {objection}"
        return legal

    def legal(self, seat: int, do: str | None = None) -> list[dict[str, Any]]:
        """What a seat may do now, by name: everything, or with one verb."""
        return [
            self.game.moves.name(move)
            for move in self.state.legal(seat)
            if do is None or self.game.moves.verb(move).name == do
        ]

    def choices(self, seat: int, do: str, **arguments: object) -> list[Any]:
        """The values with which this move is legal now: those of the one argument that is not given."""
        fixed = {name.rstrip("_"): value for name, value in arguments.items()}
        (free,) = self.game.moves.verbs[do].arguments.keys() - fixed.keys()
        return [move[free] for move in self.legal(seat, do) if fixed.items() <= move.items()]

    def verbs(self, seat: int) -> set[str]:
        """The verbs of all that a seat may do now."""
        return {self.game.moves.verb(move).name for move in self.state.legal(seat)}

    def waiting(self) -> list[int]:
        """The seats that may move now."""
        return self.state.waiting()

    @property
    def over(self) -> bool:
        return not self.state.waiting()

    def result(self) -> Result | None:
        return self.state.result()

    def said(self, seat: int | None = None) -> str:
        """What a seat, or a spectator, reads about the last move."""
        return " ".join(self._sentences(self.events, seat))

    def story(self, seat: int | None = None) -> list[str]:
        """Every sentence that a seat, or a spectator, has read so far."""
        return self._sentences(self.past, seat)

    def happened(self, name: str, seat: int | None = None) -> list[Event]:
        """Every event of this name so far, as a seat, or a spectator, sees it."""
        return [seen(event, seat) for event in self.past if event["event"] == name]

    def _sentences(self, events: list[Event], seat: int | None) -> list[str]:
        sentences = [self.game.describe(seen(event, seat), NAMES, seat) for event in events]
        return [sentence for sentence in sentences if sentence]

    def view(self, seat: int | None = None) -> Mapping[str, Any]:
        """What a seat, or a spectator, sees."""
        return self.game.view(self.state, seat)

    def shown(self, title: str, owner: int | None = None, seat: int | None = None) -> dict[str, Any]:
        """One section of the view of a kit game, as a seat or a spectator sees it."""
        found = [each for each in self.view(seat)["layout"] if (each["title"], each["owner"]) == (title, owner)]
        assert found, f"nothing in the view has the title {title!r} and the owner {owner}"
        section: dict[str, Any] = found[0]
        return section

    def scores(self) -> list[int]:
        """The final score of each seat."""
        return [row["score"] for row in self.game.final(self.state)]


def arrange(position: Position, given: dict[str, Any]) -> None:
    """Set up a position given in words."""
    declared = {each.name: each for each in position.declared}
    named: list[tuple[Cards, list[str]]] = []
    for name, value in given.items():
        assert name in vars(position), f"there is no {name}: there are {', '.join(vars(position))}"
        old, kind = getattr(position, name), declared.get(name)
        if isinstance(old, Cards):
            named.append((old, _names(value)))
        elif isinstance(old, list) and old and isinstance(old[0], Cards):
            assert len(value) == len(old), f"{name} is given for {len(value)} players, not for {len(old)}"
            named += [(cards, _names(words)) for cards, words in zip(old, value, strict=True)]
        elif isinstance(kind, Track):
            setattr(position, name, [kind.places.index(place) for place in value])
        else:
            setattr(position, name, value)
    _deal(position, named)


def _names(words: str) -> list[str]:
    return [name.strip() for name in words.split(",") if name.strip()]


def _deal(position: Position, named: list[tuple[Cards, list[str]]]) -> None:
    """Give each place exactly its cards, and put the spare ones into the pile for them, if there is one."""
    places = {id(cards) for cards, _ in named}
    others = [cards for cards in position.places() if id(cards) not in places]
    spare = [name for cards, _ in named for name in cards]
    for _, wanted in named:
        for name in wanted:
            source = spare if name in spare else next((each.names for each in others if name in each), None)
            assert source is not None or name == AND_MORE, f"there are not that many cards named {name}"
            if source is not None:
                source.remove(name)
    for cards, wanted in named:
        cards.names = [name for name in wanted if name != AND_MORE]
        if isinstance(cards.zone, Pile):
            cards.names.reverse()
    if spare:
        more = [cards for cards, wanted in named if AND_MORE in wanted]
        rest = next((cards for cards in (*more, *others) if isinstance(cards.zone, Pile)), None)
        if rest is not None:
            rest.names = spare + rest.names
    for cards in position.places():
        cards.known = [0] * len(cards)
        if not cards.zone.ordered:
            cards.names.sort()
