"""What the bots think with: which routes to build for which tickets."""
