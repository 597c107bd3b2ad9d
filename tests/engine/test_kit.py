"""The kit: knowledge of cards, sentences, and a game that uses all of its features."""

import pytest

from grandtour.engine import kit
from grandtour.engine.dice import QuickDice
from grandtour.engine.kit import bot, sentences
from grandtour.engine.match import Match
from grandtour.engine.refusal import Objection
from grandtour.games.postcards_home import GAME as POSTCARDS
from grandtour.games.postcards_home import SENTENCES, Holiday
from grandtour.testing import Table, conformance_tests
from tests.engine.pickpocket import PICKPOCKET, Purses

test_conformance = conformance_tests(PICKPOCKET)


def purse(table: Table, owner: int, seat: int | None) -> list[str | None]:
    """A player's purse as a seat knows it."""
    cards: list[str | None] = table.shown("Purse", owner, seat)["cards"]
    return cards


def imagined(table: Table, seat: int, owner: int) -> set[tuple[str, ...]]:
    """All the purses of another player that a seat can imagine."""
    found = set()
    for number in range(200):
        world = table.state.imagine(seat, QuickDice(number))
        assert isinstance(world, Purses)
        cards = world.purse[owner]
        found.add(tuple(sorted(cards)))
    return found


def test_only_the_giver_knows_a_card_that_was_given_away() -> None:
    table = Table(PICKPOCKET, 3, purse=["Gold", "Copper", "Copper"])
    table.play(0, "slip", card="Gold", to=1)
    assert purse(table, 1, 0) == ["Gold", None]
    assert purse(table, 1, 1) == ["Copper", "Gold"]
    assert purse(table, 1, 2) == purse(table, 1, None) == [None, None]
    assert all("Gold" in each for each in imagined(table, 0, 1))
    assert any("Gold" not in each for each in imagined(table, 2, 1))
    assert table.said(0) == "You slip a Gold to Bea."
    assert table.said(1) == "Ada slips a Gold to you."
    assert table.said(2) == "Ada slips a coin to Bea."


def test_a_known_card_is_uncertain_after_a_card_left_unseen() -> None:
    table = Table(PICKPOCKET, 3, purse=["Gold", "Copper", ""])
    table.play(0, "slip", card="Gold", to=1)
    table.play(1, "slip", card="Copper", to=2)
    assert purse(table, 1, 0) == [None]
    assert any("Gold" not in each for each in imagined(table, 0, 1))
    assert any("Gold" in each for each in imagined(table, 0, 1))


def test_after_one_of_two_equal_known_cards_leaves_the_other_is_still_known() -> None:
    table = Table(PICKPOCKET, 2, purse=["Silver, Silver", "Copper"], shown="")
    table.play(0, "slip", card="Silver", to=1)
    table.play(1, "take")
    table.play(0, "slip", card="Silver", to=1)
    assert purse(table, 1, 0) == ["Silver", "Silver", None, None]
    table.play(1, "bury", card="Silver")
    assert purse(table, 1, 0) == ["Silver", None, None]
    assert table.shown("Hoard", seat=0)["top"] is None
    assert table.shown("Hoard", seat=1)["top"] == "Silver"


def test_a_card_from_a_hand_of_equal_known_cards_stays_known() -> None:
    table = Table(PICKPOCKET, 3, purse=["Gold", "", ""])
    table.play(0, "slip", card="Gold", to=1)
    table.play(1, "slip", card="Gold", to=2)
    assert purse(table, 2, 0) == ["Gold"]
    assert purse(table, 2, None) == [None]


def test_a_card_that_is_shown_can_be_the_known_one() -> None:
    table = Table(PICKPOCKET, 2, purse=["Silver", "Silver"])
    table.play(0, "slip", card="Silver", to=1)
    table.play(1, "show", card="Silver")
    assert purse(table, 1, 0) == [None]


def test_a_player_who_buries_a_card_knows_who_draws_it() -> None:
    table = Table(PICKPOCKET, 3, purse=["Gold", "", ""])
    table.play(0, "bury", card="Gold")
    table.play(1, "take")
    assert purse(table, 1, 0) == ["Gold"]
    assert purse(table, 1, 2) == [None]


def test_cards_are_out_of_the_game_when_a_test_gives_every_pile_in_full() -> None:
    table = Table(PICKPOCKET, 2, purse=["Gold", "Silver"], hoard="", shown="Copper")
    assert len(table.state.census()) == 3
    assert sum(table.state.census()) == 3


def test_a_table_takes_options_by_their_names_beside_a_position() -> None:
    table = Table(POSTCARDS, 3, start="3", hand=["Island", "", "Castle"])
    assert table.waiting() == [2]
    assert [cards["count"] for cards in (table.shown("Hand", seat) for seat in range(3))] == [1, 0, 1]


def test_several_cards_are_named_to_the_seats_that_saw_them_all() -> None:
    table = Table(PICKPOCKET, 2, purse=["Gold, Silver", ""])
    table.play(0, "empty")
    assert table.said(0) == "You empty your purse: Gold and Silver."
    assert table.said(1) == table.said() == "Ada empties Ada's purse."


def test_the_order_of_cards_that_are_moved_together_stays_hidden() -> None:
    for order in ("Gold, Silver", "Silver, Gold"):
        table = Table(PICKPOCKET, 2, hoard=f"{order}, ...")
        moved = table.state.put_all(table.state.hoard, table.state.shown)
        assert moved == sorted(moved), "the order in which they lay is shown"


def test_no_seat_knows_where_a_card_is_after_a_shuffle() -> None:
    table = Table(PICKPOCKET, 2, purse=["Gold", "Copper, Silver"], hoard="")
    assert table.shown("Shown")["count"] == 9
    table.play(0, "take")
    assert table.shown("Hoard", seat=1) == {"kind": "pile", "title": "Hoard", "owner": None, "count": 8, "top": None}
    assert purse(table, 0, 1) == [None, None]


@pytest.mark.parametrize(
    ("template", "seat", "sentence"),
    [
        ("{seat.take} {card.a} from {of.player}.", None, "Ada takes an Orange from Bea."),
        ("{seat.take} {card.a} from {of.player}.", 0, "You take an Orange from Bea."),
        ("{seat.take} {card.a} from {of.player}.", 1, "Ada takes an Orange from you."),
        ("{seat.carry} {of.whose} bags and {seat:pass}.", 0, "You carry Bea's bags and pass."),
        ("{seat.carry} {of.whose} bags and {seat:pass}.", 1, "Ada carries your bags and passes."),
        ("Now {seat.begin}.", 0, "Now you begin."),
        ("{of.whose} turn: {coins#coin}, {cards#card}.", 0, "Bea's turn: 2 coins, 1 card."),
        ("{cards} of {none}", 0, "Fig of nothing"),
    ],
)
def test_a_template_is_written_for_a_seat(template: str, seat: int | None, sentence: str) -> None:
    record = {"seat": 0, "of": 1, "card": "Orange", "coins": 2, "cards": ["Fig"], "none": []}
    assert sentences.fill(template, record, ["Ada", "Bea"], seat) == sentence


def test_the_template_is_chosen_by_what_is_known() -> None:
    templates = ("{seat.draw} {card.a}.", "{seat.draw} a card.")
    assert sentences.choose(templates, {"seat": 0, "card": "Fig"}) == templates[0]
    assert sentences.choose(templates, {"seat": 0}) == templates[1]
    assert sentences.choose(templates, {}) == ""


def test_a_move_does_not_take_the_name_of_a_method() -> None:
    with pytest.raises(TypeError, match="cannot have a move shuffle"):

        class Gambler(kit.Position):
            @kit.move("Shuffle", "shuffle", "GA-1")
            def shuffle(self, seat: int) -> None:  # type: ignore[override]
                self.next_turn()

            def check_shuffle(self, seat: int) -> kit.Check:
                yield from ()


def test_a_move_without_a_check_is_always_allowed() -> None:
    class Idle(kit.Position):
        @kit.move("Wait", "wait", "ID-1")
        def wait(self, seat: int) -> None:
            self.next_turn()

    assert list(Idle.moves.verb("wait").check(Idle(), 0)) == []


def test_a_check_without_a_move_is_refused() -> None:
    with pytest.raises(TypeError, match="has check_wiat, but no move wiat"):

        class Idle(kit.Position):
            def check_wiat(self, seat: int) -> kit.Check:
                yield from ()


def test_an_empty_seat_cannot_be_named() -> None:
    table = Table(PICKPOCKET, 2)
    assert table.refused(0, "slip", card="Gold", to=2) == Objection("PP-3", "There is no such player.")


@pytest.mark.parametrize("seats", [2, 4])
def test_the_bot_stays_within_its_budget_in_every_choice_of_a_game(seats: int) -> None:
    legal_calls = 0

    class Counted(Holiday):
        def check_draw(self, seat: int) -> kit.Check:
            nonlocal legal_calls
            legal_calls += 1
            yield from super().check_draw(seat)

    game = kit.make_game(
        Holiday.__module__, Counted, title="", summary="", players=(2, 4), minutes=10, sentences=SENTENCES
    )
    state, dice = Match(game, seats).state, QuickDice(seats)
    while waiting := state.waiting():
        legal_calls = 0
        state.play(waiting[0], game.choose(state, waiting[0], dice))
        checks = legal_calls * len(Counted.moves.choices)
        assert checks <= 2 * bot.BUDGET, f"{checks} checks of about 3 µs each take the bot too long"
