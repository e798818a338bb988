"""Sentences for the ear, for a frame without sentences of its own."""

from collections.abc import Iterator

from pi_app.view.frame import Choices, Frame, Heed, Tone, Utterance

_REFUSED = (Tone.BAD, Tone.WIN)
"""Tones of a verdict that is spoken when a key was refused."""


def read_out(frame: Frame, *, titled: bool = True) -> tuple[Utterance, ...]:
    """Return the sentences of a frame, or of its alert only.

    `titled`: whether the title is read out; it comes first.
    """
    if frame.alert is not None:
        return (Utterance(frame.alert.text, Heed.CALL),)
    body = tuple(_body_utterances(frame))
    return (Utterance(frame.header.title), *body) if titled else body


def _body_utterances(frame: Frame) -> Iterator[Utterance]:
    if frame.body.entry is not None:
        entry = frame.body.entry
        yield Utterance(entry.aloud or entry.text or "...")  # dots: nothing is keyed yet
        if entry.verdict:
            refused = entry.tone in _REFUSED
            yield Utterance(entry.verdict, Heed.REFUSAL if refused else Heed.DETAIL)
    elif frame.body.big:
        yield Utterance(frame.body.big, Heed.CALL if frame.body.tone is Tone.WIN else Heed.DETAIL)
    for line in frame.body.lines[frame.body.top :]:
        yield Utterance(line)
    if frame.body.choices is not None and frame.body.choices.items:
        yield Utterance(chosen_line(frame.body.choices))


def chosen_line(choices: Choices) -> str:
    """Return the chosen line of a list, with the digits that choose it."""
    digit = choices.digit(choices.selected)
    item = choices.sentence(choices.selected)
    return f"{digit}: {item}" if digit else item
