"""The keys of a keyboard in the window, and what each stands for."""

import pygame

from hardware.keys import Key

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
    pygame.K_p: Key.MENU_HELD,
}
SIGNS = {"*": Key.STAR, "+": Key.STAR, "#": Key.ENTER, "?": Key.MENU, "/": Key.ENTER}
"""Characters whose key differs from layout to layout: what they print counts."""
