"""Grand Tour: travel games on one engine, to play, to study and to build upon."""

__version__ = "0.1.0"
