"""The window itself: SDL's events become keys and taps, frames become pictures."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import pygame

from hardware.keys import Key
from pi_app.displays.window.motion import Effect, Kind, changes, draw
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.presses import Presses
from pi_app.displays.window.rig import RigPainter
from pi_app.displays.window.targets import Choose, Deed, Target, Toggle, hit
from pi_app.displays.window.theme import THEMES
from pi_app.view.frame import Frame, Signal
from pi_app.view.inputs import KeyQueue, Tap
from pi_app.view.multitap import keys_of_letter
from pi_app.view.output import Output

IDLE_S = 1 / 25
"""So often the window looks for events, in seconds; a finger notices nothing below 0.1 s."""

MOVING_S = 1 / 40
_LAMP_S = 0.8
_BESIDE = 1180
"""From this width on, in pixels, the rig stands beside the table's view, not in its place."""

KEYBOARD = {
    **{getattr(pygame, f"K_{digit}"): Key(str(digit)) for digit in range(10)},
    **{getattr(pygame, f"K_KP{digit}"): Key(str(digit)) for digit in range(10)},
    **{getattr(pygame, f"K_F{n}"): Key(f"DIE{n}") for n in range(1, 7)},
    pygame.K_KP_MULTIPLY: Key.STAR,
    pygame.K_KP_PLUS: Key.STAR,
    pygame.K_SPACE: Key.STAR,
    pygame.K_RETURN: Key.ENTER,
    pygame.K_KP_ENTER: Key.ENTER,
    pygame.K_UP: Key.UP,
    pygame.K_DOWN: Key.DOWN,
    pygame.K_a: Key.UP,
    pygame.K_b: Key.DOWN,
    pygame.K_c: Key.BACK,
    pygame.K_d: Key.MENU,
    pygame.K_BACKSPACE: Key.BACK,
    pygame.K_DELETE: Key.BACK,
    pygame.K_ESCAPE: Key.BACK,
    pygame.K_TAB: Key.MENU,
    pygame.K_u: Key.BACK_HELD,
}
_SIGNS = {"*": Key.STAR, "+": Key.STAR, "#": Key.ENTER, "?": Key.MENU, "/": Key.ENTER}
"""Characters that lie elsewhere on every layout: they are heard as what they print."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the window shows itself. `size` in pixels; a rig can be drawn beside or instead."""

    theme: str = "dark"
    animation: bool = True
    fullscreen: bool = False
    rig: bool = False
    size: tuple[int, int] = (800, 480)


class WindowDisplay(Output):
    """Paints frames in a window and hears mouse, touch and keyboard."""

    name = "window"

    def __init__(
        self, keys: KeyQueue, look: Look, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Open the window; pygame.error where SDL finds no screen."""
        self._keys = keys
        self._clock = clock
        self.look = look
        self._fullscreen = look.fullscreen
        self._frame: Frame | None = None
        self._pressed: Target | None = None
        self._presses = Presses(keys.put, clock)
        self._keypad = True
        self._effects: list[Effect] = []
        self._still: pygame.Surface | None = None
        self._signal: tuple[Signal, float] | None = None
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_caption("Beisitzer")
        self._open()

    def _open(self) -> None:
        """Make the window, or make it anew in another size."""
        flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
        self.surface = pygame.display.set_mode(
            (0, 0) if self._fullscreen else self.look.size, flags
        )
        self._divide()

    def _divide(self) -> None:
        """Give the table's view and the rig their parts of the surface."""
        area = self.surface.get_rect()
        theme = THEMES[self.look.theme]
        self.painter: Painter | None = None
        self.rig: RigPainter | None = None
        table = area
        if self.look.rig:
            beside = area.width >= _BESIDE
            wide = round(area.width * 0.36) if beside else area.width
            place = pygame.Rect(area.right - wide, area.top, wide, area.height)
            table = pygame.Rect(area.left, area.top, area.width - wide, area.height)
            self.rig = RigPainter(self.surface.subsurface(place), theme)
        if table.width:
            self.painter = Painter(self.surface.subsurface(table), theme)
            self.painter.keypad = self._keypad and not self.look.rig

    @property
    def untouched(self) -> bool:
        """Whether no finger or mouse button is down."""
        return self._pressed is None

    @property
    def targets(self) -> list[Target]:
        """Everything that can be touched now, in pixels of the window."""
        found = list(self.painter.targets) if self.painter else []
        if self.rig is not None:
            offset = self.rig.surface.get_offset()
            found += [Target(each.box.move(offset), each.deed) for each in self.rig.targets]
        return found

    def show(self, frame: Frame) -> None:
        before, self._frame = self._frame, frame
        if self._still is not None:
            # What moves is painted again over the new picture, not into it.
            self.surface.blit(self._still, (0, 0))
        self._paint()
        if self.look.animation and self.painter is not None:
            now = self._clock()
            self._effects += changes(before, frame, self.painter.cell_box, now)
            self._keep_still()

    def _paint(self) -> None:
        if self._frame is None:
            return
        deed = self._pressed.deed if self._pressed else None
        pressed = deed if isinstance(deed, Key) else None
        changed: list[pygame.Rect] = []
        if self.painter is not None:
            changed += self.painter.paint(self._frame, pressed)
        if self.rig is not None:
            signal = self._signal[0] if self._signal else None
            offset = self.rig.surface.get_offset()
            changed += [b.move(offset) for b in self.rig.paint(self._frame, pressed, signal)]
        if changed:
            pygame.display.update(changed)

    def _keep_still(self) -> None:
        """Remember the picture without movement, as long as something moves."""
        self._still = self.surface.copy() if self._effects else None

    def signal(self, signal: Signal) -> None:
        now = self._clock()
        if signal is not Signal.TICK:
            self._signal = (signal, now)
        layout = self.painter.layout if self.painter else None
        if signal is Signal.BAD and self.look.animation and layout is not None:
            self._settle()
            self._effects.append(Effect(Kind.REFUSED, layout.body, now))
            self._keep_still()
        if self.rig is not None:
            self._paint()

    def poll(self) -> None:
        for event in pygame.event.get():
            self._take(event)
        self._presses.poll()
        if self._signal is not None and self._clock() - self._signal[1] > _LAMP_S:
            self._signal = None
            self._paint()
        self._move()

    def poll_every_s(self) -> float:
        return MOVING_S if self._effects else IDLE_S

    def _move(self) -> None:
        """Paint the next moment of what moves."""
        if self._still is None:
            return
        now = self._clock()
        touched = [draw(self.surface, self._still, effect, now) for effect in self._effects]
        self._effects = [effect for effect in self._effects if effect.share(now) < 1.0]
        if not self._effects:
            self._still = None
        pygame.display.update(touched)

    def _settle(self) -> None:
        """End all movement at once: the still picture is what is painted next."""
        if self._still is not None:
            self.surface.blit(self._still, (0, 0))
            pygame.display.update()
        self._effects.clear()
        self._still = None

    def _take(self, event: pygame.event.Event) -> None:
        """Answer one of SDL's events."""
        if event.type == pygame.QUIT:
            self._keys.stop()
        elif event.type == pygame.KEYDOWN:
            self._typed(event)
        elif event.type == pygame.KEYUP:
            self._presses.up()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._touch(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            self._release(event.pos)
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self._wheel(Key.UP if event.y > 0 else Key.DOWN)
        elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWEXPOSED):
            self._anew()
        elif event.type == pygame.FINGERDOWN:
            pygame.mouse.set_visible(False)  # a finger needs no arrow

    def _wheel(self, key: Key) -> None:
        """Scroll lists and pages; beside a board UP and DOWN may mean a move."""
        frame = self._frame
        if frame is not None and (frame.choices is not None or frame.picture is None):
            self._keys.put(key)

    def _typed(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_F11:
            self._fullscreen = not self._fullscreen
            self._open()
            self._anew()
            return
        letter = keys_of_letter(event.unicode) if self._frame and self._frame.typing else ()
        for part in letter:
            self._keys.put(part)
        key = _SIGNS.get(event.unicode) or KEYBOARD.get(event.key)
        if key is not None and not letter:
            self._presses.down(key)

    def _anew(self) -> None:
        """Paint everything: the window has another size, or was covered."""
        self._effects.clear()
        self._still = None
        self.surface = pygame.display.get_surface()
        self._divide()
        self._paint()

    def _touch(self, point: tuple[int, int]) -> None:
        self._pressed = hit(self.targets, point)
        if self._pressed is not None:
            self._do(self._pressed.deed)
            self._repaint()

    def _release(self, point: tuple[int, int]) -> None:
        if self._pressed is None:
            return
        if self._pressed.box.collidepoint(point):
            self._presses.up()
        else:
            self._presses.cancel()
        self._pressed = None
        self._repaint()

    def _repaint(self) -> None:
        """Show a key going down or up at once."""
        if self._effects:
            self._settle()
        self._paint()

    def _do(self, deed: Deed) -> None:
        match deed:
            case Key():
                self._presses.down(deed)
            case Tap():
                self._keys.put(deed)
            case Choose(steps=steps):
                for _ in range(abs(steps)):
                    self._keys.put(Key.DOWN if steps > 0 else Key.UP)
                self._keys.put(Key.ENTER)
            case Toggle():
                self._keypad = not self._keypad
                if self.painter is not None:
                    self.painter.keypad = self._keypad

    def close(self) -> None:
        pygame.display.quit()
