"""One turn, as a stream of typed events; both faces use it."""
