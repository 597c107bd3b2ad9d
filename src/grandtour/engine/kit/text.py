"""A kit game's view as text: the sections of its layout, first the middle of the table, then each player's."""

from grandtour.engine.kit.view_types import Section as Drawn
from grandtour.engine.kit.view_types import View
from grandtour.engine.text import Section, bundle, listed, player


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """The contents of the table."""
    turn = "The game is over" if view["turn"] is None else f"Turn: {player(view['turn'], names, seat)}"
    common = [each for each in view["layout"] if each["owner"] is None]
    found = [Section("Table", [f"{turn}. Round {view['round']}.", *(_line(each, names, seat) for each in common)])]
    for owner, name in enumerate(names):
        own = [_line(each, names, seat) for each in view["layout"] if each["owner"] == owner]
        found.append(Section("You" if owner == seat else name, own))
    return found


def _line(drawn: Drawn, names: list[str], seat: int | None) -> str:
    title = drawn["title"]
    if drawn["kind"] == "count":
        return f"{title}: {drawn['count']}"
    if drawn["kind"] == "track":
        tokens = drawn["tokens"]
        places = [
            f"{place} ({listed('you' if token['seat'] == seat else names[token['seat']] for token in here)})"
            if (here := [token for token in tokens if token["at"] == at])
            else place
            for at, place in enumerate(drawn["places"])
        ]
        return f"{title}: {listed(places)}"
    if drawn["kind"] == "pile":
        top = f", {drawn['top']} on top" if drawn["top"] is not None else ""
        known = drawn.get("known")
        more = f"; from the top down: {listed(card or 'face down' for card in known)}" if known else ""
        return f"{title}: {_cards(drawn['count'])}{top}{more}"
    return f"{title} ({drawn['count']}): {bundle(card or 'face down' for card in drawn['cards'])}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
