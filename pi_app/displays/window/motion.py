"""Short, quiet motion for what just happened. It ends with the still picture."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import pygame

from pi_app.displays.window.theme import GLOW, RGB, player_paint
from pi_app.view.frame import Cell, Frame, Mark


class Kind(Enum):
    """What happened; the value is the motion's length in seconds."""

    PLACED = 0.4
    SECURED = 0.7
    REFUSED = 0.35
    WON = 1.8


@dataclass(frozen=True, slots=True)
class Effect:
    """One motion at a place in the window, begun at a time on the window's clock."""

    kind: Kind
    box: pygame.Rect
    begun: float
    colour: RGB = GLOW

    def share(self, now: float) -> float:
        """Return the share of it that is over, from 0 to 1."""
        return max(0.0, min(1.0, (now - self.begun) / self.kind.value))


def motion_effects(
    before: Frame | None,
    after: Frame,
    where: Callable[[str], pygame.Rect | None],
    now: float,
) -> list[Effect]:
    """Return the effects for the changes from one frame to the next."""
    if before is None or before.board.picture is None or after.board.picture is None:
        return []
    old = {cell.name: cell for cell in before.board.picture.cells}
    effects = []
    for cell in after.board.picture.cells:
        kind = _kind_of_change(old.get(cell.name), cell)
        box = where(cell.name)
        if kind is not None and box is not None:
            colour = player_paint(cell.tokens[-1].colour).fill if cell.tokens else GLOW
            effects.append(Effect(kind, box, now, GLOW if kind is Kind.WON else colour))
    # many changes are a correction or another board, not a move
    return effects if len(effects) <= _MANY else []


_MANY = 10
"""The most effects that one move has."""


def _kind_of_change(before: Cell | None, after: Cell) -> Kind | None:
    """Return the most important change of a cell."""
    if before is None:
        return None  # another board
    if Mark.ROW in after.marks - before.marks:
        return Kind.WON
    if Mark.SECURED in after.marks - before.marks:
        return Kind.SECURED
    stones = sum(token.count for token in after.tokens)
    if stones > sum(token.count for token in before.tokens):
        return Kind.PLACED
    return None


def draw(surface: pygame.Surface, still: pygame.Surface, effect: Effect, now: float) -> pygame.Rect:
    """Paint one moment of an effect over the still picture; return the changed rectangle."""
    share = effect.share(now)
    if effect.kind is Kind.REFUSED:
        return _shake(surface, still, effect.box, share)
    box = effect.box
    place = box.inflate(16, 16).clip(surface.get_rect())
    surface.blit(still, place, place)
    if share >= 1.0:
        return place
    overlay = pygame.Surface(place.size, pygame.SRCALPHA)
    centre = (box.centerx - place.left, box.centery - place.top)
    if effect.kind is Kind.WON:
        # two calm swells of light, the second one paler: a parabola from 0 over 1 to 0
        swell = share * 2 % 1.0
        glow = round(110 * abs(4 * swell * (1 - swell)) * (1 - share * 0.4))
        pygame.draw.rect(overlay, (*effect.colour, glow), overlay.get_rect(), border_radius=10)
    else:
        rings = (0.0, 0.3) if effect.kind is Kind.SECURED else (0.0,)
        for delay in rings:  # the second ring begins later, and ends at the same time
            _draw_ring(overlay, effect.colour, centre, box.width, (share - delay) / (1 - delay))
    surface.blit(overlay, place)
    return place


def _draw_ring(
    overlay: pygame.Surface, colour: RGB, centre: tuple[int, int], size: int, share: float
) -> None:
    """Draw a ring that widens and fades."""
    if 0.0 <= share < 1.0:
        radius = round(size * (0.2 + 0.38 * share))
        fade = round(230 * (1 - share))
        pygame.draw.circle(overlay, (*colour, fade), centre, radius, max(3, size // 14))


def _shake(
    surface: pygame.Surface, still: pygame.Surface, box: pygame.Rect, share: float
) -> pygame.Rect:
    """Shift a region to and fro, less and less."""
    side = 1 if round(share * 6) % 2 else -1  # it changes six times
    shift = round(6 * (1 - share) * side) if share < 1.0 else 0
    ground = still.get_at(box.topleft)
    surface.set_clip(box)
    surface.fill(ground, box)
    surface.blit(still, box.move(shift, 0), box)
    surface.set_clip(None)
    return box
