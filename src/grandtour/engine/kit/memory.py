"""Who knows which card: how knowledge of a hand changes when a card is added or removed.

The order of a hand has no meaning, and the place of a card in the list must not reveal what it is. So the cards that
spectators know come first, and both parts are sorted by name. Among cards with the same name, the first ones are marked
as known: a viewer who knows two of them has its bit set on the first two. Only certain knowledge is kept: a viewer who
does not see which card leaves is sure of one card fewer of every name.
"""

from grandtour.engine.kit.zones import EVERYONE, OWNER, SPECTATORS, Cards, bit


def add(cards: Cards, name: str, known: int) -> None:
    """Add a card that these viewers see: on top of a pile, or at its place in a hand."""
    cards.names.append(name)
    cards.known.append(recorded_viewers(cards, known))
    arrange(cards)


def remove(cards: Cards, at: int, seen: int) -> None:
    """Remove a card; only these viewers see which one."""
    gone = cards.names[at]
    if not cards.zone.ordered:
        at = cards.names.index(gone)
    del cards.names[at], cards.known[at]
    if cards.zone.ordered or not any(mask & ~seen for mask in cards.known):
        return
    for name, places in _by_name(cards).items():
        if name != gone:
            masks = [cards.known[place] for place in places]
            for place, mask, after in zip(places, masks, [*masks[1:], 0], strict=True):
                cards.known[place] = mask & seen | after & ~seen
    arrange(cards)


def arrange(cards: Cards) -> None:
    """Sort a hand after its cards have changed. Piles and rows keep their order."""
    if cards.zone.ordered:
        return
    if not any(cards.known):
        cards.names.sort()
        return
    for places in _by_name(cards).values():
        masks = pack_bits([recorded_viewers(cards, cards.known[at]) for at in places])
        for at, mask in zip(places, masks, strict=True):
            cards.known[at] = mask
    order = sorted(zip(cards.known, cards.names, strict=True), key=lambda card: (not card[0] & SPECTATORS, card[1]))
    cards.known, cards.names = [known for known, _ in order], [name for _, name in order]


def _by_name(cards: Cards) -> dict[str, list[int]]:
    """Where the cards of each name are listed."""
    found: dict[str, list[int]] = {}
    for at, name in enumerate(cards.names):
        found.setdefault(name, []).append(at)
    return found


def is_sure(viewer: int, cards: Cards) -> bool:
    """Whether a viewer would know any card that leaves this hand: it knows all the cards, and they all have the same
    name."""
    return len(set(cards.names)) == 1 and all(mask & bit(viewer) for mask in cards.known)


def recorded_viewers(cards: Cards, known: int) -> int:
    """The viewers to record as knowing a card here. Viewers who may look here at any time are not recorded."""
    if cards.zone.sees == EVERYONE:
        return 0
    return known & ~bit(cards.owner) if cards.zone.sees == OWNER and cards.owner is not None else known


def pack_bits(masks: list[int]) -> list[int]:
    """Move every bit to the earliest masks, so that each bit still occurs equally often."""
    masks = masks[:]
    for i in range(len(masks)):
        for j in range(i + 1, len(masks)):
            masks[i], masks[j] = masks[i] | masks[j], masks[i] & masks[j]
    return masks
