"""Letters on ten digits, as on old phones, and the keys for a letter of a keyboard."""

from hardware.keys import Key

LETTERS = {
    1: "1-.",
    2: "ABCÄ2",
    3: "DEF3",
    4: "GHI4",
    5: "JKL5",
    6: "MNOÖ6",
    7: "PQRSß7",
    8: "TUVÜ8",
    9: "WXYZ9",
    0: " 0",
}
"""The characters of a digit that is pressed once, twice, ..."""

_LETTER_KEYS = {
    letter: (*[Key(str(digit))] * presses, Key.STAR)
    for digit, letters in LETTERS.items()
    for presses, letter in enumerate(letters, 1)
}
"""The keys for each character: its digit, pressed often enough, and STAR to complete it."""


def keys_of_letter(letter: str) -> tuple[Key, ...]:
    """Return the keys that write this letter or digit, in either case; () for any other."""
    # "ß" has no capital: upper() would make "SS" of it
    return _LETTER_KEYS.get(letter if letter == "ß" else letter.upper(), ())


SIGNS = ".,:;/\\_=+*#@!?&%$€()[]{}<>|~^'\"`"
"""The signs that MENU makes of a full stop, one after the other."""


def change_character(character: str) -> str:
    """Return what MENU makes of a character: of a letter its capital, of a sign another one."""
    if character in SIGNS:
        return SIGNS[(SIGNS.index(character) + 1) % len(SIGNS)]
    return character if character == "ß" else character.swapcase()


def keys_of_character(character: str) -> tuple[Key, ...]:
    """Return the keys that write exactly this character where every one counts; () if none do."""
    if len(character) != 1:
        return ()
    if character in SIGNS:
        return (*keys_of_letter("."), *[Key.MENU] * SIGNS.index(character))
    keys = keys_of_letter(character)
    return (*keys, Key.MENU) if keys and character.isupper() else keys


def typed_keys(typed: str, *, typing: bool, lettered: bool, exact: bool = False) -> tuple[Key, ...]:
    """Return the keys for a typed character, () if it does not count as a letter now.

    A frame takes letters while `typing`, or if it is `lettered`, then with STAR before each. While
    `exact`, digits are characters too, so that the same one can be typed twice.
    """
    if typing and exact:
        return keys_of_character(typed)
    # digits are keys themselves, which write digits as well
    if typing and not typed.isdigit():
        return keys_of_letter(typed)
    letter = keys_of_letter(typed) if lettered and typed.isalpha() else ()
    return (Key.STAR, *letter) if letter else ()
