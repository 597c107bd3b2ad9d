"""The contract that every game implements. The engine imports no game and no web library."""
