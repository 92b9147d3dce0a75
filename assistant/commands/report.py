"""What one turn told, gathered for a script: as JSON, and as text without Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assistant.commands.shared import plain
from assistant.conversation.events import (
    Answered,
    Delta,
    Failed,
    Learned,
    Notice,
    Planned,
    Recalled,
    Reflected,
    TurnEvent,
)
from assistant.memory.records import Episode


@dataclass
class Report:
    """`exit_code` is 0, or that of the error with which the turn failed."""

    answer: str = ""
    episode: Episode | None = None
    data: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    exit_code: int = 0

    def take(self, event: TurnEvent) -> None:
        match event:
            case Planned(plan):
                self.data["plan"] = plain(plan)
            case Recalled(recall, prompt):
                kinds = {"facts": recall.facts, "judgments": recall.judgments, "episodes": recall.episodes}
                self.data["recalled"] = {
                    kind: [plain(item) for item in items] for kind, items in kinds.items()
                }
                self.data["milliseconds"] = dict(recall.milliseconds)
                self.data["prompt"] = [plain(part) for part in prompt]
            case Delta(text):
                self.answer += text
            case Answered(episode, usage):
                self.episode = episode
                self.data["usage"] = plain(usage)
            case Learned(changes, masked):
                self.data["learned"] = [plain(change) for change in changes]
                if masked:
                    self.notices.append(self._hidden(masked))
            case Reflected(judgments, _):
                self.data["judgments"] = [plain(judgment) for judgment in judgments]
            case Notice(text):
                self.notices.append(text)
            case Failed(text, hint, episode, exit_code):
                self.episode, self.exit_code = episode, exit_code
                self.notices.append(f"{text} {hint}".strip())

    def as_data(self) -> dict[str, Any]:
        turn = {"conversation": self.episode.conversation, "episode": self.episode.id} if self.episode else {}
        state = self.episode.state.value if self.episode else "failed"
        model = self.episode.model if self.episode else ""
        return {
            "answer": self.answer,
            "state": state,
            "model": model,
            **turn,
            **self.data,
            "notices": self.notices,
        }

    def _hidden(self, masked: tuple[str, ...]) -> str:
        number = self.episode.id if self.episode else "NUMBER"
        return (
            f"Hidden from facts and judgments: {', '.join(masked)}. The message itself stays in the transcript; "
            f"`assistant memory episodes forget {number}` erases it."
        )


def without_markup(markdown: str) -> str:
    """Markdown read aloud: its text without the marks, code and line breaks as they are."""
    from markdown_it import MarkdownIt

    lines: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "inline":
            children = token.children or []
            lines.append(
                "".join(
                    "\n" if child.type in ("softbreak", "hardbreak") else child.content for child in children
                )
            )
        elif token.type in ("fence", "code_block"):
            lines.append(token.content.rstrip("\n"))
    return "\n".join(lines)
