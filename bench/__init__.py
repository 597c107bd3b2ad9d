"""How fast Round Trip Italy plays at random, beside other libraries' games, in one run: `make bench`."""
