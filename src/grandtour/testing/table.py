"""A table for tests: positions in words, moves by name, refusals by paragraph."""

from collections.abc import Mapping
from typing import Any, Generic

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.kit.position import Position
from grandtour.engine.kit.zones import Cards, Pile, Track
from grandtour.engine.options import START, Options, check_options
from grandtour.engine.refusal import Objection
from grandtour.engine.state import CLOCK
from grandtour.engine.study import S

NAMES = ["Ada", "Bea", "Cem", "Dan", "Eli", "Flo", "Gus", "Hal"]
AND_MORE = "..."


class Table(Generic[S]):
    """A game in a given position, with players who make moves.

    Seat 0 begins if the host can choose who does. For a kit game, everything declared can be given in words:

        Table(GAME, 2, hand=["Fig, Fig, Plum", "Plum"], row="Fig", deck="Lemon, ...", coins=[3, 0])

    A place gets exactly the cards named, the top of a pile first. They are taken from other places, and spare cards go
    under the pile that ends in "...", or under the first pile that is not given, so that no card is added or lost.
    Nobody has seen any of the cards before. For other games, pass a `state`.
    """

    def __init__(
        self,
        game: Game[S],
        seats: int = 2,
        options: Options | None = None,
        seed: int = 0,
        state: S | None = None,
        **given: Any,
    ) -> None:
        wanted = dict(options or {})
        if START not in wanted and any(option.name == START and "1" in option.choices for option in game.options):
            wanted[START] = "1"
        self.game = game
        self.events: list[Event] = []
        self.state: S = state or game.new(seats, check_options(game.options, wanted), QuickDice(seed), self.events)
        self.state.events = None
        if given:
            position: object = self.state
            assert isinstance(position, Position), f"{game.title} is not made with the kit: set its state yourself"
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
        return self.events

    def refused(self, seat: int, do: str, **arguments: object) -> Objection:
        """Try a move, which must be refused. Returns the paragraph and the reason."""
        move = self.game.moves.move(do, **arguments)
        objection = self.game.objection(self.state, seat, move)
        assert objection is not None, f"{self.game.moves.name(move)} is allowed"
        assert move not in self.state.legal(seat), f"legal, but the referee says: {objection.reason}"
        return objection

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """What a seat may do now, by name."""
        return [self.game.moves.name(move) for move in self.state.legal(seat)]

    def said(self, seat: int | None = None) -> str:
        """What a seat, or a spectator, reads about the last move. The players are called Ada, Bea, Cem and so on."""
        sentences = [self.game.describe(seen(event, seat), NAMES, seat) for event in self.events]
        return " ".join(sentence for sentence in sentences if sentence)

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
    """Give each place exactly its cards, and put the spare ones into the pile for them."""
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
        assert rest is not None, f"there is no pile for the cards left over: {', '.join(spare)}"
        rest.names = spare + rest.names
    for cards in position.places():
        cards.known = [0] * len(cards)
        if not cards.zone.ordered:
            cards.names.sort()
