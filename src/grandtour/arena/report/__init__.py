"""A report on a game: one HTML page of sentences, plots and tables about many simulated games."""
