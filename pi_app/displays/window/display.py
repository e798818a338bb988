"""The window itself: SDL's events become keys and taps, frames become pictures."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import pygame

from hardware.keys import Key
from hardware.presses import Presses
from pi_app.displays.window.desktop import move_into, room_for_window
from pi_app.displays.window.direct import PLUGGED_S, Canvas, DirectScreen, Rotation
from pi_app.displays.window.keyboard import key_of
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.rig import RigPainter
from pi_app.displays.window.theme import theme_at
from pi_app.displays.window.touch import Choose, Letter, Target, Toggle, hit
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Header, Signal
from pi_app.view.inputs import KeyQueue, Tap
from pi_app.view.keying import keys_of_letter, typed_keys
from pi_app.view.output import Output

IDLE_S = 1 / 25
"""The window looks for events this often, in seconds; a finger notices nothing below 0.1 s."""

_LAMP_S = 0.8
"""How long the drawn lamp and buzzer show a signal, in seconds."""
_BESIDE = 960
"""From this width on, in pixels, the rig is drawn next to the table's view, not in its place."""

_RIG_SHARE = 0.36
"""The rig's share of the width when it is next to the table's view."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the window looks. `size` is in pixels; `rig` draws the rig as well.

    `theme` is "dark", "light" or "day" (by the time of day). A `fixed` board does not turn towards
    the player to move. `letters` is the language of the keyboard for names. `rotate` and
    `blank_after_s` are for a screen without a desktop: its clockwise rotation in degrees, and the
    seconds without a key before it goes off (0: never).
    """

    theme: str = "dark"
    fullscreen: bool = False
    rig: bool = False
    size: tuple[int, int] = (800, 480)
    fixed: bool = True
    letters: str = "en"
    rotate: Rotation = 0
    blank_after_s: int = 0


class WindowDisplay(Output):
    """Paints frames in a window; turns mouse, touch and keyboard into keys."""

    name = "window"

    def __init__(
        self,
        keys: KeyQueue,
        look: Look,
        clock: Callable[[], float] = time.monotonic,
        hour: Callable[[], int] = lambda: time.localtime().tm_hour,
        screen: DirectScreen | None = None,
        room: Callable[[], pygame.Rect | None] = room_for_window,
    ) -> None:
        """Open the window; pygame.error if SDL finds no screen.

        `hour` returns the hour of the day, for the theme "day". `screen` is SDL's screen without a
        desktop; `room` returns a desktop's room for the window.
        """
        self._keys = keys
        self._clock = clock
        self._hour = hour
        self.look = look
        self._theme = theme_at(look.theme, hour())
        self._active_at = clock()
        """When a touch, a signal or a new frame came last, by the clock."""
        self.dark = False
        """Whether the screen is off, because no key was pressed for longer."""
        self._screen = screen
        self._room = room
        self._asked = look.size
        """The size that was requested for the window, in pixels."""
        self._fitted = False
        """Whether the window was fitted to the desktop after it was shown."""
        self._plugged = screen.plugged() if screen else ()
        self._look_again_at = clock()
        """When to look next whether a screen was plugged in."""
        self._fullscreen = look.fullscreen
        self._frame: Frame | None = None
        self._pressed: Target | None = None
        """What a finger or the mouse holds down."""
        self._finger: int | None = None
        """Which finger pressed it, as SDL numbers fingers."""
        self._presses = Presses()
        self._keys_down: dict[int, Key] = {}
        """The keys of the keyboard that are down, and what each stands for."""
        self._keypad = True
        """Whether the keypad is shown when digits do something."""
        self._signal: tuple[Signal, float] | None = None
        """What lamp and buzzer of the drawn rig show, and since when."""
        pygame.font.init()
        self._start()

    def _start(self) -> None:
        """Start SDL's display and make the window."""
        if self._screen is not None:
            self._screen.init()
            pygame.mouse.set_visible(False)  # until a mouse moves: most have none here
        else:
            pygame.display.init()
        pygame.display.set_caption("Beisitzer")
        self._open()

    def _open(self) -> None:
        """Make the window, also again in another size."""
        if self._screen is not None:
            screen = pygame.display.set_mode(self._screen.size, pygame.FULLSCREEN)
        elif self._fullscreen:
            screen = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)  # the whole screen
        else:
            self._fitted = False
            screen = self._make_window()
        self._paint_on(screen)

    def _make_window(self) -> pygame.Surface:
        """Make the window in the wanted size, but not larger than the desktop leaves room for."""
        width, height = self.look.size
        if (room := self._room()) is not None:
            width, height = min(width, room.width), min(height, room.height)
        self._asked = (width, height)
        return pygame.display.set_mode(self._asked, pygame.RESIZABLE)

    def _fit_window(self) -> None:
        """Fit the window to the desktop once it is shown and its title bar is known."""
        if self._fitted or self._fullscreen or self._screen is not None:
            return
        self._fitted = True  # once: a desktop may insist on its own size
        if (room := self._room()) is not None:
            width, height = size = pygame.display.get_window_size()
            if size == self._asked or width > room.width or height > room.height:
                self._make_window()
            move_into(room)

    def _paint_on(self, screen: pygame.Surface) -> None:
        """Paint on this screen, turned as it is mounted."""
        self._canvas = Canvas(screen, self.look.rotate)
        self.surface = self._canvas.surface
        # give the table's view and the rig their parts of the surface
        area = self.surface.get_rect()
        theme = self._theme
        self.painter: Painter | None = None
        self.rig: RigPainter | None = None
        table = area
        if self.look.rig:
            beside = area.width >= _BESIDE
            rig_width = round(area.width * _RIG_SHARE) if beside else area.width
            place = pygame.Rect(area.right - rig_width, area.top, rig_width, area.height)
            table = pygame.Rect(area.left, area.top, area.width - rig_width, area.height)
            self.rig = RigPainter(self.surface.subsurface(place), theme)
        if table.width:  # else the rig takes the whole window
            surface = self.surface.subsurface(table)
            look = self.look
            self.painter = Painter(surface, theme, fixed=look.fixed, letters=look.letters)
            self.painter.keypad = self._keypad and not self.look.rig  # the rig has one

    @property
    def targets(self) -> list[Target]:
        """Everything that can be touched now, in pixels of the window."""
        targets = list(self.painter.targets) if self.painter else []
        if self.rig is not None:
            offset = self.rig.surface.get_offset()
            targets += [Target(target.box.move(offset), target.deed) for target in self.rig.targets]
        return targets

    def show(self, frame: Frame) -> None:
        self._frame = frame
        if pygame.display.get_surface() is None:  # opening another screen failed before
            self._restart()
        self._wake()
        self._paint()

    def _paint(self) -> None:
        if self._frame is None:
            return
        pressed = self._pressed.deed if self._pressed else None
        changed: list[pygame.Rect] = []
        if self.painter is not None:
            changed += self.painter.paint(self._frame, pressed)
        if self.rig is not None:
            signal = self._signal[0] if self._signal else None
            offset = self.rig.surface.get_offset()
            rig_changed = self.rig.paint(self._frame, pressed, signal)
            changed += [box.move(offset) for box in rig_changed]
        if changed:
            self._canvas.update(changed)

    def configure(self, settings: Settings) -> None:
        """Take over theme and orientation of the board."""
        display = settings.display
        # "auto" is resolved at the start: the keyboard keeps the language that it has
        letters = settings.language if settings.language != "auto" else self.look.letters
        look = replace(
            self.look,
            theme=display.theme,
            fixed=display.board == "fixed",
            letters=letters,
            rotate=display.rotate if self._screen else 0,
            blank_after_s=display.blank_after_s,
        )
        if look != self.look:
            self.look = look
            self._theme = theme_at(look.theme, self._hour())
            self._repaint_all()

    def _wake(self) -> None:
        """Note that somebody is at the table; turn the screen on."""
        self._active_at = self._clock()
        if self.dark and self._screen is not None:
            self._screen.turn(on=True)
        if self.dark:
            self.dark = False
            self._repaint_all()

    def _go_dark_when_idle(self) -> None:
        """Turn the screen off if no key was pressed for long; a desktop does that by itself."""
        after = self.look.blank_after_s
        if self._screen is None or not after or self._clock() - self._active_at < after:
            return
        self.dark = True
        self.surface.fill("black")  # where the screen cannot be turned off it is at least dark
        self._canvas.update()
        self._screen.turn(on=False)

    def _follow_plug(self) -> None:
        """Open the window again on a screen that was plugged in: SDL does not notice it."""
        if self._screen is None or self._clock() < self._look_again_at:
            return
        self._look_again_at = self._clock() + PLUGGED_S
        before, self._plugged = self._plugged, self._screen.plugged()
        if self._plugged and self._plugged != before:
            self._restart()

    def _restart(self) -> None:
        """Close SDL's display and open it again, perhaps in another size."""
        pygame.display.quit()
        self._start()
        self.dark = False
        self._repaint_all()

    def signal(self, signal: Signal) -> None:
        self._wake()
        now = self._clock()
        if signal not in (Signal.TICK, Signal.TURN):  # too short to be drawn
            self._signal = (signal, now)
        if self.rig is not None:  # only its lamp and buzzer show signals
            self._paint()

    def poll(self) -> None:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self._keys.stop()
            elif event.type == pygame.KEYDOWN:
                self._press_typed(event)
            elif event.type == pygame.KEYUP:
                if event.key in self._keys_down:
                    self._up(self._keys_down.pop(event.key))
            elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWEXPOSED):
                self._fit_window()
                self._repaint_all()
            else:
                self._answer_pointer(event)
        self._hear(self._presses.note_held(self._clock()))
        self._follow_plug()
        if self.dark:
            return
        theme = theme_at(self.look.theme, self._hour())  # "day" changes with the hour
        if theme is not self._theme:
            self._theme = theme
            self._wake()
            self._repaint_all()
        self._go_dark_when_idle()
        if self._signal is not None and self._clock() - self._signal[1] > _LAMP_S:
            self._signal = None
            self._paint()

    def poll_every_s(self) -> float:
        return IDLE_S

    def _answer_pointer(self, event: pygame.event.Event) -> None:
        """Answer a finger or a mouse.

        On a desktop SDL reports a finger also as the mouse's button, on a screen without one not.
        """
        if event.type == pygame.FINGERDOWN:
            pygame.mouse.set_visible(False)  # a finger needs no arrow
            if self._pressed is not None:  # by another finger: what it began counts
                self._release(self._pressed.box.center)
            self._finger = event.finger_id
            self._touch(self._touched(event))
        elif event.type == pygame.FINGERUP and event.finger_id == self._finger:
            self._release(self._touched(event))
        elif event.type == pygame.MOUSEWHEEL and event.y:
            # scroll lists and pages, but nothing next to a board: there the key may mean a move
            key = Key.UP if event.y > 0 else Key.DOWN
            frame = self._frame
            if frame is not None and (
                frame.body.choices is not None or frame.board.picture is None
            ):
                self._keys.put(key)
        elif event.type == pygame.MOUSEMOTION and any(event.rel) and not event.touch:
            pygame.mouse.set_visible(True)  # SDL also reports a motion of no pixels at the start
        elif event.type == pygame.MOUSEBUTTONDOWN and _is_click(event):
            self._touch(self._canvas.point(event.pos))
        elif event.type == pygame.MOUSEBUTTONUP and _is_click(event):
            self._release(self._canvas.point(event.pos))

    def _touched(self, event: pygame.event.Event) -> tuple[int, int]:
        """Return where on the canvas a finger is."""
        width, height = self._canvas.screen.get_size()
        return self._canvas.point((int(event.x * width), int(event.y * height)))

    def _down(self, key: Key) -> None:
        """Note that a key goes down; one that can be held counts only when it goes up."""
        self._hear(self._presses.down(key, self._clock()))

    def _up(self, key: Key) -> None:
        self._hear(self._presses.up(key, self._clock()))

    def _hear(self, keys: Iterable[Key]) -> None:
        """Hand keys to the loop's queue."""
        for key in keys:
            self._keys.put(key)

    def _press_typed(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_F11 and self._screen is None:
            self._fullscreen = not self._fullscreen
            self._open()
            self._repaint_all()
            return
        frame = self._frame or Frame(Header(""))  # before the first frame no letters count
        letter = typed_keys(event.unicode, frame.keys)
        self._hear(letter)
        key = key_of(event, typing=frame.keys.typing)
        if key is not None and not letter:  # a letter of a name is no key as well
            self._keys_down[event.key] = key
            self._down(key)

    def _repaint_all(self) -> None:
        """Paint everything: the window was resized or covered, or its theme changed."""
        if self.dark:
            return
        # after resizing there is a new surface
        self._paint_on(pygame.display.get_surface() or self._canvas.screen)
        self._paint()

    def _touch(self, point: tuple[int, int]) -> None:
        if self.dark:
            self._wake()  # the first touch only shows the table again
            return
        self._active_at = self._clock()  # a touch beside every target counts too
        self._pressed = hit(self.targets, point)
        if self._pressed is not None:
            deed = self._pressed.deed
            match deed:
                case Key():
                    self._down(deed)
                case Tap():
                    self._keys.put(deed)
                case Choose(steps=steps):
                    # like a person with the keypad: marks the row, then chooses it
                    for _ in range(abs(steps)):
                        self._keys.put(Key.DOWN if steps > 0 else Key.UP)
                    self._keys.put(Key.ENTER)
                case Letter(letter=letter):
                    self._hear(keys_of_letter(letter))
                case Toggle():
                    self._keypad = not self._keypad
                    if self.painter is not None:
                        self.painter.keypad = self._keypad
            self._paint()  # a key shows at once that it goes down or up

    def _release(self, point: tuple[int, int]) -> None:
        if self._pressed is None:
            return
        if not self._pressed.box.collidepoint(point):
            self._presses.reset()  # a finger that slid off presses nothing more
        elif isinstance(self._pressed.deed, Key):
            self._up(self._pressed.deed)
        self._pressed = None
        self._paint()

    def close(self) -> None:
        pygame.display.quit()


def _is_click(event: pygame.event.Event) -> bool:
    """Tell whether this is the mouse's left button, not a finger reported as one."""
    return event.button == pygame.BUTTON_LEFT and not event.touch
