"""Short titles, from the words of the first message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.titles import proposed_title


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("How do I fire a new kiln?", "Fire a new kiln"),
        ("I run a small ceramics shop on Shopify.", "Small ceramics shop on Shopify"),
        ("Could you please tell me about glazes that are safe for food", "Glazes that are safe for food"),
        (
            "I want to move from Etsy to Shopify because the fees are far too high",
            "Move from Etsy to Shopify",
        ),
        ("what is the capital of France", "Capital of France"),
        ("I am new to pottery. How do I fire a kiln?", "Fire a kiln"),
        ("```python\nraise ValueError\n```\nwhy does this fail?", "Why does this fail"),
        ("Please read https://www.example.org/a?b=1 and compare", "Read example.org and compare"),
        ("Wie brenne ich einen neuen Ofen richtig und ohne Risse?", "Wie brenne ich einen neuen Ofen"),
        ("窯の焼き方を教えてください。", "窯の焼き方を教えてください"),
    ],
)
def test_a_title_says_what_the_message_is_about(message: str, title: str) -> None:
    assert proposed_title(message) == title


@pytest.mark.parametrize("message", ["hi", "Hello there!", "Good morning", "ok", "?!", "", "  \n"])
def test_a_greeting_names_nothing(message: str) -> None:
    assert proposed_title(message) == ""


@given(st.text(max_size=400))
def test_a_title_is_short_and_on_one_line_whatever_was_said(message: str) -> None:
    title = proposed_title(message)
    assert len(title) <= 48
    assert len(title.split()) <= 8
    assert title == " ".join(title.split())
