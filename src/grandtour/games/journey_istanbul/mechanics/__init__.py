"""Parts of the rules: the moves, the talk between players, their planners and their tasks."""
