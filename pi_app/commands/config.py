"""`beisitzer config`: the effective settings, and where each comes from."""

import tomllib

import click

from hardware.config import boot_lines
from pi_app.commands.console import refuse, texts, why
from pi_app.settings.file import Loaded, SettingsError, candidates, load, save
from pi_app.settings.schema import definitions, entries, toml_value, value_of
from pi_app.texts.language import Texts


@click.command()
@click.option(
    "--explain", is_flag=True, help="Explain each setting and the values that it may have."
)
@click.option(
    "--boot", is_flag=True, help="Print the lines that the devices need in a Pi's config.txt."
)
@click.option("--set", "change", metavar="KEY=VALUE", help="Change one setting in your file.")
def config(explain: bool, boot: bool, change: str | None) -> None:
    """Print or change the settings.

    Each line says where the setting comes from. You can save the output as a settings file.
    """
    try:
        if change is not None:
            _change(change)
            return
        loaded = load()
    except SettingsError as error:
        error.texts = texts()  # for its sentence in the table's language
        refuse(str(error))
    if boot:
        click.echo("\n".join(boot_lines(loaded.settings)))
    else:
        click.echo(_as_toml(loaded, texts(), explain))


def _change(change: str) -> None:
    """Write one setting given as KEY=VALUE, the value as in TOML; a plain word is a text."""
    key, equals, text = (part.strip() for part in change.partition("="))
    if not equals:
        refuse("--set wants KEY=VALUE with a key that beisitzer config prints")
    try:
        value: object = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        value = text  # a plain word
    try:
        click.echo(save(key, value))
    except SettingsError as error:
        if error.key == key:  # nothing was written, so the error has no line of the file
            error.file, error.line = None, 0
        raise
    except OSError as error:
        file = error.filename or key
        refuse(f"{file}: {why(error)}")


def _as_toml(loaded: Loaded, tx: Texts, explain: bool) -> str:
    lines = [f"# {path}" for path in loaded.files]
    if not loaded.files:
        heading = tx("cli", "no settings file; looked for:")
        lines = [f"# {heading}", *(f"#   {path}" for path in candidates())]
    default = tx("cli", "default")
    table = ""
    for entry in entries(tx):
        outer, _, name = entry.key.rpartition(".")
        if outer != table:
            table = outer
            lines += ["", f"[{table}]"]
        if explain:
            unit = f" ({entry.unit})" if entry.unit else ""
            lines.append(f"# {entry.text}{unit}: {entry.allowed}")
        origin = loaded.origins.get(entry.key)
        source = f"{origin.file}:{origin.line}" if origin else default
        _, says = definitions()[entry.key]
        value = toml_value(value_of(loaded.settings, entry.key), says)
        lines.append(f"{name} = {value}  # {source}")
    return "\n".join(lines)
