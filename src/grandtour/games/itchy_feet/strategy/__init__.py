"""What the bots think with: what a hand is worth, and when to trade."""
