from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.memory.redaction import mask, mask_turn


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
        ("the code for the back door: 4471#", "4471", "password"),
        ("lockbox code 2290, if you ask", "2290", "password"),
        ("username mira password Plover71", "Plover71", "password"),
        ("log in with mira / Plover!71", "Plover!71", "password"),
        ("I changed my password from Plover!71 to Sparrow!72", "Plover!71", "password"),
        ("I changed my password from Plover!71 to Sparrow!72", "Sparrow!72", "password"),
        ("wifi: Plumtree / otter-lamp-44", "otter-lamp-44", "password"),
        (
            "I keep two passwords for the shop, the old one is Heron-Lake9 and it still works",
            "Heron-Lake9",
            "password",
        ),
        ("they made me change my password. It's now Wren!Sky_4", "Wren!Sky_4", "password"),
        ("got a new PIN for the card, it's 7731, how do I change it", "7731", "password"),
        (
            "which of these passwords is better: tulip7Rain, correcthorse or Mole!12?",
            "tulip7Rain",
            "password",
        ),
        (
            "which of these passwords is better: tulip7Rain, correcthorse or Mole!12?",
            "correcthorse",
            "password",
        ),
        ("which of these passwords is better: tulip7Rain, correcthorse or Mole!12?", "Mole!12", "password"),
        ("AWS_SECRET_ACCESS_KEY=qJalrXUtn/K7MDENG/bPx", "qJalrXUtn", "password"),
        ("mein Passwort ist Sommer2024", "Sommer2024", "password"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.abcDEF123ghiJKL456", "abcDEF123", "key"),
        (
            "1. ridge 2. lamp 3. otter 4. pencil 5. salad 6. guitar 7. meadow 8. ticket 9. verify 10. copper 11. window 12. zebra, that's my seed phrase",
            "guitar",
            "recovery phrase",
        ),
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
        "my order number is 4539 1488 0343 6467",
        "the tracking code is JD014600006281230704",
        "isbn 9780306406157, the green one",
        "call me on 0161 496 0000 or +44 7911 123456",
        "the commit is 3f2a1c9be0d4a7c2e1f09a8b7c6d5e4f3a2b1c0d",
        "row 123e4567-e89b-12d3-a456-426614174000 is missing",
        "the secret is brown butter, the pin is loose and the combination of lime and mint is great",
        "netflix is 12.99/month and the account is 300€/month",
        "password: min. 12 characters",
        "I changed my password in May, it's been fine since 2024 and it is long",
        "my password manager is great and it's 10€/month",
        "I lost my pin badge, it is the blue one",
        "what good passwords have in common: long, unique and easy to type",
        "basic training starts on Monday for the bearer of bad news",
        "the last four steps were 1000 2000 3000 4000",
        "I seed the lawn in autumn and then water it with rain when there is some and mow late",
        "error code is 0x80070057 and the dress code is black tie",
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


def test_what_one_side_of_a_turn_gives_away_is_hidden_in_the_other_too() -> None:
    user, answer = mask_turn(
        "my password is Plover!71", "Never write Plover!71 in a mail; Plover!711 is no better."
    )
    assert user.text == "my password is [password hidden]"
    assert answer.text == "Never write [password hidden] in a mail; Plover!711 is no better."
    assert (user.kinds, answer.kinds) == (("password",), ())


def _with_check_digit(digits: str) -> str:
    """The number with the digit that makes its Luhn sum right (written here a second time, by the book)."""
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(digits)))
    return digits + str(-total % 10)


@given(st.from_regex(r"[2-5][0-9]{14}", fullmatch=True), st.sampled_from(["", " ", "-"]))
def test_every_number_with_a_cards_checksum_is_masked_however_it_is_grouped(digits: str, mark: str) -> None:
    number = _with_check_digit(digits)
    grouped = mark.join(number[place : place + 4] for place in range(0, 16, 4))
    assert mask(f"take {grouped} please").text == "take [card number hidden] please"


@given(st.from_regex(r"[2-5][0-9]{14}", fullmatch=True), st.integers(1, 9))
def test_a_number_with_a_wrong_checksum_that_nobody_calls_a_card_is_left_alone(digits: str, off: int) -> None:
    right = _with_check_digit(digits)
    wrong = f"{digits}{(int(right[-1]) + off) % 10}"
    assert mask(f"part {wrong} is out of stock").kinds == ()


@given(st.from_regex(r"[0-9]{18}", fullmatch=True))
def test_every_account_with_its_checksum_is_masked(number: str) -> None:
    check = 98 - int(f"{number}131400") % 97  # D is 13, E is 14
    iban = f"DE{check:02}{number}"
    grouped = " ".join(iban[place : place + 4] for place in range(0, len(iban), 4))
    assert mask(f"to {iban}, or {grouped}").kinds == ("bank account",)
    assert number not in mask(f"to {iban}, or {grouped}").text


@given(st.from_regex(r"[A-Za-z]{3,8}[!#%&*+_-]?[0-9]{2,6}", fullmatch=True))
def test_what_is_called_a_password_is_masked_whatever_it_is(password: str) -> None:
    for said in (f"my password is {password}", f"pw: {password}", f"the wifi password '{password}' works"):
        assert password not in mask(said).text


@given(st.text(max_size=300))
def test_any_text_can_be_masked(text: str) -> None:
    assert isinstance(mask(text).text, str)
