"""What the bot uses to decide: the worth of hands, and which trades to make."""
