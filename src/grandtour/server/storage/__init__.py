"""What is stored: the log of every table and all else, in SQLite or PostgreSQL."""
