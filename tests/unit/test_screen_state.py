"""The file in which the screen remembers layout and drafts."""

from __future__ import annotations

import json
import stat

import pytest

from assistant.tui.state import ScreenState


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "screen.json"


def test_values_come_back_at_the_next_start(path):
    state = ScreenState(path)
    state.put("draft", "naïve ☕\n\ud800 \u2028 text")
    state.put("panels", {"width": 50})
    assert state.save()
    again = ScreenState(path)
    assert again.get("draft") == "naïve ☕\n\ud800 \u2028 text"
    assert again.get("panels") == {"width": 50}


def test_nothing_is_written_when_nothing_changed(path):
    assert not ScreenState(path).save()
    assert not path.exists()
    state = ScreenState(path)
    state.put("draft", "x")
    state.save()
    written = path.stat().st_mtime_ns
    again = ScreenState(path)
    again.put("draft", "x")
    assert not again.save()
    assert path.stat().st_mtime_ns == written


def test_none_forgets_a_value(path):
    state = ScreenState(path)
    state.put("draft", "x")
    state.save()
    state.put("draft", None)
    assert state.save()
    assert ScreenState(path).get("draft", "gone") == "gone"


def test_only_the_user_can_read_the_file_and_no_half_written_one_is_left(path):
    state = ScreenState(path)
    state.put("draft", "private")
    state.save()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["screen.json"]


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", "\x00"])
def test_a_damaged_file_is_as_good_as_none(path, text):
    path.parent.mkdir()
    path.write_text(text)
    state = ScreenState(path)
    assert state.get("draft") is None
    state.put("draft", "x")
    state.save()
    assert json.loads(path.read_text()) == {"draft": "x"}
