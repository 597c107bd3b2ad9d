"""Planning for the bots: which routes to build for which tickets, and which tickets others probably hold."""
