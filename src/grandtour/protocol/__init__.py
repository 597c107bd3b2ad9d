"""What people and programs are shown: messages, positions, replays and rulebooks, as one viewer may see them."""
