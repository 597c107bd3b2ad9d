"""What the bots think with: a plan for the coming days, and what to say and to pay."""
