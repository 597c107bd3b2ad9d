"""What the bots think with: what a hand is worth, and how far it is from the grand tour."""
