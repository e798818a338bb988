"""What each game adds to the companion: its words, its picture, its screens."""

from collections.abc import Mapping

from pi_app.games.einmaleins import EinmaleinsFace
from pi_app.games.just4fun import Just4FunFace
from pi_app.games.numeri import NumeriFace
from pi_app.games.sequence import SequenceFace
from pi_app.table.faces import AnyFace

FACES: Mapping[str, AnyFace] = {
    face.game.name: face
    for face in (Just4FunFace(), NumeriFace(), EinmaleinsFace(), SequenceFace())
}
"""The games' faces by the game's name, in the order of the menu."""
