"""The Textual face: widgets show events, screens arrange widgets."""
