"""What the bot uses to decide: a plan for the coming days, and what to say and to pay."""
