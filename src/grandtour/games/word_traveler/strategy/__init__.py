"""What the bot uses to decide: how well each word describes each place."""
