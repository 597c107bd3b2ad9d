"""Slow work in separate processes: bots, hints, reviews, curves and replays."""
