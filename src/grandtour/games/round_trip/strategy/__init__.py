"""What the bot uses to decide: the value of a hand, and how far it is from the grand tour."""
