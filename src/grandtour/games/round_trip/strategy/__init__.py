"""Evaluation for the bots: the value of a hand, and how far it is from the grand tour."""
