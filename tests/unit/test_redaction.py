from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.redaction import mask


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        ("my password is Tr0ub4dor&3, is that strong?", "Tr0ub4dor", "password"),
        ("the wifi at the cabin is 'otter-lamp-44'", "otter-lamp-44", "password"),
        ("door code is 4471 by the way", "4471", "password"),
        ("it's my passcode 660193 again", "660193", "password"),
        ("staging login is deploy / Amber-Kite-88", "Amber-Kite-88", "password"),
        ("Pass: Wombat!77 / Role: admin", "Wombat!77", "password"),
        ("charge 4111 1111 1111 1111 please", "4111", "card number"),
        ("my visa 4000-1234-5678-9011 was declined", "5678", "card number"),
        ("send it to DE89 3704 0044 0532 0130 00", "3704", "bank account"),
        ("AKIAIOSFODNN7EXAMPLE is denied", "AKIAIOSF", "key"),
        ("use ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16", "key"),
        ("curl -H 'Authorization: Bearer abcDEF12345678'", "abcDEF", "key"),
        ("postgres://bob:hunter22@db.local/shop", "hunter22", "login"),
        ("my SSN is 078-05-1120", "078-05", "personal number"),
        (
            "recovery phrase: legal winner thank year wave sausage worth useful legal winner thank yellow",
            "sausage",
            "recovery phrase",
        ),
        (
            "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIB\n-----END EC PRIVATE KEY-----",
            "MHcCAQEEIB",
            "private key",
        ),
    ],
)
def test_a_secret_is_masked_and_its_kind_is_named(text: str, secret: str, kind: str) -> None:
    masked = mask(text)
    assert secret not in masked.text
    assert kind in masked.kinds


@pytest.mark.parametrize(
    "text",
    [
        "my password is too weak, what makes one strong?",
        "I keep forgetting my passwords",
        "the meeting is in room 4471",
        "order 5512 0000 1111 2223 is late",
        "my budget is 12,500 a month and the rent 1,150",
        "born on 12 March 1984, moved in 2016-05-04",
        "the wifi is dreadful in the attic",
        "I sow a seed in March and water it with rain",
        "GB is not an account and neither is DE89",
    ],
)
def test_ordinary_speech_is_left_alone(text: str) -> None:
    assert mask(text).text == text
    assert mask(text).kinds == ()


def test_two_secrets_are_both_masked_and_each_kind_is_named_once() -> None:
    masked = mask("pin is 4432 and the gate code is 9911, card 4111 1111 1111 1111")
    assert masked.kinds == ("card number", "password")
    assert not any(digits in masked.text for digits in ("4432", "9911", "4111"))


def test_what_stands_around_a_secret_stays() -> None:
    assert mask("I bank with Nordhaus, my pin is 4432. Call me Bo.").text == (
        "I bank with Nordhaus, my pin is [password hidden]. Call me Bo."
    )


def test_masking_twice_changes_nothing_more() -> None:
    once = mask("password: hunter2, key sk-abc123def456ghi789jkl").text
    assert mask(once).text == once


@given(st.text(max_size=300))
def test_any_text_can_be_masked(text: str) -> None:
    assert isinstance(mask(text).text, str)
