"""`grandtour admin`: commands for the store of a server."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Back up, check and clean up the store of a server. Safe while the server runs.")

Data = Annotated[Path | None, typer.Option(help="The folder with the store; by default the one that `serve` uses.")]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="The server's TOML file, to find the folder.")]


def _store_file(data: Path | None, config: Path | None) -> Path | str:
    """The file of the store, or the address of its database, from the same settings as the server's."""
    import os

    from grandtour.server.configuration import configure
    from grandtour.server.storage.sqlite_store import FILE

    settings, _ = configure(config, os.environ, {} if data is None else {"data": data})
    return settings.data / FILE if data is not None or not settings.store else settings.store


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the backup.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Copy the store to a file, as it is now. The copy contains the dice of running matches: keep it private."""
    from grandtour.server import admin as store_admin

    tables = store_admin.backup(_store_file(data, config), file, force)
    print(f"{file}: {_count(tables, 'table')}.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace the existing store or table; the old store is kept.")
    ] = False,
    table: Annotated[list[str] | None, typer.Option(metavar="TABLE", help="Only this table; can be repeated.")] = None,
    missing: Annotated[bool, typer.Option("--missing", help="Only the tables that the store does not have.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Replace the store with a backup, with the server stopped; or restore single tables, even while it runs."""
    from grandtour.server import admin as store_admin

    store = _store_file(data, config)
    if table or missing:
        restored = len(store_admin.restore_tables(store, file, table, force))
    else:
        restored = store_admin.restore(store, file, force)
    print(f"{_count(restored, 'table')} restored.")


@app.command("list")
def list_tables(data: Data = None, config: Config = None) -> None:
    """List all tables, most recently used first."""
    from grandtour.server import admin as store_admin

    for listed in store_admin.listing(_store_file(data, config)):
        print(listed)


@app.command()
def delete(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as it is in its link.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """Delete a table. People at it are notified at the next move."""
    from grandtour.server import admin as store_admin

    store_admin.delete(_store_file(data, config), table)
    print(f"Table {table} is deleted.")


@app.command()
def prune(
    older_than: Annotated[
        str, typer.Option(metavar="90d", help="The age of a table's last event, such as 90d or 12h.")
    ],
    chat: Annotated[bool, typer.Option("--chat", help="Delete only their chat, not the tables.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count them.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Delete tables that nobody has used for this many days (d) or hours (h), or only their chat."""
    from grandtour.server import admin as store_admin

    pruned = store_admin.prune(_store_file(data, config), store_admin.parse_age(older_than), chat, dry_run)
    tables = _count(pruned, "table")
    was = "would be" if dry_run else "was" if chat or pruned == 1 else "were"
    print(f"The chat of {tables} {was} deleted." if chat else f"{tables} {was} deleted.")


@app.command()
def verify(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Only this table.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only check the checksums; replay nothing.")] = False,
    data: Data = None,
    config: Config = None,
) -> int:
    """Check every record against its checksum, and replay every match. The exit code is 1 if there is damage."""
    from grandtour.server import admin as store_admin

    checked = store_admin.verify(_store_file(data, config), table, replay=not quick)
    for problem in checked.problems:
        print(problem)
    problems = _count(len(checked.problems), "problem") if checked.problems else "no problems"
    print(f"{_count(checked.tables, 'table')}, {_count(checked.records, 'record')}: {problems}.")
    return 1 if checked.problems else 0


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
