"""Evaluation for the bots: how well each word describes each place."""
