"""`make site`, or `python -m tools.site [FOLDER]`: the site for reading without a network.

English is in the folder itself, German in `de`. A warning of the generator is an error, and so is
a link that leads nowhere or a page that loads something from a host.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.site import links
from tools.site.navigation import LANGUAGES, ROOT
from tools.site.sources import SiteError, Sources

_HERE = Path(__file__).parent


def build(folder: Path) -> None:
    """Build the site into a folder, in place of what is there; SiteError if a page has a fault."""
    with tempfile.TemporaryDirectory(prefix="site-") as temporary:
        sources = {each: Sources(Path(temporary) / each, each) for each in LANGUAGES}
        for each in sources.values():
            each.write()
        shown = set[str]().union(*(each.shown for each in sources.values()))
        sources["en"].write_shown(shown)
        made = Path(temporary) / "made"
        for language, each in sources.items():
            _generate(language, each.folder, made if language == "en" else made / language)
        for path in set[str]().union(*(each.others for each in sources.values())):
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, made / path)
        found = list(links.faults(made.resolve()))
        if found:
            raise SiteError("\n".join(found))
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, folder)


def _generate(language: str, source: Path, to: Path) -> None:
    doctrees = source.parent / f"{language}.doctrees"
    words = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(_HERE), "-d", str(doctrees)]
    words += ["-D", f"language={language}"]
    done = subprocess.run(  # noqa: S603  # only this program's own words
        [sys.executable, "-m", "sphinx", *words, source, to],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SiteError(done.stderr.replace(f"{source}/", ""))
    (to / "_sources").rmdir()
    for left in (".buildinfo", "objects.inv"):  # for other generators
        (to / left).unlink()


def main(words: list[str]) -> None:
    """Build the site and say where it is."""
    folder = Path(words[0]) if words else ROOT / "dist" / "site"
    try:
        build(folder)
    except SiteError as error:
        raise SystemExit(f"site: {error}") from None
    sys.stdout.write(f"{folder / 'index.html'}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
