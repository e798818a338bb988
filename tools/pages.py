"""Writes the reference pages on commands and settings from the program's own descriptions."""

import re
from collections.abc import Iterator

import click

from pi_app.commands.cli import groups, main
from pi_app.settings.schema import entries

_SETTINGS = """\
# Settings

Settings are TOML files. A later file in this list overrides an earlier one:

1. `/etc/beisitzer.toml`
2. `beisitzer/settings.toml` in the folder for all users (on Linux `/etc/xdg`)
3. your own: `~/.config/beisitzer/settings.toml`

If the environment variable `BEISITZER_CONFIG` names a file, only that file is read.

`beisitzer config` prints the settings in effect and which line of which file each comes from;
`beisitzer config --explain` adds what each setting means. You can save the output as a settings
file. Write down only the settings that you change:

    language = "de"

    [oled]
    driver = "sh1106"

If there is a mistake, a message names file, line, key and what is allowed. Two parts may not use
the same pin. Pins are BCM numbers (GPIO5 is 5), not positions on the header, where position 2
carries 5 V. `enabled = false` switches a part off.

`make pictures` writes this page from the descriptions of the settings.
"""

_COMMANDS = """\
# Commands

`beisitzer` and `python -m pi_app` are the same. After `make run` the command is
`.venv/bin/beisitzer`. Every command explains itself with `--help`.

Records of games may be files, or `-` for standard input. [Key scripts](play.md#key-scripts)
describes the files that `play --keys` reads.

`beisitzer` is installed into an environment of its own (`.venv` or `/opt/beisitzer`), because its
packages have general names: `engines`, `hardware`, `pi_app`, `ai`.

`make pictures` writes this page from the help of the commands.
"""


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    return {"settings.md": settings_page(), "commands.md": commands_page()}


def settings_page() -> str:
    lines = [_SETTINGS]
    table: str | None = None
    for entry in entries():
        outer, _, name = entry.key.rpartition(".")
        if outer != table:
            table = outer
            lines.append(f"\n## `[{outer}]`\n" if outer else "\n## Above all tables\n")
            lines += ["| setting | default | allowed | meaning |", "|---|---|---|---|"]
        unit = f" ({entry.unit})" if entry.unit else ""
        lines.append(f"| `{name}` | `{entry.default}` | {entry.allowed}{unit} | {entry.text} |")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    overview: list[str] = []
    sections: list[str] = []
    context = click.Context(main)
    for heading, names in groups().items():
        overview += [f"\n**{heading}**\n", "| command | what it does |", "|---|---|"]
        for name, (_, _, first_line, _) in names.items():
            command = main.get_command(context, name)
            if command is None:
                continue
            heading_line, *rest = _command(name, command)
            # as GitHub makes it of a heading
            anchor = re.sub(r"[^\w\- ]", "", heading_line).strip().lower().replace(" ", "-")
            overview.append(f"| [`{name}`](#{anchor}) | {first_line} |")
            sections += [heading_line, *rest]
            for inner in command.commands.values() if isinstance(command, click.Group) else ():
                sections += _command(f"{name} {inner.name}", inner)
    return "\n".join([_COMMANDS, *overview, "", *sections]) + "\n"


def _command(name: str, command: click.Command) -> Iterator[str]:
    """Yield a command with its arguments, what it does, and its options."""
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    names = []
    for argument in arguments:
        written = _name(argument)
        # some metavars have the brackets of an optional argument already
        plain = argument.required or written.startswith("[")
        names.append(written if plain else f"[{written}]")
    yield "\n" + " ".join(["## `beisitzer", name, *names]).rstrip() + "`\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield " ".join(paragraph.split()) + "\n"
    if command.epilog:
        yield f"    {command.epilog}\n"
    options = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
    ]
    if not options:
        return
    yield "| option | meaning |"
    yield "|---|---|"
    for option in options:
        yield f"| `{_option(option)}` | {option.help or ''} |"


def _name(argument: click.Parameter) -> str:
    return (argument.metavar or argument.name or "").upper()


def _option(option: click.Option) -> str:
    written = ", ".join((*option.opts, *option.secondary_opts))
    if option.is_flag:
        return written
    kind = option.type
    if isinstance(kind, click.Choice):
        return f"{written} {'/'.join(map(str, kind.choices))}"
    names = {
        "path": "PATH",
        "float range": "SECONDS",
        "integer": "NUMBER",
        "integer range": "NUMBER",
    }
    return f"{written} {option.metavar or names.get(kind.name, 'TEXT')}"
