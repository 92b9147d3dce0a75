"""The on-device classifiers and their training."""
