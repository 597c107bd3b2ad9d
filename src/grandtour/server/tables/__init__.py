"""A table in play: who sits there, what they send and are told, and its clocks."""
