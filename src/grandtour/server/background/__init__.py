"""Slow work in processes of its own: bots, hints, reviews, curves and replays."""
