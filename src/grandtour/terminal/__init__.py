"""What the command line shows: matches and rulebooks, on paper as wide as the terminal."""
