"""A view of Itchy Feet as text. What the cards say comes from `parts.py`."""

from collections.abc import Iterable
from typing import Final

from grandtour.engine import text as write
from grandtour.engine import words as say
from grandtour.engine.text import Section
from grandtour.games.itchy_feet.parts import CARDS, COUNTRIES, DATA
from grandtour.games.itchy_feet.view_types import Counted, Payment, PlayerView, Purpose, Reaction, Step, Trade, View

STEPS: Final[dict[Step, str]] = {
    "act": "choosing an action",
    "pay": "paying",
    "take": "taking a card",
    "react": "others may react",
    "pick": "picking a card",
    "tray": "putting together an offer",
    "answer": "answering an offer",
    "look": "looking at cards",
    "return": "putting cards back",
    "redraw": "replacing a country",
    "mix-up": "everybody passes a card on",
    "limit": "discarding down to the limit",
    "over": "the game is over",
}
PURPOSES: Final[dict[Purpose, str]] = {
    "recycle": "recycling",
    "steal": "stealing",
    "get-rid": "getting rid of a forbidden item",
    "country": "stealing a country",
    "post": "the Trading Post",
    "early-bird": "being an Early Bird",
    "found": "Lost and Found",
    "travel": "travelling",
}
ENDINGS: Final = {
    "centre": "somebody travelled to the centre",
    "postcards": "somebody has enough postcards",
    "countries": "the countries have run out",
    "limit": "the last round is over",
}
EXTENSIONS: Final = {name: name.replace("_", " ") for name in ("events", "special_items", "forbidden_items")} | {
    "postcards": "postcards",
    "characters": "characters",
}
WORDS: Final[dict[str, str]] = {
    card["name"]: card["text"] for kind in ("special items", "events", "characters") for card in DATA[kind]
}


def text(view: View, names: list[str], seat: int | None) -> list[Section]:
    """Everything in the view, and the text of the cards in play."""
    found = [Section("Table", _table(view, names, seat)), Section("Players", _players(view, names, seat))]
    if "hand" in view:
        found.append(Section("Your hand", _hand(view)))
    piles = [
        f"Draw pile: {say.plural(view['draw_pile']['count'], 'card')}; shuffled into it:"
        f" {_counted(view['draw_pile']['shuffled_in'])}.",
        f"Discard pile: {_counted(view['discards'])}.",
        f"Countries not in play: {view['unused']['count']}"
        + (f"; at the bottom {write.listed(view['unused']['bottom'])}." if view["unused"]["bottom"] else "."),
    ]
    return [
        *found,
        Section("Piles", piles, detail=True),
        Section("What countries ask for", _countries(), detail=True),
        Section("What cards say", _cards(view), detail=True),
    ]


def _table(view: View, names: list[str], seat: int | None) -> list[str]:
    discards = say.plural(sum(each["count"] for each in view["discards"]), "card")
    on = [words for name, words in EXTENSIONS.items() if view["extensions"][name]]  # type: ignore[literal-required]
    variant = "Bucket List" if view["variant"] == "bucket-list" else "Classic game"
    lines = [
        f"Turn: {write.player(view['turn'], names, seat)} ({STEPS[view['step']]};"
        f" {say.plural(view['actions'], 'action')}, {say.plural(view['offers_left'], 'offer')} left)."
        f" Round {view['round']} of {view['turn_limit']}; {write.player(view['starter'], names, seat)} began.",
        f"{variant}; extensions: {write.listed(on)}. Draw pile {view['draw_pile']['count']}, discards {discards}.",
        f"Centre: {_asks(view['centre'])}." if view["centre"] is not None else "Centre: none.",
    ]
    if view["payment"] is not None:
        lines.append(_payment(view["payment"], names, seat))
    if view["trade"] is not None:
        lines.append(_trade(view["trade"], names, seat))
    if view["reaction"] is not None:
        lines.append(_reaction(view["reaction"], names, seat))
    if view["ended"] is not None:
        lines.append(f"The game is over: {ENDINGS[view['ended']]}.")
    return lines + write.result(view["result"], names, seat)


def _payment(payment: Payment, names: list[str], seat: int | None) -> str:
    whom = f" from {say.whom(payment['whom'], names, seat)}" if "whom" in payment else ""
    country = f", {payment['country']}" if "country" in payment else ""
    paid = write.bundle(payment["paid"])
    return f"Payment for {PURPOSES[payment['for']]}{whom}{country}: {paid} paid, {payment['left']} still to pay."


def _trade(trade: Trade, names: list[str], seat: int | None) -> str:
    return (
        f"Trade: {write.player(trade['from'], names, seat)} to {say.whom(trade['to'], names, seat)}, giving"
        f" {write.bundle(trade['gives'])}, wanting {write.bundle(trade['wants'])}; {trade['counters']} counter-offers"
        f" made, {trade['counters_left']} left."
    )


def _reaction(reaction: Reaction, names: list[str], seat: int | None) -> str:
    where = f" to {reaction['country']}" if "country" in reaction else ""
    doing = "stealing" if reaction["to"] == "steal" else f"travelling{where}"
    return (
        f"Reaction: {write.player(reaction['seat'], names, seat)} {doing};"
        f" {say.whom(reaction['asked'], names, seat)} may play {reaction['card']}."
    )


def _players(view: View, names: list[str], seat: int | None) -> list[str]:
    return [f"{write.player(player['seat'], names, seat)}: {_player(player, seat)}" for player in view["players"]]


def _player(player: PlayerView, seat: int | None) -> str:
    parts = [f"{say.plural(player['cards'], 'card')} of at most {player['limit']}"]
    if "country" in player:
        parts.append(f"{_asks(player['country'])}, {'travelled to' if player.get('visited') else 'not reached'}")
    if "passport" in player:
        parts.append(f"passport from {player['passport']}; travelled to {write.listed(player.get('countries', []))}")
    if player["character"] is not None:
        parts.append(player["character"])
    if player["quiet"]:
        parts.append("quiet")
    if player["chosen"]:
        parts.append("has chosen a card to pass on")
    if player["seat"] != seat:
        unknown = player["unknown"]
        parts.append(
            f"known: {write.bundle(player['known'])}; unknown: {unknown['cards']}, of which at most"
            f" {say.plural(unknown['others'], 'extension card')} and {say.plural(unknown['passports'], 'passport')},"
            f" and at least {unknown['drawn']} drawn recently"
        )
    return "; ".join(parts) + "."


def _hand(view: View) -> list[str]:
    lines = [f"Cards: {write.bundle(view.get('hand', []))}."]
    if view.get("looking"):
        lines.append(f"You are looking at: {write.listed(view['looking'])}.")
    if view.get("handing_on"):
        lines.append(f"You pass on: {view['handing_on']}.")
    for known in view.get("top", []):
        lines.append(f"In the draw pile, under {say.plural(known['above'], 'card')}: {known['card']}.")
    return lines


def _asks(country: str) -> str:
    """A country and what it asks for."""
    items = next(each.items for each in COUNTRIES if each.name == country)
    return f"{country} (asks for {write.listed(CARDS[item] for item in items)})"


def _countries() -> list[str]:
    return [f"{each.name}: {write.listed(CARDS[item] for item in each.items)}" for each in COUNTRIES]


def _cards(view: View) -> list[str]:
    """The text of every special card in play."""
    there = {each["card"] for each in [*view["draw_pile"]["shuffled_in"], *view["discards"]]}
    there |= {player["character"] for player in view["players"] if player["character"]}
    there |= set(view.get("hand", []))
    return [f"{name}: {words}" for name, words in WORDS.items() if name in there]


def _counted(cards: Iterable[Counted]) -> str:
    return write.amounts({each["card"]: each["count"] for each in cards})
