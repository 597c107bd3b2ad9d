"""One folder a game; the engine finds them by looking here."""
