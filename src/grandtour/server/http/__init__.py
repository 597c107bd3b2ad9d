"""HTTP: the page, the requests of the protocol that need no socket, and security."""
