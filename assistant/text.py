"""Text from outside: cleaned once at the boundary, normalised for comparison, shortened for display."""

from __future__ import annotations

import re
import unicodedata


def _sequences(unfinished: str) -> re.Pattern[str]:
    """Whole terminal sequences (CSI, OSC, DCS/PM/APC/SOS, two-character escapes), so that no tail of one is left as text.

    `unfinished` is what may stand in the place of a sequence's end.
    """
    return re.compile(
        rf"(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|{unfinished})"
        rf"|(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|{unfinished})"
        rf"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]).*?(?:\x1b\\|\x9c|{unfinished})"
        r"|\x1b[ -/]*[0-~]?",
        re.DOTALL,
    )


_TO_THE_END = _sequences(r"\Z")
_FINISHED = _sequences("(?!)")
_LINE_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNWANTED = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]",
)
_INVISIBLE = re.compile(r"[\u200b-\u200d\u2060-\u2064\u00ad]")
_SPACES = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """Text that is safe to show, store and send.

    Terminal sequences, control characters, bidi overrides and lone surrogates are removed; every kind of line break
    becomes a newline. Letters, accents, emoji, tabs and joiners inside emoji stay as they are.
    """
    return _without(_TO_THE_END, text)


def _without(sequences: re.Pattern[str], text: str) -> str:
    return _UNWANTED.sub("", _LINE_BREAKS.sub("\n", sequences.sub("", text)))


class StreamCleaner:
    """`clean_text` for text that comes in pieces: what is fed and finished, joined, is the whole text cleaned."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The cleaned text that is certain by now; what may be the beginning of a terminal sequence is held back."""
        self._held += piece
        end = len(self._held.removesuffix("\r"))
        for sequence in _TO_THE_END.finditer(self._held[:end]):
            if sequence.end() == end:
                end = sequence.start()
                break
        ready, self._held = self._held[:end], self._held[end:]
        return _without(_FINISHED, ready)

    def finish(self) -> str:
        """What was held back to the end, cleaned."""
        ready, self._held = self._held, ""
        return clean_text(ready)


def one_line(text: str, limit: int = 0) -> str:
    """`text` on one line, cut with an ellipsis where it is longer than `limit` characters (0: never)."""
    line = _SPACES.sub(" ", text).strip()
    return line if not limit or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def plural(count: int, one: str, many: str = "") -> str:
    """ "1 fact", "3 facts"; `many` where that is not `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """`text` with an end stop where it has none."""
    text = text.strip()
    return text if not text or text[-1] in ".!?…:" else f"{text}."


def normalise(text: str) -> str:
    """Form in which two texts are compared for equality: NFKC, lower case, single spaces, no end punctuation."""
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    return _SPACES.sub(" ", folded).strip(" \n\t.!?,;:\"'")


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` takes; errs on the high side.

    Four characters a token for Latin letters is the usual rule of thumb; 3.5 leaves a margin, and every character of a
    script without spaces (CJK, kana, hangul) counts as one.
    """
    dense = sum(1 for character in text if "\u2e80" <= character <= "\uffef")
    return dense + -(-(len(text) - dense) * 2 // 7)


def snake_case(text: str, limit: int = 60) -> str:
    """Letters, digits and underscores in lower case: "Home City" is home_city."""
    return re.sub(r"\W+", "_", text.casefold()).strip("_")[:limit].strip("_")
