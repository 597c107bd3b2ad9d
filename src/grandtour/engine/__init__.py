"""What every game keeps to. The engine knows no game and no web."""
