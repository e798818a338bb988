"""A QR code in rows of text, two modules to a character."""

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
_RIM = 1


def code_rows(code: tuple[str, ...]) -> list[str]:
    """Return the code with a light rim, its dark modules as dark ink."""
    wide = len(code) + 2 * _RIM
    blank = (False,) * wide
    rim = (False,) * _RIM
    rows = [blank] * _RIM
    rows += [(*rim, *(module == "#" for module in row), *rim) for row in code]
    rows += [blank] * (_RIM + wide % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_HALVES[pair] for pair in zip(*pair, strict=True)) for pair in pairs]
