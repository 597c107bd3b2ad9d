"""Parts of the rules: routes and networks on the board."""
