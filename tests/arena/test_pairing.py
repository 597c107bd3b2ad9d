"""The schedule: every grouping, every seating, every player in every seat equally often."""

from collections import Counter

import pytest

from grandtour.arena.pairing import MAX_SEATINGS, Schedule, groupings, rotations, seatings


def test_more_players_than_seats_meet_in_every_grouping() -> None:
    assert groupings(4, 2, team=False) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(groupings(5, 3, team=False)) == 10


def test_fewer_players_than_seats_fill_several_seats_each() -> None:
    assert groupings(2, 3, team=False) == [(0, 0, 1), (0, 1, 1)]


def test_a_team_is_one_player_in_every_seat() -> None:
    assert groupings(3, 4, team=True) == [(0,) * 4, (1,) * 4, (2,) * 4]


def test_a_deal_is_played_in_every_seating() -> None:
    deal = Schedule(3, 2, seed=7, team=False).deal(5)
    assert [game.players for game in deal] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert {game.deal for game in deal} == {5}
    assert seatings((0, 0, 1)) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


@pytest.mark.parametrize(("field", "seats"), [(2, 2), (4, 3), (5, 5), (2, 5), (6, 6)])
def test_on_every_deal_every_player_has_every_seat_equally_often(field: int, seats: int) -> None:
    schedule = Schedule(field, seats, seed=7, team=False)
    for number in range(3):
        sat = Counter((player, seat) for game in schedule.deal(number) for seat, player in enumerate(game.players))
        assert len(sat) == field * seats
        for player in range(field):
            assert len({sat[player, seat] for seat in range(seats)}) == 1, f"player {player} favours a seat"


def test_with_too_many_seatings_a_deal_plays_the_rotations_of_one_table_order() -> None:
    schedule = Schedule(5, 5, seed=7, team=False)
    assert len(seatings((0, 1, 2, 3, 4))) > MAX_SEATINGS
    assert all(len(schedule.deal(number)) == 5 for number in range(10))
    drawn = {schedule.deal(number)[0].players for number in range(400)}
    assert len(drawn) == len(rotations((0, 1, 2, 3, 4))) == 24, "some table orders never come up"


def test_games_are_rounded_up_to_whole_deals() -> None:
    schedule = Schedule(4, 2, seed=7, team=False)
    assert schedule.deals(1) == 1
    assert schedule.deals(12) == 1
    assert schedule.deals(2000) == 167
    assert sum(1 for _ in schedule.games(167)) == schedule.count(167) == 2004


@pytest.mark.parametrize(("field", "seats"), [(3, 2), (5, 5), (2, 6)])
def test_the_count_matches_the_games_played(field: int, seats: int) -> None:
    """With two players at six seats, table orders such as ABABAB have fewer seatings than others."""
    schedule = Schedule(field, seats, seed=7, team=False)
    for deals in (1, 4, 9):
        count = sum(1 for _ in schedule.games(deals))
        assert schedule.count(deals) == count
        assert schedule.deals(count) == deals
        assert schedule.deals(count + 1) == deals + 1
