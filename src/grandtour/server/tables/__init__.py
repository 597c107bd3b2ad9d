"""Tables in play: sessions, seats, sockets, clocks, and the messages that each seat gets."""
