"""Checks the firmware against the protocol's vectors, on CPython and on MicroPython alike.

`micropython tests/firmware/vectors.py tests/firmware/panel-vectors.json` with the project's folder
as MICROPYPATH prints the failures and a count of the checks; the exit status says whether all
held.
"""

import json
import sys

from firmware.panel.line import LineReader, encode, parse
from firmware.panel.session import Outputs, Session

STEP_MS = 10


class Recorder(Outputs):
    """Notes beeps with their times."""

    def __init__(self) -> None:
        self.now = 0
        self.beeps: list[list[object]] = []

    def beep(self, kind: str) -> None:
        """Note a beep."""
        self.beeps.append([self.now, kind])


def failures(vectors: dict) -> tuple[list[str], int]:  # type: ignore[type-arg]  # JSON
    """Give what does not hold, and how much was checked."""
    wrong = []
    for body, line in vectors["lines"]:
        if encode(body) != line.encode():
            wrong.append("encode " + body)
    for body, message in vectors["panel_words"]:
        found = parse(body, 6, 4)
        if (None if found is None else list(found)) != message:
            wrong.append(f"words {body}: {found}")
    for case in vectors["framing"]:
        wrong += read(case)
    dialogues = [dialogue for dialogue in vectors["dialogues"] if dialogue["side"] == "panel"]
    for dialogue in dialogues:
        wrong += play(dialogue)
    sections = (vectors["lines"], vectors["panel_words"], vectors["framing"], dialogues)
    return wrong, sum([len(section) for section in sections])


def read(case: dict) -> list[str]:  # type: ignore[type-arg]  # JSON
    """Cut bytes into bodies, in chunks of all sizes that matter; give what went wrong."""
    wrong = []
    data = bytes([ord(letter) for letter in case["bytes"]])
    for size in (len(data), 1, 7):
        reader = LineReader()
        bodies: list[str] = []
        for i in range(0, len(data), size):
            bodies += reader.feed(data[i : i + size])
        if bodies != case["bodies"] or reader.dropped != case["dropped"]:
            wrong.append(f"framing {case['why']}: {bodies} {reader.dropped}")
    return wrong


def play(dialogue: dict) -> list[str]:  # type: ignore[type-arg]  # JSON
    """Play one dialogue; give what was not as written."""
    recorder = Recorder()
    session = Session(recorder)
    steps = unroll(dialogue)
    sent = []
    for now in range(0, dialogue["end"] + STEP_MS, STEP_MS):
        recorder.now = now
        while steps and steps[0][0] <= now:
            step(session, steps.pop(0), now)
        for line in session.tick(now).decode().split("\n")[:-1]:
            sent.append([now, line[1:-5]])
    return compare(dialogue, sent, recorder.beeps, session.dropped)


def unroll(dialogue: dict) -> list:  # type: ignore[type-arg]  # JSON
    """Give the steps in order of time, repeated ones as often as they come."""
    steps = []
    for given in dialogue["steps"]:
        every = given[3] if len(given) > 3 else dialogue["end"] + 1
        for at in range(given[0], dialogue["end"] + 1, every):
            steps.append([at, given[1], given[2]])
    return sorted(steps, key=lambda step: step[0])


def step(session: Session, given: list, now: int) -> None:  # type: ignore[type-arg]  # JSON
    """Do one step of a dialogue."""
    kind = given[1]
    if kind == "press":
        session.press(given[2], now)
    elif kind == "release":
        session.release(given[2], now)
    elif kind == "line":
        session.receive(encode(given[2]), now)
    else:
        session.receive(given[2].encode(), now)


def compare(dialogue: dict, sent: list, beeps: list, dropped: int) -> list[str]:  # type: ignore[type-arg]  # JSON
    """Give the differences between what was sent and what should have been."""
    ignore = dialogue.get("ignore", [])
    sent = [line for line in sent if line[1].split(" ")[0] not in ignore]
    wrong = []
    if dialogue["out"] is not None and sent != dialogue["out"]:
        wrong.append(f"{sent}")
    if "between" in dialogue:
        start, end, lines = dialogue["between"]
        within = [line for line in sent if start <= line[0] <= end]
        if within != lines:
            wrong.append(f"{within}")
    if "last" in dialogue and dialogue["last"] not in sent:
        wrong.append(f"never {dialogue['last']}")
    if beeps != dialogue.get("beeps", []):
        wrong.append(f"beeps {beeps}")
    if "dropped" in dialogue and dropped != dialogue["dropped"]:
        wrong.append(f"dropped {dropped}")
    return [dialogue["name"] + ": " + text for text in wrong]


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        found, checks = failures(json.load(file))
    for text in found:
        print(text)
    print(f"{checks} checks")
    sys.exit(1 if found or not checks else 0)
