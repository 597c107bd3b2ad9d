"""Run many games between bots: simulations, tournaments and reports."""
