"""What every test may rely on: compiled catalogues, no settings of the machine's owner."""

import os
from pathlib import Path

from hypothesis import settings

from pi_app.catalogues import compile_catalogues

compile_catalogues()
os.environ["BEISITZER_BOARDS"] = str(Path(__file__).parent / "data" / "no-boards")
os.environ["BEISITZER_CONFIG"] = str(Path(__file__).parent / "data" / "settings.toml")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
settings.register_profile("beisitzer", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("beisitzer")
