"""`python -m assistant` and the `assistant` command."""

from __future__ import annotations


def main() -> None:
    from assistant.cli import run

    run()


if __name__ == "__main__":
    main()
