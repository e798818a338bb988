"""Writes the reference page on settings from the program's own descriptions."""

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
