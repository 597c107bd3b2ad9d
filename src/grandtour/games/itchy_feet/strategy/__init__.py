"""Evaluation for the bot: the value of hands, and which trades to make."""
