"""What each seat may see of a kit game, and the sentences that go with it, derived from the declarations.

The page draws any view that has a `layout`, a list of sections in the order in which they are drawn, such as

{"kind": "cards", "title": "Rack", "owner": None, "count": 3, "cards": ["Fig", "Fig", None]}

`view_types.py` has every kind of section.
"""

from typing import Any

from grandtour.engine import words as say
from grandtour.engine.events import Event
from grandtour.engine.kit import sentences
from grandtour.engine.kit.moves import Player
from grandtour.engine.kit.position import Position
from grandtour.engine.kit.view_types import Pile as PileSection
from grandtour.engine.kit.view_types import Section, Token, View
from grandtour.engine.kit.zones import SPECTATOR, Cards, Count, Counts, Declared, Pile, Track, Zone
from grandtour.engine.vocabulary import Named

OPENING = "begins"
ENDING = "game-over"


def view(position: Position, seat: int | None) -> View:
    """What a seat may see: `layout` lists everything on the table in the order of its declaration."""
    return {
        "layout": [section for each in position.declared for section in sections(position, each, seat)],
        "kinds": kinds(position),
        "turn": None if position.over else position.turn,
        "round": position.round,
    }


def kinds(position: Position) -> list[str]:
    """The names of all cards that the game declares."""
    piles = [each.cards for each in position.declared if isinstance(each, Zone) and each.cards]
    return list(dict.fromkeys(name for cards in piles for name in cards))


def sections(position: Position, declared: Declared, seat: int | None) -> list[Section]:
    """The sections to draw for one declaration: a single one, or one for each player."""
    value = getattr(position, declared.name)
    if isinstance(declared, Track):
        tokens: list[Token] = [{"seat": owner, "at": at} for owner, at in enumerate(value)]
        places = list(declared.places)
        return [{"kind": "track", "title": declared.title, "owner": None, "places": places, "tokens": tokens}]
    if isinstance(declared, Counts):
        return [{"kind": "count", "title": declared.title, "owner": at, "count": n} for at, n in enumerate(value)]
    if isinstance(declared, Count):
        return [{"kind": "count", "title": declared.title, "owner": None, "count": value}]
    assert isinstance(declared, Zone)
    return [_section(position, cards, seat) for cards in (value if declared.per_seat else [value])]


def _section(position: Position, cards: Cards, seat: int | None) -> Section:
    viewer = SPECTATOR if seat is None else seat
    names = [name if position.knows(viewer, cards, at) else None for at, name in enumerate(cards)]
    title, owner, count = cards.zone.title, cards.owner, len(cards)
    if isinstance(cards.zone, Pile):
        top = names[-1] if names else None
        pile: PileSection = {"kind": "pile", "title": title, "owner": owner, "count": count, "top": top}
        if any(names[:-1]):
            pile["known"] = [*reversed(names)]
        return pile
    if not cards.zone.ordered:
        known = sorted(name for name in names if name is not None)
        names = [*known, *[None] * (len(names) - len(known))]
    return {"kind": "cards", "title": title, "owner": owner, "count": count, "cards": names}


def prompt(position: Position, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, from the prompts of the moves it may make."""
    if position.over:
        return say.prompt(f"The game is over: {say.win(position.winners(), seat)}.", position.END_RULE)
    if seat not in position.waiting():
        waiting = say.join_or([say.placeholder(other) for other in position.waiting()])
        return say.prompt(f"Waiting for {waiting}.", position.TURN_RULE)
    verbs = {position.moves.choices[move].verb.name for move in position.legal(seat)}
    known = [(verb.name, verb.declaration.prompt, verb.declaration.rule) for verb in position.moves.verbs]
    text, rules = say.possible(verbs, tuple(known))
    return say.prompt(f"{say.capitalize(text)}.", *dict.fromkeys(rules))


def describe(given: sentences.Sentences) -> say.Sentence:
    """A function that describes events: with the game's own sentences, and default ones for the start and the end."""
    templates: sentences.Sentences = {OPENING: "{seat.begin}.", **given}

    def sentence(record: Event, names: list[str], seat: int | None) -> str:
        name = record["event"]
        if name == ENDING and name not in templates:
            return f"The game is over: {say.win(record['winners'], seat, names)}."
        return sentences.fill(sentences.choose(templates[name], record), record, names, seat)

    return sentence


def describe_move(position: Position, named: Named) -> str:
    """A move in a few words."""
    declaration = position.moves.verb(named["do"]).declaration
    values = {
        argument: say.placeholder(named[argument]) if isinstance(values, Player) else named[argument]
        for argument, values in declaration.arguments.items()
    }
    return sentences.fill(declaration.words, values, [], None)


def final(position: Position) -> list[dict[str, Any]]:
    """How each seat's score is made up."""
    winners = position.winners()
    rows = []
    for seat in range(position.seats):
        score = position.score(seat)
        lines = [{"label": label, "value": points} for label, points in score.items()]
        rows.append({"seat": seat, "score": sum(score.values()), "won": seat in winners, "lines": lines})
    return rows
