"""What starts with the companion on a rig, and what must not."""

import json
import subprocess
import sys
from pathlib import Path

HEAVY = {"pygame", "rich", "textual", "numpy", "blessed", "tomlkit", "babel", "serial"}


def test_the_rig_shows_its_first_frame_without_heavy_libraries(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.first_frame", str(tmp_path / "games.db")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "pi_app.run.opening" in json.loads(done.stdout)["modules"]
    loaded = {module.partition(".")[0] for module in json.loads(done.stdout)["modules"]}
    assert {"gpiozero", "luma", "sqlite3"} <= loaded
    assert not loaded & HEAVY
