"""A chat assistant in the terminal that remembers you, and lets you see and check what it remembers."""

__version__ = "0.1.0"
