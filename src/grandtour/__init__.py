"""Grand Tour: five travel games on one engine, for players, for people who study games and for people who build them."""

__version__ = "0.1.0"
