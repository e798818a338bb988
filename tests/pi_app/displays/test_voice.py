"""The voice: what is said when, at which level, of secrets, and how little a key costs."""

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest

from hardware.keys import Key
from pi_app.displays.sound.speaking import LONGEST_S, PER_LETTER_S, Sentence, Speaker
from pi_app.displays.sound.voice import VoiceOutput
from pi_app.settings.schema import Settings, VoiceSettings
from pi_app.texts.aloud import number_words, spell_out
from pi_app.texts.language import Texts
from pi_app.view.frame import Body, Choices, Entry, Frame, Header, Heed, Signal, Tone, Utterance
from pi_app.view.key_script import read_keys
from pi_app.view.reading import read_out
from tests.pi_app.pilot import TWO, Clock, Pilot
from tests.players.voice import FakeSynthesizer, Listener, Said

A_KEY_MS = 0.1
LEADING = "yellow 29x2; red 7"


# --- the queue


def queue() -> tuple[Speaker, FakeSynthesizer, Clock]:
    synthesizer, clock = FakeSynthesizer(), Clock()
    return Speaker(synthesizer, clock), synthesizer, clock


def sentence(text: str, *, call: bool = False) -> Sentence:
    return Sentence(text, "en", call)


def test_sentences_are_said_one_after_the_other() -> None:
    speaker, synthesizer, _ = queue()
    speaker.say([sentence("one"), sentence("two")])
    assert speaker.tick() is not None
    assert speaker.tick() is not None
    assert synthesizer.texts == ["one"]
    synthesizer.said[0].ended = True
    speaker.tick()
    assert synthesizer.texts == ["one", "two"]
    synthesizer.said[1].ended = True
    assert speaker.tick() is None
    assert not speaker.busy


def test_a_newer_sentence_takes_the_place_of_what_no_longer_matters() -> None:
    speaker, synthesizer, _ = queue()
    speaker.say([sentence("old"), sentence("older")])
    speaker.tick()
    speaker.say([sentence("new")])
    speaker.tick()
    assert synthesizer.texts == ["old", "new"]
    assert synthesizer.said[0].stopped


def test_a_call_is_said_to_its_end_before_what_is_newer() -> None:
    speaker, synthesizer, _ = queue()
    speaker.say(
        [sentence("Ben is to move", call=True), sentence("five"), sentence("row", call=True)]
    )
    speaker.tick()
    speaker.say([sentence("new")])
    speaker.tick()
    assert not synthesizer.said[0].stopped
    for _ in range(3):
        synthesizer.said[-1].ended = True
        speaker.tick()
    assert synthesizer.texts == ["Ben is to move", "row", "new"]


def test_hush_stops_calls_too_and_forgets_the_rest() -> None:
    speaker, synthesizer, _ = queue()
    speaker.say([sentence("row", call=True), sentence("two")])
    speaker.tick()
    speaker.hush()
    assert synthesizer.said[0].stopped
    assert speaker.tick() is None
    assert synthesizer.texts == ["row"]


def test_a_synthesizer_that_hangs_is_ended_and_the_next_sentence_said() -> None:
    speaker, synthesizer, clock = queue()
    speaker.say([sentence("hangs"), sentence("next")])
    speaker.tick()
    clock.now += LONGEST_S + PER_LETTER_S * len("hangs")
    speaker.tick()
    assert synthesizer.said[0].stopped
    assert synthesizer.texts == ["hangs", "next"]


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), ValueError("no quotation")])
def test_one_that_cannot_start_is_one_line_in_the_log_and_tried_again(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    speaker, synthesizer, _ = queue()
    synthesizer.broken = error
    speaker.say([sentence("one"), sentence("two")])
    assert speaker.tick() is None
    assert len(caplog.records) == 1
    synthesizer.broken = None
    speaker.say([sentence("three")])
    speaker.tick()
    assert synthesizer.texts == ["three"]


# --- levels


def test_calls_are_refusals_and_whose_turn_it_is() -> None:
    table = Listener(Pilot.game("just4fun", language="de", Start="Ben", Position=LEADING), "calls")
    assert table.heard == ["Ben ist dran."]
    assert table.press("5*11*13") == []
    assert table.press("#") == ["Neunundzwanzig gesperrt: Anna führt mit zwei"]
    assert table.press("<2") == []
    assert table.press("#") == ["Anna ist dran."]


def test_everything_has_the_sum_the_verdict_and_what_to_do() -> None:
    table = Listener(Pilot.game("just4fun", language="de", Start="Ben", Position=LEADING))
    assert table.press("5*11*13") == [
        "Fünf plus elf plus dreizehn",
        "Neunundzwanzig gesperrt: Anna führt mit zwei",
    ]
    assert table.press("<2#") == [
        "Ben: fünf plus elf plus zwölf gleich achtundzwanzig.",
        "Ben zieht drei Karten.",
        "Anna ist dran.",
    ]


def test_a_key_that_leads_nowhere_has_the_table_said_again() -> None:
    table = Listener(Pilot.game("just4fun"))
    first = table.heard
    assert table.press("<") == first


def test_a_menu_says_its_lines_as_they_are_chosen() -> None:
    table = Listener(Pilot())
    heard = table.press("v")
    choices = table.pilot.frame.body.choices
    assert choices is not None
    number, item = choices.selected + 1, choices.items[choices.selected]
    assert heard == [spell_out(Texts("en"), f"{number}: {item}")]


STUCK = "yellow 1@2 2@5 3@10 4@38 5@1 6@0; red 1@35 2@36 3@34 4@0 5@0 6@0"
SENTENCES = [
    ("sequence", {}, "12*", "Eins: Pik Dame"),
    ("sequence", {}, "12*2", "Eins: Reihe zwei, Platz acht, frei."),
    ("sequence", {}, "12*2#", "Anna: Herz Dame, Reihe zwei, Platz acht."),
    ("einmaleins", {"Open": "12"}, "24##", "Anna: vierundzwanzig gleich drei mal acht."),
    (
        "einmaleins",
        {"Open": "12"},
        "25",
        "Fünfundzwanzig gleich fünf mal fünf: kein gemeinsamer Faktor mit zwölf",
    ),
    ("numeri", {}, "4", "Anna: Stein vier vom Start auf Feld eins"),
    ("numeri", {"Position": STUCK}, "4", "Stein vier steckt fest."),
]
PLAYERS = {"sequence": "Anna blue, Ben green"}


@pytest.mark.parametrize(("game", "tags", "keys", "heard"), SENTENCES)
def test_each_game_has_sentences_for_the_ear(
    game: str, tags: dict[str, str], keys: str, heard: str
) -> None:
    table = Listener(Pilot.game(game, PLAYERS.get(game, TWO), "de", **tags))
    table.press(keys)
    assert heard in table.heard


# --- secrets


HANDS = [
    ("just4fun", "Anna yellow, Ben red", {}, "^3*5*11*13#"),
    ("sequence", "Anna blue, Ben green", {}, "^#12*2 5*1#"),
    ("einmaleins", "Anna yellow, Ben red", {"Open": "12"}, "#^#24*36#"),
]


@pytest.mark.parametrize(("game", "players", "tags", "keys"), HANDS)
@pytest.mark.parametrize("level", ["calls", "everything"])
def test_a_hand_is_not_spoken(
    game: str, players: str, tags: dict[str, str], keys: str, level: str
) -> None:
    table = Listener(Pilot.game(game, players, **tags), level)
    spoken: set[str] = set()
    for key in read_keys(keys + "vv^"):
        table.press(key.value)
        if table.pilot.frame.header.title == "Hand Anna":
            spoken |= set(table.heard)
    assert table.pilot.frame.header.title == "Hand Anna"
    hidden = {"Hand Anna is secret. Hold D to have it read aloud."}
    assert spoken == (hidden if level == "everything" else set())


@pytest.mark.parametrize(("game", "players", "tags", "keys"), HANDS)
@pytest.mark.parametrize("level", ["calls", "everything"])
def test_a_hand_is_spoken_to_who_holds_a_key_and_says_so_first(
    game: str, players: str, tags: dict[str, str], keys: str, level: str
) -> None:
    table = Listener(Pilot.game(game, players, **tags), level)
    table.press(keys)
    heard = table.press("MENU_HELD")
    assert heard[:2] == ["Secret, and now aloud:", "Hand Anna"]
    assert len(heard) > 2
    assert table.pilot.frame.header.corner == "aloud"
    assert table.press("v")
    table.press("MENU_HELD")
    assert not [text for text in table.press("v") if "secret" not in text]


def test_without_a_voice_holding_the_key_leaves_a_hand_as_before() -> None:
    pilot = Pilot.game("just4fun")
    pilot.key("^3*5")
    assert pilot.key([Key.MENU_HELD]).header.title == "Anna"


# --- the output


class Waiting(FakeSynthesizer):
    """A synthesizer whose first sentence can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.began = Event()
        self.stopped = Event()

    def start(self, sentence: Sentence) -> Said:
        said = super().start(sentence)
        stop = said.stop

        def stopped() -> None:
            stop()
            self.stopped.set()

        said.stop = stopped  # type: ignore[method-assign]
        self.began.set()
        return said


def output(level: str) -> tuple[VoiceOutput, Waiting]:
    synthesizer = Waiting()
    settings = replace(Settings(), voice=VoiceSettings(level=level))  # type: ignore[arg-type]
    voice = VoiceOutput(settings, lambda: Texts("en"), synthesizer=lambda _: synthesizer)
    return voice, synthesizer


def test_a_key_stops_what_is_being_said_at_once() -> None:
    voice, synthesizer = output("everything")
    voice.show(Frame(Header("Menu"), Body(choices=Choices(("one", "two")))))
    assert synthesizer.began.wait(60)
    voice.note_key()
    assert synthesizer.stopped.wait(60)
    voice.close()
    assert synthesizer.texts == ["Menu"]


def test_no_voice_is_no_thread_and_makes_no_sentence() -> None:
    voice, synthesizer = output("off")
    made: list[Utterance] = []

    def speech() -> tuple[Utterance, ...]:
        made.append(Utterance("made"))
        return tuple(made)

    voice.show(Frame(Header("Menu"), speech=speech))
    voice.signal(Signal.BAD)
    voice.note_key()
    voice.poll()
    voice.close()
    assert not made
    assert not synthesizer.said
    assert Pilot.game("just4fun").frame.speech is None


def test_level_and_volume_hold_at_once() -> None:
    made: list[VoiceSettings] = []
    synthesizer = Waiting()

    def make(voice: VoiceSettings) -> Waiting:
        made.append(voice)
        return synthesizer

    voice = VoiceOutput(Settings(), lambda: Texts("en"), synthesizer=make)
    loud = VoiceSettings(level="everything", volume=100)
    voice.configure(replace(Settings(), voice=loud))
    voice.show(Frame(Header("Menu")))
    assert synthesizer.began.wait(60)
    voice.configure(replace(Settings(), voice=replace(loud, volume=25)))
    voice.configure(replace(Settings(), voice=VoiceSettings()))
    assert synthesizer.stopped.wait(60)
    voice.close()
    assert [each.volume for each in made] == [100, 25, VoiceSettings().volume]


def test_sentences_that_cannot_be_made_end_neither_thread_nor_game() -> None:
    voice, synthesizer = output("everything")

    def broken() -> tuple[Utterance, ...]:
        raise KeyError("no such fact")

    voice.show(Frame(Header("one"), speech=broken))
    voice.show(Frame(Header("two")))
    assert synthesizer.began.wait(60)
    voice.close()
    assert synthesizer.texts == ["Two"]


def test_the_last_sentence_is_said_before_the_machine_goes_off() -> None:
    synthesizer = Quick()
    settings = replace(Settings(), voice=VoiceSettings(level="everything"))
    voice = VoiceOutput(settings, lambda: Texts("en"), synthesizer=lambda _: synthesizer)
    voice.leave(Frame(Header("Beisitzer"), Body(lines=("You may unplug now.",))))
    assert synthesizer.texts == ["Beisitzer", "You may unplug now."]


class Quick(FakeSynthesizer):
    """A synthesizer whose sentences are over as soon as they begin."""

    def start(self, sentence: Sentence) -> Said:
        said = super().start(sentence)
        said.ended = True
        return said


def test_a_key_with_a_voice_costs_no_more_than_a_tenth_of_a_millisecond() -> None:
    """Medians of what the loop's thread does for the voice at a key; it waits for nothing else."""
    voice, _ = output("everything")
    pilot = Pilot.game("just4fun")
    pilot.ctx.settings = replace(pilot.ctx.settings, voice=VoiceSettings(level="everything"))
    pilot.program.outputs = []
    frames = []
    for key in (Key.D5, Key.STAR, Key.D1, Key.D1, Key.BACK, Key.BACK, Key.BACK, Key.BACK) * 50:
        pilot.program.press(key)
        frames.append(pilot.frame)
    spent = [_cpu_ms(lambda frame=frame: _at_key(voice, frame)) for frame in frames]  # type: ignore[misc]
    turn = pilot.program.screen.turn  # type: ignore[attr-defined]
    made = [_cpu_ms(lambda: turn.speech(frames[-1])) for _ in range(400)]
    voice.close()
    assert sorted(spent)[200] + sorted(made)[200] <= A_KEY_MS


def _at_key(voice: VoiceOutput, frame: Frame) -> None:
    voice.note_key()
    voice.signal(Signal.TICK)
    voice.show(frame)
    voice.poll()


def _cpu_ms(act: Callable[[], object]) -> float:
    """Return the processor time that this thread alone needs, so that a busy machine counts not."""
    began = time.thread_time()
    act()
    return (time.thread_time() - began) * 1000


# --- words


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (0, "zero", "null"),
        (1, "one", "eins"),
        (13, "thirteen", "dreizehn"),
        (16, "sixteen", "sechzehn"),
        (20, "twenty", "zwanzig"),
        (21, "twenty-one", "einundzwanzig"),
        (30, "thirty", "dreißig"),
        (77, "seventy-seven", "siebenundsiebzig"),
        (100, "one hundred", "hundert"),
        (101, "one hundred and one", "hunderteins"),
        (666, "six hundred and sixty-six", "sechshundertsechsundsechzig"),
        (1000, "one thousand", "tausend"),
        (2026, "two thousand and twenty-six", "zweitausendsechsundzwanzig"),
        (9999, "nine thousand nine hundred and ninety-nine",
         "neuntausendneunhundertneunundneunzig"),
    ],
)  # fmt: skip
def test_numbers_are_words(number: int, english: str, german: str) -> None:
    assert number_words("en", number) == english
    assert number_words("de", number) == german


def test_no_two_numbers_sound_alike() -> None:
    for language in ("de", "en"):
        assert len({number_words(language, number) for number in range(10_000)}) == 10_000


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ("5+11+13", "Five plus eleven plus thirteen", "Fünf plus elf plus dreizehn"),
        ("24 = 4×6", "Twenty-four is four times six", "Vierundzwanzig gleich vier mal sechs"),
        ("10♥ K♠", "Ten of hearts king of spades", "Herz zehn Pik König"),
        ("5*11#", "Five star eleven hash", "Fünf Stern elf Raute"),
        ("15-17", "Fifteen up to seventeen", "Fünfzehn bis siebzehn"),
        ("1 Karte, 1 Stein, Feld 1", "One Karte, one Stein, Feld one",
         "Eine Karte, ein Stein, Feld eins"),
        ("Version 0.9", "Version 0.9", "Version 0.9"),
        ("", "", ""),
    ],
)  # fmt: skip
def test_signs_and_cards_are_words(text: str, english: str, german: str) -> None:
    assert spell_out(Texts("en"), text) == english
    assert spell_out(Texts("de"), text) == german


def test_an_entry_is_read_with_its_verdict_and_refused_for_everybody() -> None:
    frame = Frame(Header("Anna"), Body(entry=Entry("99", "no such card", Tone.BAD)))
    assert read_out(frame) == (
        Utterance("Anna"),
        Utterance("99"),
        Utterance("no such card", Heed.REFUSAL),
    )
