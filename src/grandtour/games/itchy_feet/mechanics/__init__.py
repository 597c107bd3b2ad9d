"""Parts of the rules: what actions do, turns, trade, counting and dealing cards, and what is known of hidden ones."""
