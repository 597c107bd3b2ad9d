"""What the bots think with: how well each word describes each place."""
