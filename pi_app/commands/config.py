"""`beisitzer config`: the effective settings, and where each of them comes from."""

import json

import click

from pi_app.settings.file import Loaded, SettingsError, candidates, load
from pi_app.settings.schema import Entry, entries, known_keys, toml_value, value_of


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as programs like.")
@click.option("--explain", is_flag=True, help="Say what each setting means and may be.")
def config(as_json: bool, explain: bool) -> None:
    """Print the effective settings and where each comes from.

    What is printed can be saved as a settings file.
    """
    try:
        loaded = load()
    except SettingsError as error:
        click.echo(f"beisitzer: {error}", err=True)
        raise SystemExit(2) from None
    click.echo(json.dumps(_as_json(loaded), indent=2) if as_json else _as_toml(loaded, explain))


def _as_json(loaded: Loaded) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for entry in entries():
        origin = loaded.origins.get(entry.key)
        found.append(
            {
                "key": entry.key,
                "value": value_of(loaded.settings, entry.key),
                "file": str(origin.file) if origin else None,
                "line": origin.line if origin else None,
            }
        )
    return found


def _as_toml(loaded: Loaded, explain: bool) -> str:
    read = [f"# {path}" for path in loaded.files] or ["# no settings file; looked for:"]
    if not loaded.files:
        read += [f"#   {path}" for path in candidates()]
    lines = read
    table = ""
    for entry in entries():
        outer, _, name = entry.key.rpartition(".")
        if outer != table:
            table = outer
            lines += ["", f"[{table}]"]
        if explain:
            unit = f", in {entry.unit}" if entry.unit else ""
            lines.append(f"# {entry.text}{unit}: {entry.allowed}")
        lines.append(f"{name} = {_value(loaded, entry)}  # {_origin(loaded, entry)}")
    return "\n".join(lines)


def _value(loaded: Loaded, entry: Entry) -> str:
    return toml_value(value_of(loaded.settings, entry.key), known_keys()[entry.key][1])


def _origin(loaded: Loaded, entry: Entry) -> str:
    origin = loaded.origins.get(entry.key)
    return f"{origin.file}:{origin.line}" if origin else "default"
