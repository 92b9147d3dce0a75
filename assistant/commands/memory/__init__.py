"""`assistant memory`: browse, check and change what is remembered, for people and, with --json, for programs."""

from __future__ import annotations

import typer

from assistant.commands.memory import episodes, facts, file, journal, judgments, plans, taking_back

app = typer.Typer(
    help="Browse, check and change what is remembered.", no_args_is_help=True, add_completion=False
)
for room, name in (
    (facts, "facts"),
    (episodes, "episodes"),
    (judgments, "judgments"),
    (plans, "plans"),
    (journal, "journal"),
):
    app.add_typer(room.app, name=name)
app.command("undo")(taking_back.undo)
app.command("backup")(file.backup)
app.command("restore")(file.restore)
app.command("reindex")(file.reindex)
app.command("calibrate")(file.calibrate)
app.command("import")(file.bring_in)
