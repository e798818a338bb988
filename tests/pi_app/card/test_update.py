"""The card's updater: real apt from a signed repository, the switch, and the way back."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from systemd import update
from systemd.update import INSIDE, Card, UpdateError
from tests.apt import Repository, key_folder, make_card, make_key, needs_apt, served
from tests.ran import ran
from tools.repository.signing import SigningKeys


class CutError(BaseException):
    """The power is cut; nothing in the program catches it."""


@pytest.fixture(scope="module", name="keys")
def _keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], SigningKeys]]:
    made: dict[str, SigningKeys] = {}
    with key_folder(tmp_path_factory.mktemp("gpg") / "home") as home:

        def key(name: str) -> SigningKeys:
            if name not in made:
                made[name] = make_key(home, name)
            return made[name]

        yield key


@pytest.fixture(name="repository")
def _repository(keys: Callable[[str], SigningKeys], tmp_path: Path) -> Iterator[Repository]:
    with served(Repository(tmp_path / "repository", keys("first"))) as repository:
        yield repository


@pytest.fixture(name="card")
def _card(repository: Repository, tmp_path: Path) -> Card:
    return make_card(tmp_path / "card", "0.1.0", repository.sources())


def plays(card: Card) -> str:
    """Start what is current, and return what it says."""
    command = [sys.executable, "-I", str(card.programs / "current/bin/beisitzer")]
    return ran(command, check=True).stdout.strip()


def fault(card: Card) -> str:
    with pytest.raises(UpdateError) as raised:
        update.look(card)
    assert sorted(path.name for path in card.programs.iterdir() if path.is_dir()) == [
        "0.1.0",
        "current",
    ]
    return raised.value.code


# --- looking


@needs_apt
def test_a_newer_program_is_fetched_and_made_ready_beside_the_one_that_plays(
    repository: Repository, card: Card
) -> None:
    repository.add("0.2.0", main="print('newer')")
    assert update.look(card) == "0.2.0"
    assert (card.leads_to("current"), card.leads_to("next")) == ("0.1.0", "0.2.0")
    assert (card.programs / "0.2.0/VERSION").read_text() == "0.2.0\n"
    assert list((card.programs / "0.2.0/lib/pi_app").rglob("*.pyc"))
    assert plays(card) == "plays"
    assert update.look(card) == "0.2.0", "it stays ready"


@needs_apt
def test_the_highest_version_is_taken_and_never_a_lower_one(
    repository: Repository, card: Card
) -> None:
    repository.add("0.0.9")
    assert update.look(card) == ""
    for version in ("0.3.0", "0.10.0", "0.2.0", "0.10.0~rc1"):
        repository.add(version)
    assert update.look(card) == "0.10.0"


@needs_apt
def test_what_is_only_in_testing_comes_to_who_asks_for_it(
    repository: Repository, card: Card
) -> None:
    repository.add("0.1.0")
    repository.add("0.2.0", "testing")
    assert update.look(card) == ""
    (card.state / "settings.toml").write_text('[updates]\ntake = "testing"\n')
    assert update.look(card) == "0.2.0"


@needs_apt
def test_a_repository_of_another_key_is_not_trusted(
    repository: Repository, card: Card, keys: Callable[[str], SigningKeys]
) -> None:
    repository.add("0.2.0")
    repository.sign(keys=keys("stranger"))
    assert fault(card) == "untrusted"


@needs_apt
def test_an_index_that_was_changed_after_signing_is_not_trusted(
    repository: Repository, card: Card
) -> None:
    repository.add("0.2.0")
    signed = repository.folder / "dists/stable/InRelease"
    signed.write_text(signed.read_text().replace("Origin: Beisitzer", "Origin: Another"))
    assert fault(card) == "untrusted"


@needs_apt
def test_an_unsigned_repository_is_not_trusted(repository: Repository, card: Card) -> None:
    repository.add("0.2.0")
    for name in ("InRelease", "Release.gpg"):
        (repository.folder / "dists/stable" / name).unlink()
    assert fault(card) == "untrusted"


@needs_apt
def test_a_package_that_was_changed_after_signing_is_not_unpacked(
    repository: Repository, card: Card
) -> None:
    repository.add("0.2.0")
    (package,) = (repository.folder / "pool/stable").glob("*.deb")
    content = package.read_bytes()
    package.write_bytes(content[:-9] + bytes(9))
    assert fault(card) == "unreachable"


@needs_apt
def test_a_downloaded_package_that_a_power_cut_spoilt_is_fetched_again(
    repository: Repository, card: Card
) -> None:
    built = repository.add("0.2.0")
    (card.apt / "cache/archives").mkdir(parents=True)
    # apt compares only its length
    (card.apt / "cache/archives" / built.name).write_bytes(bytes(built.stat().st_size))
    assert update.look(card) == "0.2.0"


@needs_apt
def test_a_program_that_needs_a_newer_card_is_not_taken(repository: Repository, card: Card) -> None:
    repository.add("0.2.0")
    (card.root / "etc/beisitzer-card").write_text("0.0.1\n")
    assert fault(card) == "unfit"


@needs_apt
def test_without_a_repository_or_a_network_a_code_says_why(
    repository: Repository, card: Card
) -> None:
    repository.add("0.2.0")
    own = card.programs / "0.1.0/beisitzer.sources"
    own.write_text(own.read_text().replace(repository.url, "http://127.0.0.1:9"))
    assert fault(card) == "unreachable"
    own.unlink()
    assert fault(card) == "no-source"


@needs_apt
def test_the_owners_repository_on_the_boot_partition_comes_first(
    card: Card, keys: Callable[[str], SigningKeys], tmp_path: Path
) -> None:
    with served(Repository(tmp_path / "own", keys("own"))) as own:
        own.add("0.7.0")
        (card.root / "boot/firmware/beisitzer.sources").write_text(own.sources())
        assert update.look(card) == "0.7.0"


@needs_apt
def test_a_key_is_changed_by_a_version_that_knows_both(
    repository: Repository, card: Card, keys: Callable[[str], SigningKeys]
) -> None:
    """As docs/build.md says: sign with both, deliver the new one, then sign with the new one."""
    old, new = keys("first"), keys("second")
    both = SigningKeys((*old.fingerprints, *new.fingerprints), old.home)
    repository.keys = both
    repository.add("0.2.0")
    assert update.look(card) == "0.2.0"
    update.switch(card)
    repository.keys = new
    repository.add("0.3.0")
    assert update.look(card) == "0.3.0"


@needs_apt
@pytest.mark.parametrize("fault_in", ["no program", "another version"])
def test_a_package_without_its_program_is_damaged(
    fault_in: str, repository: Repository, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add("0.2.0")
    real = update._must

    def spoil(code: str, words: list[str]) -> None:
        real(code, words)
        if words[0] == "dpkg-deb":
            made = Path(words[-1]) / INSIDE / "0.2.0"
            if fault_in == "no program":
                (made / "bin/beisitzer").chmod(0o644)
                (made / "bin/beisitzer").unlink()
            else:
                (made / "VERSION").write_text("0.1.9\n")

    monkeypatch.setattr(update, "_must", spoil)
    assert fault(card) == "damaged"


@needs_apt
def test_an_update_that_is_cut_off_anywhere_leaves_the_old_program_and_is_made_good(
    repository: Repository, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stop before each command, rename and link in turn, until it comes through."""
    repository.add("0.2.0", main="print('newer')")
    count, allowed, done = 0, 0, ""

    def step() -> None:
        nonlocal count
        count += 1
        if count > allowed:
            raise CutError

    real_run, real_rename, real_replace = update._run, Path.rename, Path.replace

    def run(*words: object) -> tuple[int, str]:
        step()
        return real_run(*words)  # type: ignore[arg-type]

    def rename(path: Path, target: Path) -> Path:
        step()
        return real_rename(path, target)

    def replace(path: Path, target: Path) -> Path:
        step()
        return real_replace(path, target)

    monkeypatch.setattr(update, "_run", run)
    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(Path, "replace", replace)
    while not done:
        count = 0
        try:
            done = update.look(card)
        except CutError:
            allowed += 1
            assert plays(card) == "plays"
            ready = card.leads_to("next")
            assert ready in ("", "0.2.0")
            if ready:
                assert (card.programs / ready / "VERSION").read_text() == "0.2.0\n"
    monkeypatch.undo()
    assert allowed >= 7, "it was not cut off at every step"
    assert update.switch(card) == "0.2.0"
    assert plays(card) == "newer"


def test_the_settings_say_what_is_followed_and_junk_says_nothing(tmp_path: Path) -> None:
    card = make_card(tmp_path / "card", "0.1.0")
    file = card.state / "settings.toml"
    assert update.followed_suite(card) == "stable"
    for text, suite in (
        ('[updates]\ntake = "testing"\n', "testing"),
        ('[updates]\ntake = "off"\n', "off"),
        ('[updates]\ntake = "../x"\n', "stable"),
        ("updates = 3\n", "stable"),
        ("[updates]\ntake = [1]\n", "stable"),
        ("][", "stable"),
        ("updates = " + "9" * 5000 + "\n", "stable"),
    ):
        file.write_text(text)
        assert update.followed_suite(card) == suite, text
    file.unlink()
    os.mkfifo(file)
    assert update.followed_suite(card) == "stable"


def test_who_wants_no_updates_is_looked_for_only_by_hand(tmp_path: Path) -> None:
    card = make_card(tmp_path / "card", "0.1.0")
    (card.state / "settings.toml").write_text('[updates]\ntake = "off"\n')
    assert update.main(["look", "timer"], card) == 0
    assert not (card.programs / "looked").exists()
    assert update.main(["look", "now"], card) == 0
    assert json.loads((card.programs / "looked").read_text())["fault"] == "no-source"


# --- switching


@pytest.fixture(name="ready")
def _ready(tmp_path: Path) -> Card:
    """Return a card with a newer program that is ready, and a game."""
    card = make_card(tmp_path / "card", "0.1.0")
    (card.programs / "0.2.0").mkdir()
    card.link("next", "0.2.0")
    (card.state / "games").mkdir()
    (card.state / "games" / "0001-numeri.jsonl").write_bytes(b"as it is")
    return card


def start(card: Card, *, shows: bool) -> str:
    """Start the program as the unit does; return the version that is started."""
    assert update.main(["begin"], card) == 0
    if shows:
        assert update.main(["shown"], card) == 0
    return card.leads_to("current")


def test_nothing_is_switched_to_before_anything_is_ready(tmp_path: Path) -> None:
    card = make_card(tmp_path / "card", "0.1.0")
    assert update.main(["switch"], card) == 1
    assert start(card, shows=True) == "0.1.0"


def test_a_program_that_shows_its_first_frame_stays(ready: Card) -> None:
    assert update.main(["switch"], ready) == 0
    assert start(ready, shows=False) == "0.2.0"
    for _ in range(5):
        assert start(ready, shows=True) == "0.2.0"
    update.sweep(ready)
    assert {path.name for path in ready.programs.iterdir()} == {"current", "0.2.0"}


def test_a_program_that_shows_no_first_frame_twice_gives_way_to_the_one_before(
    ready: Card,
) -> None:
    update.switch(ready)
    assert [start(ready, shows=False) for _ in range(3)] == ["0.2.0", "0.2.0", "0.1.0"]
    assert ready.refused == "0.2.0"
    assert plays(ready) == "plays"
    assert start(ready, shows=True) == "0.1.0"


@needs_apt
def test_what_was_refused_is_not_fetched_again_but_what_is_newer_is(
    repository: Repository, card: Card
) -> None:
    repository.add("0.2.0")
    assert update.look(card) == "0.2.0"
    update.switch(card)
    for _ in range(3):
        start(card, shows=False)
    assert update.look(card) == ""
    assert card.leads_to("next") == ""
    repository.add("0.3.0")
    assert update.look(card) == "0.3.0"
    update.switch(card)
    assert card.refused == ""


def test_what_was_refused_is_tried_again_when_somebody_says_so(ready: Card) -> None:
    update.switch(ready)
    for _ in range(3):
        start(ready, shows=False)
    update.sweep(ready)
    assert update.switch(ready) == "0.2.0"
    assert [start(ready, shows=True) for _ in range(3)] == ["0.2.0"] * 3
    assert ready.refused == ""


def test_a_trial_neither_copies_nor_changes_games(ready: Card) -> None:
    """No form of the games ever changes, so none needs to be put back."""
    update.switch(ready)
    for _ in range(3):
        start(ready, shows=False)
    assert [path.name for path in ready.state.iterdir()] == ["games"]
    assert (ready.state / "games" / "0001-numeri.jsonl").read_bytes() == b"as it is"


@pytest.mark.parametrize("what", ["switch", "begin"])
@pytest.mark.parametrize("cut", range(5))
def test_a_cut_at_any_step_of_a_switch_leaves_one_of_the_two_programs(
    what: str, cut: int, ready: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "begin":
        update.switch(ready)
        for _ in range(2):
            start(ready, shows=False)
    replaced, real = 0, Path.replace

    def replace(path: Path, target: Path) -> Path:
        nonlocal replaced
        replaced += 1
        if replaced > cut:
            raise CutError
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    with suppress(CutError):
        getattr(update, what)(ready)
    monkeypatch.undo()
    begun = ready.leads_to("current")
    assert begun in ("0.1.0", "0.2.0")
    # whatever it is, it comes to a program that plays
    started = [start(ready, shows=ready.leads_to("current") == "0.1.0") for _ in range(4)]
    assert started[-1] == "0.1.0"
    assert ready.leads_to("next") in ("", "0.2.0")
    if what == "begin":
        assert ready.refused == "0.2.0"


def test_junk_for_a_trial_is_no_trial(ready: Card) -> None:
    for junk in (
        "",
        "[]",
        "{",
        '{"version": 3}',
        '{"version": "0.1.0", "before": "", "starts": "x"}',
    ):
        (ready.programs / "trial").write_text(junk)
        assert start(ready, shows=False) == "0.1.0"
        assert not (ready.programs / "trial").exists()


def test_a_trial_without_a_way_back_goes_on(ready: Card) -> None:
    update.switch(ready)
    (ready.programs / "0.1.0").rename(ready.programs / "gone")
    assert {start(ready, shows=False) for _ in range(5)} == {"0.2.0"}


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    assert update.main(["install"], Card(tmp_path)) == 2


def test_a_link_out_of_the_programs_folder_leads_nowhere(ready: Card) -> None:
    for target in ("/etc", "../state", "0.9.9", "current"):
        (ready.programs / "next").unlink(missing_ok=True)
        (ready.programs / "next").symlink_to(target)
        assert ready.leads_to("next") == ""


@pytest.mark.parametrize("on_trial", [False, True])
@pytest.mark.parametrize("at", range(1, 8))
def test_what_a_switch_or_a_way_back_in_the_middle_leads_to_is_not_swept_away(
    ready: Card, monkeypatch: pytest.MonkeyPatch, at: int, *, on_trial: bool
) -> None:
    if on_trial:
        update.switch(ready)
        for _ in range(2):
            start(ready, shows=False)
    looks, links, files = 0, Card.leads_to, Card.read

    def meanwhile() -> None:
        nonlocal looks
        looks += 1
        if looks == at:
            update.main(["begin" if on_trial else "switch"], ready)

    def leads_to(card: Card, link: str) -> str:
        found = links(card, link)
        meanwhile()
        return found

    def read(card: Card, place: str) -> str:
        found = files(card, place)
        meanwhile()
        return found

    monkeypatch.setattr(Card, "leads_to", leads_to)
    monkeypatch.setattr(Card, "read", read)
    update.sweep(ready)
    monkeypatch.undo()
    assert ready.leads_to("current")
    if not on_trial and ready.leads_to("current") == "0.2.0":
        assert [start(ready, shows=False) for _ in range(3)] == ["0.2.0", "0.2.0", "0.1.0"]
