"""The own network's name and password, and the text of the QR code that joins it."""

import secrets

NAME = "Beisitzer"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without easily confused ones; lower case, because phones' keyboards begin with it."""
PASSWORD_LENGTH = 10
SUFFIX_LENGTH = 3


def make_password() -> str:
    """Return a new password: ten letters and digits, some 49 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def make_name() -> str:
    """Return a random name that is very likely unique."""
    return f"{NAME}-{''.join(secrets.choice(LETTERS) for _ in range(SUFFIX_LENGTH))}"


def join_code(name: str, password: str) -> str:
    r"""Return the text of a QR code that joins a network with a password.

    In names and passwords \ ; , : and " have a \ before them. A text that could be a hexadecimal
    number is in quotation marks, as some phones would read it as one.
    """
    return f"WIFI:T:WPA;S:{code_text(name)};P:{code_text(password)};;"


def code_text(text: str) -> str:
    escaped = "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)
    is_hex = bool(text) and all(sign in "0123456789abcdefABCDEF" for sign in text)
    return f'"{escaped}"' if is_hex else escaped
