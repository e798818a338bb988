"""Reads a game's data files: the weights of its score, and its model of positions."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

Weights = Mapping[str, Any]


@cache
def read_weights(game: str, name: str = "weights") -> Weights:
    """Return the content of a game's data file with this name.

    `weights` are those of the score of moves, `model` those of the chances (`tools.learn`).
    """
    text = resources.files(f"ai.{game}").joinpath(f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)
