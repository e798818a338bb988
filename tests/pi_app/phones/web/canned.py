"""What the stand-in for a companion answers to the pages: a hand, seats, games."""

from typing import Any

LEGAL = {
    "token": "5+11+13",
    "text": "29 (5+11+13)",
    "cell": "29",
    "legal": True,
    "why": "",
    "uses": ["5", "11", "13"],
}
TIP = {
    "token": LEGAL["token"],
    "text": "5+11+13 = 29",
    "chance": 61,
    "reasons": ["Stops Ben's row on 29.", "Takes the majority on 29."],
}
BLOCKED = {
    "token": "5+11",
    "text": "16 (5+11)",
    "cell": "16",
    "legal": False,
    "why": "16 blocked: Ben leads by 2",
    "uses": ["5", "11"],
}
BARE: dict[str, Any] = {"tokens": [], "marks": [], "large": False}
FIELD: dict[str, Any] = {"shade": 1, "note": "", **BARE}
PLACE: dict[str, Any] = {
    "game": 1,
    "help": "legal",
    "hold": "Tap your 4 cards.",
    "moves": 0,
    "laid": [],
    "edits": 0,
    "last": "",
    "told": [],
    "doubts": [],
    "undo": "",
    "result": [],
    "picture": {
        "kind": "grid",
        "columns": 6,
        "cells": [{"name": str(n), "text": str(n), **FIELD} for n in range(1, 37)],
        "strokes": [],
        "turned": 0,
        "lines": [],
    },
}
"""What Anna sees before the first move."""
PLAYED = {
    **PLACE,
    "moves": 1,
    "laid": [{"n": 0, "token": "5+11+13", "cards": ["5", "11", "13"]}],
    "last": "Anna: 5+11+13 = 29",
    "told": ["Anna: stone on 29.", "Anna draws 3 cards."],
    "undo": "5+11+13 = 29",
}
"""What she sees after it."""
ANNA = {
    "seat": 0,
    "name": "Anna",
    "colour": "yellow",
    "letter": "Y",
    "score": "29",
    "holds": 4,
    "to_move": True,
    "place": None,
}
BEN = {
    "seat": 1,
    "name": "Ben",
    "colour": "red",
    "letter": "R",
    "score": "7",
    "holds": 4,
    "to_move": False,
    "place": None,
}
FREE = [{**ANNA, "claimed": False, "mine": False}, {**BEN, "claimed": True, "mine": False}]
TAKEN = [{**ANNA, "claimed": True, "mine": True, "place": PLACE}, FREE[1]]
ENTRY = {
    "id": 7,
    "game": "Just 4 Fun",
    "day": "22.11.2026",
    "players": "Anna, Ben",
    "result": "Anna wins!",
}
PLAIN = {"unit": "", "spreads": [], "turns": []}

WIFI: dict[str, Any] = {
    "ok": True, "link": "own", "name": "", "own": "Beisitzer-abc", "asked": "", "age": 20,
    "where": "The table is in its own Wi-Fi, Beisitzer-abc.",
    "why": "Home: the password is wrong.", "known": ["Attic"],
    "networks": [
        {"name": "Home <b>", "signal": 80, "kind": "wpa-psk"},
        {"name": "Open air", "signal": 30, "kind": "open"},
        {"name": "Office", "signal": 10, "kind": "other"},
    ],
}  # fmt: skip
"""The table's Wi-Fi, as the page for it is told."""

ANSWERS: dict[str, dict[str, Any]] = {
    "seats": {"ok": True, "game": "just4fun", "seats": FREE, "free": 0, "position": 3},
    "claim": {"ok": True},
    "networks": WIFI,
    "hand": {
        "ok": True,
        "help": "legal",
        "turn": True,
        "cards": ["5", "11", "13"],
        "position": 3,
        "options": [BLOCKED, LEGAL],
    },
    "tip": {"ok": True, "tips": [TIP]},
    "history": {"ok": True, "games": [ENTRY], "statistics": "Statistics"},
    "game": {
        "ok": True,
        "game": "Just 4 Fun",
        "day": "22.11.2026",
        "result": "Anna won. 29:7 points",
        "lines": ["Row: 1, 14, 30, 24"],
        "curves": [
            {"name": "Anna", "colour": "yellow", "points": [0, 29, 29], **PLAIN},
            {"name": "Ben", "colour": "red", "points": [0, 0, 7], **PLAIN},
        ],
        "course": None,
    },
    "statistics": {
        "ok": True,
        "title": "Statistics",
        "text": "",
        "reports": [
            {
                "title": "Just 4 Fun",
                "lines": ["12 finished games", "Anna won 8 of 12 games (67 %)."],
                "curves": [],
            }
        ],
    },
}
