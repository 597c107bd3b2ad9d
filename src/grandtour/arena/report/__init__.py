"""A report on a game: one page that says what many simulated games show, in sentences, plots and tables."""
