"""Messages, positions, replays and rulebooks, rendered for one viewer. Server, programs and terminal share this."""
