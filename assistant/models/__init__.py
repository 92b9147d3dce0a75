"""What answers and what embeds."""
