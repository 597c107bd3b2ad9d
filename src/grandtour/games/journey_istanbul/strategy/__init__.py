"""Planning for the bots: the coming days, what to say, and what to pay."""
