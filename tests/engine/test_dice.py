"""Dice are fair, reproducible from their seed, and verifiable."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice, QuickDice, SealedDice, make_dice, restore_dice, seal

SECRET = bytes(range(32))
seeds = st.integers() | st.binary(min_size=32, max_size=32)


def rolls(dice: Dice, n: int, times: int = 40) -> list[int]:
    return [dice.below(n) for _ in range(times)]


@given(seeds, st.integers(1, 1 << 20))
def test_a_roll_is_below_n_and_the_same_seed_rolls_the_same(seed: int | bytes, n: int) -> None:
    first = rolls(make_dice(seed), n)
    assert all(0 <= roll < n for roll in first)
    assert rolls(make_dice(seed), n) == first


@given(seeds, st.integers(0, 50))
def test_a_copy_rolls_what_the_original_would_and_leaves_it_unchanged(seed: int | bytes, used: int) -> None:
    dice = make_dice(seed)
    rolls(dice, 6, used)
    copy, restored = dice.clone(), restore_dice(dice.dump())
    assert rolls(copy, 1000) == rolls(restored, 1000) == rolls(dice, 1000)


@pytest.mark.parametrize("dice", [QuickDice(5), SealedDice(SECRET)])
def test_every_number_comes_up_about_equally_often(dice: Dice) -> None:
    counts = Counter(rolls(dice, 6, 12_000))
    assert set(counts) == set(range(6))
    # Five standard deviations of a fair die: a false alarm is rarer than one in a million, and the seeds are fixed.
    assert all(abs(count - 2000) < 5 * (12_000 * 5 / 36) ** 0.5 for count in counts.values())


@pytest.mark.parametrize("dice", [QuickDice(9), SealedDice(SECRET)])
def test_a_shuffle_reaches_every_order_of_its_part_and_leaves_the_rest(dice: Dice) -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(1200):
        cards = vec[i64]([9, 1, 2, 3, 8])
        dice.shuffle(cards, 1, 4)
        assert (cards[0], cards[4]) == (9, 8)
        orders[tuple(cards[1:4])] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 130


def test_neighbouring_seeds_give_different_numbers() -> None:
    assert len({tuple(rolls(QuickDice(seed), 1000, 4)) for seed in range(2000)}) == 2000


def test_quick_dice_follow_the_published_algorithm() -> None:
    """xoroshiro64**, computed here as its authors write it in C."""
    a, b = 0x12345678, 0x9ABCDEF1
    dice = restore_dice(["quick", a, b])
    for _ in range(100):
        product = a * 0x9E3779BB % 2**32
        expected = ((product << 5 | product >> 27) % 2**32) * 5 % 2**32
        assert dice.below(2**31) == expected >> 1
        b ^= a
        a = (a << 26 | a >> 6) % 2**32 ^ b ^ (b << 9) % 2**32
        b = (b << 13 | b >> 19) % 2**32


def test_sealed_dice_are_keyed_blake2_in_counter_mode() -> None:
    dice = SealedDice(SECRET)
    for block in range(3):
        data = hashlib.blake2b(block.to_bytes(8, "little"), key=SECRET).digest()
        for place in range(16):
            assert dice.below(2**32) == int.from_bytes(data[4 * place : 4 * place + 4], "little")


def test_the_seal_is_the_hash_of_the_secret_and_a_secret_has_32_bytes() -> None:
    assert seal(SECRET) == hashlib.sha256(SECRET).hexdigest()
    with pytest.raises(ValueError, match="32 bytes"):
        SealedDice(b"short")


@given(st.integers(), st.integers(0, 5), st.integers(0, 40))
def test_quick_dice_shuffle_with_the_numbers_that_they_would_roll(seed: int, first: int, count: int) -> None:
    quick, plain = QuickDice(seed), QuickDice(seed)
    cards, others = vec[i64](range(50)), vec[i64](range(50))
    quick.shuffle(cards, first, first + count)
    Dice.shuffle(plain, others, first, first + count)
    assert list(cards) == list(others)
    assert quick.dump() == plain.dump()


@given(seeds, st.integers(1, 1 << 20), st.integers(0, 50))
def test_a_list_is_filled_with_the_numbers_that_would_be_rolled(seed: int | bytes, n: int, count: int) -> None:
    filling, rolling = make_dice(seed), make_dice(seed)
    found = vec[i64]([0] * count)
    filling.write_below(n, found)
    assert list(found) == rolls(rolling, n, count)
    assert filling.dump() == rolling.dump()
