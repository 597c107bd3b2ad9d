"""Parts of the rules: actions, turns, trading, dealing, packs of cards, and what is known about hidden cards."""
