"""Reading a frame out: what is said of one that brings no sentences of its own."""

from collections.abc import Iterator

from pi_app.view.frame import Choices, Frame, Heed, Tone, Utterance

CALLED = (Tone.BAD, Tone.WIN)


def read_out(frame: Frame, *, titled: bool = True) -> tuple[Utterance, ...]:
    """Return the sentences of a frame, what frames of one screen share first.

    An alert hides everything else, as it does on the displays. The title goes without saying
    where it only names who was called up.
    """
    if frame.alert is not None:
        return (Utterance(frame.alert.text, Heed.CALL),)
    return (*((Utterance(frame.title),) if titled else ()), *_parts(frame))


def _parts(frame: Frame) -> Iterator[Utterance]:
    if frame.entry is not None:
        entry = frame.entry
        yield Utterance(entry.text or "...")
        if entry.verdict:
            refused = entry.tone in CALLED
            yield Utterance(entry.verdict, Heed.REFUSAL if refused else Heed.DETAIL)
    elif frame.big:
        yield Utterance(frame.big, Heed.CALL if frame.tone is Tone.WIN else Heed.DETAIL)
    for line in frame.lines[frame.top :]:
        yield Utterance(line)
    if frame.choices is not None and frame.choices.items:
        yield Utterance(chosen(frame.choices))


def chosen(choices: Choices) -> str:
    """Return the chosen line of a list, with the digits that take it."""
    digit, item = choices.digit(choices.selected), choices.spoken(choices.selected)
    return f"{digit}: {item}" if digit else item
