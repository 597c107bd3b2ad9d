"""Numbers that the compiler needs as literals agree with the lists and data files that they count."""

from pathlib import Path

from grandtour.games.itchy_feet import parts as itchy_feet
from grandtour.games.journey_istanbul import parts as journey_istanbul
from grandtour.games.round_trip import parts as round_trip
from grandtour.games.ticket_to_ride_italy import parts as ticket_to_ride
from grandtour.games.word_traveler import parts as word_traveler


def test_numbers_of_round_trip_match_its_data() -> None:
    box = round_trip
    assert len(box.CITIES) == box.N_CITIES
    assert len(box.PILES) == box.N_PILES
    assert len(box.TICKETS) == box.KINDS
    assert box.CITIES[box.ROMA] == "Roma"
    assert {sum(ticket.copies for ticket in box.TICKETS if ticket.pile == pile) for pile in range(box.N_PILES)} == {
        box.PILE_SIZE
    }
    assert {trip.length for trip in box.TRIPS} == {*range(box.MIN_LENGTH, box.GRAND_TOUR + 1)}
    assert {len(cards) for cards in box.SELECTIONS.values()} == {box.SELECTION_CARDS}


def test_numbers_of_ticket_to_ride_match_its_data() -> None:
    box = ticket_to_ride
    assert len(box.COLOURS) == box.N_COLOURS
    assert len(box.CARDS) == len(box.COPIES) == box.KINDS
    assert box.CARDS[box.LOCOMOTIVE] == "locomotive"
    assert len(box.CITIES) == box.N_CITIES
    assert len(box.PLACES) == box.N_PLACES
    assert len(box.REGIONS) == box.N_REGIONS
    assert len(box.ROUTES) == box.N_ROUTES
    assert len(box.TICKETS) == box.N_TICKETS
    assert max(route.length for route in box.ROUTES) == max(box.POINTS) == box.MAX_LENGTH
    assert max(route.length for route in box.ROUTES if not route.ferry) == box.MAX_COLOURED_LENGTH


def test_numbers_of_itchy_feet_match_its_data() -> None:
    box = itchy_feet
    assert len(box.ITEMS) == box.N_ITEMS
    assert len(box.HAND_CARDS) == box.IN_HAND
    assert len(box.CARDS) == box.KINDS
    assert len(box.COUNTRIES) == box.N_COUNTRIES
    assert {len(country.items) for country in box.COUNTRIES} == {box.ITEMS_PER_COUNTRY}


def test_numbers_of_journey_istanbul_match_its_data() -> None:
    box = journey_istanbul
    assert len(box.PLACES) == box.N_PLACES
    assert [box.PLACES[place] for place in (box.TAKSIM, box.FATIH, box.SULTANAHMET, box.USKUDAR, box.KADIKOY)] == [
        "Taksim",
        "Fatih",
        "Sultanahmet",
        "Üsküdar",
        "Kadıköy",
    ]
    assert len(box.DAYS) == box.N_DAYS
    assert box.PARTS["sheet"]["weeks"] == box.WEEKS
    assert box.PARTS["sheet"]["squares"] == box.SQUARES
    assert box.PARTS["jail"]["days"] == box.JAIL_DAYS
    assert [card.kind for card in box.CARDS] == [
        kind for kind in (box.POLICE, box.JOURNEY, box.WORK) for _ in range(box.CARDS_PER_KIND)
    ]
    assert len(box.CARDS) == box.N_CARDS
    assert len(box.OBSTACLES) == box.DEBT + 1
    assert len(box.OPPORTUNITIES) == box.WORKSHOP + 1


def test_numbers_of_word_traveler_match_its_data() -> None:
    box = word_traveler
    assert len(box.WORDS) == box.N_WORDS
    assert len(box.MAPS) == box.N_MAPS
    assert {len(city) for city in box.PLACES} == {box.SPACES}
    assert {len(side) for card in box.SYMBOLS for side in card} == {box.SPACES}
    assert len(box.ARROWS) == box.DAYS
    assert len(box.SURENESS) == box.N_SURENESS
    assert {len(places) for places in box.SOUVENIRS.values()} == {box.N_SOUVENIRS}
    assert [*box.SOUVENIRS] == [*range(box.MIN_SEATS, box.MAX_SEATS + 1)]


def test_the_page_has_the_board_size_of_word_traveler() -> None:
    page = Path(__file__).parents[2] / "web/src/games/word-traveler/view.ts"
    assert f"const SIZE = {word_traveler.SIZE};" in page.read_text("utf-8")
