"""The last settings that worked: kept after a first frame, used while a file has a mistake.

They are in the log's folder, which no setting can move, readable for their owner alone.
"""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from pi_app.settings.file import FILE_LIMIT_BYTES, Loaded, SettingsError, candidates, load, parse
from pi_app.system.regular import read_text
from pi_app.system.replace import PRIVATE, write_safely

log = logging.getLogger(__name__)


def kept_file() -> Path:
    """Return the file with the texts of the last settings that worked."""
    import platformdirs

    state = platformdirs.user_state_path("beisitzer", appauthor=False)
    return state / "settings-that-worked.json"


def keep(loaded: Loaded) -> None:
    """Keep the texts of settings that led to a first frame."""
    texts = {str(path): text for path, text in (*loaded.boards.items(), *loaded.texts.items())}
    text = json.dumps(texts)
    try:
        if _kept_text() != text:  # each writing wears the card
            write_safely(kept_file(), text.encode(), PRIVATE)
    except OSError as error:
        log.warning("the settings that worked cannot be kept: %s", error)


def _kept_text() -> str:
    try:
        return read_text(kept_file(), 32 * FILE_LIMIT_BYTES)
    except (OSError, ValueError):
        return "{}"


def load_or_last(environ: Mapping[str, str] = os.environ) -> tuple[Loaded, SettingsError | None]:
    """Return the settings; if there is a mistake in them, the last ones that worked, and it."""
    try:
        return load(environ), None
    except SettingsError as error:
        return last_good(environ), error


def last_good(environ: Mapping[str, str] = os.environ) -> Loaded:
    """Return the last settings that worked with the same files, else the defaults."""
    try:
        kept = json.loads(_kept_text())
        texts = {Path(path): str(text) for path, text in kept.items()}
        return parse({file: texts[file] for file in candidates(environ) if file in texts}, texts)
    except (ValueError, AttributeError, RecursionError):
        return parse({})  # nothing was kept, or this version refuses it
