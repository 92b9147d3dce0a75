"""Every error this program raises on purpose. Its text is a sentence for the user: what is wrong and what to do.

AssistantError
├── ConfigError                the settings file cannot be used
├── UsageError                 a command cannot be carried out as it was typed
│   └── FileError              a file or folder that was named cannot be read or written
├── StoreError                 the memory file cannot be used
│   ├── StoreLockedError       another process holds it (pid)
│   ├── StoreDamagedError      the file or its log is corrupt
│   └── EmbedderMismatchError  its vectors were made by another embedding model
├── MemoryInputError           a call with a value the memory refuses
│   └── UnknownIdError         no such fact, judgment, episode, …
├── EmbedderError              the embedding model cannot be loaded or failed
│   └── UnknownEmbedderError   there is no embedding model of that name
└── ModelError                 the language model cannot be used
    ├── ModelChoiceError       what was named is no model, or no address of one
    ├── ModelUnreachableError  nothing answers at that address
    ├── ModelReplyError        it answered with something that is not an answer
    └── ModelCutError          the answer broke off
"""

from __future__ import annotations

__all__ = [
    "INTERRUPTED",
    "AssistantError",
    "ConfigError",
    "EmbedderError",
    "EmbedderMismatchError",
    "FileError",
    "MemoryInputError",
    "ModelChoiceError",
    "ModelCutError",
    "ModelError",
    "ModelReplyError",
    "ModelUnreachableError",
    "StoreDamagedError",
    "StoreError",
    "StoreLockedError",
    "UnknownEmbedderError",
    "UnknownIdError",
    "UsageError",
]

INTERRUPTED = 130
"""Exit code after ctrl+c, as of shells."""


class AssistantError(Exception):
    """Base of all. `exit_code` is what the command line ends with; `hint` says what to try."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class ConfigError(AssistantError):
    exit_code = 2


class UsageError(AssistantError):
    exit_code = 2


class FileError(UsageError):
    """A sentence such as "notes/x.jsonl cannot be written: no such file or directory."."""

    @classmethod
    def of(cls, problem: OSError, path: object, what: str = "written") -> FileError:
        return cls(f"{path} cannot be {what}: {reason(problem)}.")


class StoreError(AssistantError):
    exit_code = 3


class StoreLockedError(StoreError):
    """Another process holds the file; `pid` is its process id where the store could tell."""

    def __init__(self, message: str, *, pid: int | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.pid = pid


class StoreDamagedError(StoreError):
    pass


class EmbedderMismatchError(StoreError):
    pass


class MemoryInputError(AssistantError):
    exit_code = 2


class UnknownIdError(MemoryInputError):
    pass


class EmbedderError(AssistantError):
    pass


class UnknownEmbedderError(EmbedderError):
    exit_code = 2


class ModelError(AssistantError):
    exit_code = 4


class ModelChoiceError(ModelError):
    exit_code = 2


class ModelUnreachableError(ModelError):
    pass


class ModelReplyError(ModelError):
    pass


class ModelCutError(ModelError):
    pass


def reason(problem: OSError) -> str:
    """What the system said, in words and without number, file name and end stop."""
    said = problem.strerror or str(problem) or type(problem).__name__
    return (said[:1].lower() + said[1:]).rstrip(".")
