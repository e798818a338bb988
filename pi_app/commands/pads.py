"""`beisitzer pads`: writes the key chart of a number pad, one page to lay under it."""

from pathlib import Path

import click

from pi_app.commands.console import lang_option, load_settings, texts, write_file
from pi_app.commands.key_chart import key_chart


@click.command()
@click.option(
    "--chart", type=click.Path(path_type=Path), required=True, help="Write the key chart to FILE."
)
@lang_option
def pads(chart: Path, lang: str | None) -> None:
    """Write a key chart to lay under a number pad; doctor --watch shows what its keys send."""
    from hardware.pads.table import table_of

    write_file(chart, key_chart(texts(lang), table_of(load_settings().pads)))
