"""The lexicon of words and places, and the bots that use it."""

from itertools import chain

import pytest

from bench.words import TEAMS, Team
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.games.word_traveler import GAME, bot, search
from grandtour.games.word_traveler.parts import CENTRE, CITIES, HAND, PLACES, SPACE_NAMES, WORDS
from grandtour.games.word_traveler.rules import State
from grandtour.games.word_traveler.state import STEP_PLAN
from grandtour.games.word_traveler.strategy import lexicon
from tests.games.word_traveler.positions import Table


def grade(word: str, place: str) -> float:
    city = next(city for city, places in zip(CITIES, PLACES, strict=True) if place in places)
    return lexicon.describes(word, city, place)


def test_the_lexicon_has_exactly_the_words_and_places_of_the_game() -> None:
    source = lexicon.source()
    assert set(source["words"]) == set(WORDS)
    for city, places in zip(CITIES, PLACES, strict=True):
        assert set(source["places"][city]) == set(places) - {city}
        for place in source["places"][city]:
            unknown = lexicon.tags(city, place).keys() - source["axes"].keys() - set(WORDS)
            assert not unknown, f"{place} has tags that are neither axis nor word: {unknown}"
    for word in WORDS:
        assert {axis for axis, _ in lexicon.mixture(word)} <= source["axes"].keys()


def test_every_axis_and_every_kind_is_used() -> None:
    source = lexicon.source()
    mixed = {axis for word in WORDS for axis, _ in lexicon.mixture(word)}
    assert mixed == source["axes"].keys()
    pieces = {piece for places in source["places"].values() for tags in places.values() for piece in tags.split()}
    assert source["kinds"].keys() <= pieces


@pytest.mark.parametrize(
    ("place", "fits", "opposes"),
    [
        ("Ice Skating Rink", "Cold Slippery Smooth Frozen", "Hot Warm Rough"),
        ("Subway Car", "Busy Loud Underground Crowded", "Comfortable Quiet Empty Natural"),
        ("Baseball Glove and Ball", "Active Circular Sporty", "Enormous Loud"),
        ("Roller Coaster", "Fast Scary Loud Steep", "Calm Slow Peaceful Boring"),
        ("Stinking Cheese", "Smelly Creamy Salty", "Fragrant Sweet Fresh"),
        ("Perfume Bottle", "Fragrant Glass Fragile", "Cheap Dirty Enormous"),
        ("Sewer Tunnel", "Dirty Wet Dark Underground", "Clean Romantic Fragrant Bright"),
        ("Mime", "Quiet Silly Striped", "Loud Musical"),
        ("Spicy Curry", "Spicy Hot Aromatic", "Cold Frozen"),
        ("Fog", "Mysterious Wet Quiet", "Sunny Shiny Loud"),
        ("Glass Shard Tower", "Tall Modern Transparent Pointy", "Ancient Small Flat"),
        ("Zen Garden", "Peaceful Quiet Dry Empty", "Loud Busy Wet Crowded"),
        ("Bullet Train", "Fast Long Modern Electric", "Slow Ancient Dirty"),
        ("Matcha Ice Cream", "Cold Green Creamy Sweet", "Hot Warm Dry"),
        ("Bonsai", "Tiny Patient Leafy", "Enormous Fast Loud Tall"),
    ],
)
def test_fitting_words_describe_a_place_and_opposite_words_do_not(place: str, fits: str, opposes: str) -> None:
    for word in fits.split():
        assert grade(word, place) >= 1.5, f"{place} is {word}"
    for word in opposes.split():
        assert grade(word, place) <= -1.5, f"{place} is not {word}"


@pytest.mark.parametrize(
    ("word", "opposite"),
    [
        ("Hot", "Cold"),
        ("Quiet", "Loud"),
        ("Large", "Tiny"),
        ("Fast", "Slow"),
        ("Clean", "Dirty"),
        ("Modern", "Ancient"),
        ("Expensive", "Cheap"),
        ("Indoor", "Outdoor"),
        ("Busy", "Empty"),
        ("Wet", "Dry"),
        ("Natural", "Artificial"),
        ("Gentle", "Aggressive"),
    ],
)
def test_no_place_is_both_a_word_and_its_opposite(word: str, opposite: str) -> None:
    both = [
        place
        for place in chain(*PLACES)
        if place not in CITIES and grade(word, place) >= 1.5 and grade(opposite, place) >= 1.5
    ]
    assert not both, f"{word} and {opposite}: {both}"


def test_a_property_most_places_lack_does_not_distinguish_them() -> None:
    assert lexicon.neutral_if_lacking() <= set(WORDS)
    for word in lexicon.neutral_if_lacking():
        grades = {grade(word, place) for place in chain(*PLACES) if place not in CITIES}
        assert min(grades) == lexicon.LACKING_GRADE
        assert not any(lexicon.LACKING_GRADE < one <= 0 for one in grades), (
            f"Not {word} distinguishes places that lack it"
        )
    assert grade("Glass", "Pigeon") == grade("Glass", "Pizza Slice") < 0 < grade("Glass", "Glass Pyramid")


def test_a_rare_property_counts_as_absent_unless_stated() -> None:
    assert lexicon.rare() <= set(WORDS) - lexicon.neutral_if_lacking()
    assert grade("Musical", "Postbox") == lexicon.LACKING_GRADE
    assert grade("Musical", "Mime") < lexicon.LACKING_GRADE < 0 < grade("Musical", "Jazz Club")


def test_every_word_says_something_about_places_in_every_city() -> None:
    for city, name in enumerate(CITIES):
        for number, word in enumerate(WORDS):
            row = lexicon.table(city)[number]
            assert row[CENTRE] == 0.0
            assert max(row) >= 1.5, f"{word} describes nothing in {name}"


def test_the_words_distinguish_any_two_places_of_a_city() -> None:
    for city in range(len(CITIES)):
        columns = list(zip(*lexicon.table(city), strict=True))
        for one in range(49):
            for two in range(one):
                apart = sum(abs(a - b) >= 2 for a, b in zip(columns[one], columns[two], strict=True))
                assert apart >= 5, f"{PLACES[city][one]} and {PLACES[city][two]} are too similar"


def test_bots_differ_in_taste_but_agree_on_clear_clues() -> None:
    cold = WORDS.index("Cold")
    rink = SPACE_NAMES.index("F2")
    tastes = [bot.opinion(taste, 0, cold) for taste in range(20)]
    assert len(set(tastes)) == 20
    assert all(opinion[rink] > 0 for opinion in tastes)


def played(seed: int, seats: int) -> State:
    """A complete trip played by bots."""
    state = GAME.new(seats, check_options(GAME.options, {"city": CITIES[seed % 4]}), QuickDice(seed))
    while state.waiting():
        seat = state.waiting()[0]
        state.play(seat, GAME.choose(state.imagine(seat, QuickDice(seed)), seat, QuickDice(seed)))
    assert isinstance(state, State)
    return state


def test_bots_of_different_taste_understand_each_other_much_better_than_by_chance() -> None:
    speaking, drawn, chance = (Team(kind) for kind in TEAMS)
    for team in (speaking, drawn, chance):
        for deal in range(8):
            team.play(deal, 2)
        assert team.meant > 100
    assert speaking.share() >= 0.55
    assert speaking.share() >= 3 * chance.share()
    assert speaking.share() >= 3 * drawn.share()


def test_five_bots_agree_in_the_end() -> None:
    state = played(3, 5)
    assert state.score > 10


def test_a_bot_continues_a_plan_that_someone_else_began() -> None:
    trip = Table()
    words = [card["word"] for card in trip.view(0)["plan"]["hand"]]
    trip.play(0, "aim", arrow=1, space="A4")
    for word in words:
        trip.play(0, "place", word=f"Not {word}", arrow=3)
    state = trip.state
    while not state.done & 1:
        state.play(0, GAME.choose(state, 0, QuickDice(0)))
    journey = int(state.journey_of(0))
    for arrow, (stop, clue) in enumerate(bot.plan_of(state, 0)):
        assert state.aim[5 * journey + arrow] == stop
        for side in clue:
            assert state.put[HAND * journey + side // 2] == 1 + 2 * arrow + side % 2
    assert state.step == STEP_PLAN


def test_a_bot_places_what_is_missing_says_how_sure_it_is_and_agrees() -> None:
    trip = Table(2).plan(0, ("F4", "Busy", "Not Comfortable", "Underground")).done()
    said = []
    while trip.view(None)["journey"]:
        move = GAME.choose(trip.state.imagine(1, QuickDice(0)), 1, QuickDice(0))
        named = GAME.moves.name(move)
        said.append(named)
        trip.play(1, **named)
    assert said == [
        {"do": "footprint", "number": 1, "space": "F4"},
        {"do": "sure", "number": 1, "how": "certain"},
        {"do": "agree"},
    ]


def test_a_bot_moves_a_clearly_wrong_footprint_but_does_not_argue_forever() -> None:
    trip = Table(3).plan(0, ("F4", "Busy", "Not Comfortable", "Underground")).done()
    moves = 0
    for _ in range(20):
        trip.play(2, "footprint", number=1, space="E4")
        named = GAME.moves.name(GAME.choose(trip.state.imagine(1, QuickDice(0)), 1, QuickDice(0)))
        if named == {"do": "agree"}:
            break
        assert named == {"do": "footprint", "number": 1, "space": "F4"}
        trip.play(1, **named)
        moves += 1
    assert 1 <= moves <= 5


def test_imagined_locals_differ_from_the_bot_and_from_each_other() -> None:
    people = {bot.opinion(taste, 0, WORDS.index("Cold")) for taste in (7, 1007, 2007, 3007)}
    assert len(people) == 4


def test_a_longer_search_makes_plans_that_imagined_locals_understand_better() -> None:
    quick = deep = 0.0
    for seed in (1, 2, 3):
        trip = Table(2, seed=seed)
        state = trip.state
        hand = tuple(int(word) for word in state.hand[:HAND])
        people = search.Locals(bot.taste_of(state, 0), int(state.city), CENTRE, trip.view(0)["map"], hand, 30)
        quick += people.points(bot.plan_of(state, 0), 30)
        deep += people.points(search.plans_of(state, 0, 10)[0][0], 30)
    assert deep > quick


def test_the_searching_player_carries_out_its_plan_consistently() -> None:
    trip = Table(2)
    state = trip.state
    while not state.done & 1:
        thoughts = search.think(state.imagine(0, QuickDice(int(state.changes[0]))), 0, QuickDice(0), 2)
        assert all(move in state.legal(0) for move, _ in thoughts)
        state.play(0, thoughts[0][0])
    plan = search.plans_of(state, 0, 2)[0][0]
    assert [int(stop) for stop in state.aim[:3] if stop >= 0] == [stop for stop, _ in plan]
    assert state.changes[0] == len(plan) + sum(len(clue) for _, clue in plan)


def test_it_lists_alternatives_with_the_share_of_imagined_locals_for_each() -> None:
    trip = Table(2, seed=3)
    state = trip.state
    named = 0
    for _ in range(3):
        thoughts = search.think(state, 0, QuickDice(0), 10)
        assert sum(votes for _, votes in thoughts) == 10 * search.LOCALS_PER_EFFORT * search.VOTES_PER_LOCAL
        assert len({move for move, _ in thoughts}) == len(thoughts) <= search.MAX_MOVES
        named += len(thoughts) > 1
        state.play(0, thoughts[0][0])
    assert named, "it never lists an alternative"
    for seat in (0, 1):
        while state.step == STEP_PLAN and not state.done >> seat & 1:
            state.play(seat, search.think(state, seat, QuickDice(0), 2)[0][0])
    local = 1 - int(state.traveler())
    heard = search.think(state, local, QuickDice(0), 10)
    assert heard[0][0] == GAME.choose(state, local, QuickDice(0)), "its own choice does not come first"
    assert sum(votes for _, votes in heard) == 10 * search.VOTERS_PER_EFFORT + 1


def test_moves_name_the_place_unless_names_are_hidden() -> None:
    aim, footprint = {"do": "aim", "arrow": 1, "space": "A1"}, {"do": "footprint", "number": 2, "space": "A1"}
    shown = Table(2).state
    place = PLACES[shown.city][SPACE_NAMES.index("A1")]
    assert GAME.describe_move(shown, aim) == f"Aim arrow 1 at {place}"
    assert GAME.describe_move(shown, footprint) == f"Footprint 2 on {place}"
    assert GAME.describe_move(Table(2, names="hidden").state, aim) == "Aim arrow 1 at A1"
