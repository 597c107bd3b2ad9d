"""The numbers of places and cards in the rules match the lists in the parts."""

from grandtour.games.journey_istanbul import parts


def test_places_are_numbered_as_they_are_listed() -> None:
    numbers = (parts.TAKSIM, parts.FATIH, parts.SULTANAHMET, parts.USKUDAR, parts.KADIKOY)
    assert [parts.PLACES[number] for number in numbers] == ["Taksim", "Fatih", "Sultanahmet", "Üsküdar", "Kadıköy"]
    assert (len(parts.PLACES), len(parts.PLACES) + 1) == (parts.JAIL, parts.OUT)
    assert parts.ALL == parts.MAX_SEATS


def test_cards_are_numbered_by_their_kinds() -> None:
    kinds = [card.kind for card in parts.CARDS]
    assert kinds.index(parts.JOURNEY) == parts.FIRST_JOURNEY
    assert kinds.index(parts.WORK) == parts.FIRST_WORK
    assert kinds == sorted(kinds)
