"""The counts of a table's places while people key them: as lines, as keys, and the derived ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engines.game import AnyPosition
from pi_app.table.presentation import AnyPresentation, Part, Slot
from pi_app.texts.language import Texts
from pi_app.view.keying import NumberKeying

Values = list[tuple[int, ...]]
"""The numbers of each place, in the order of its parts."""


def count_keying(part: Part, value: int) -> NumberKeying:
    """Return a part's number as it stands; the first digit replaces it."""

    def why_not(tx: Texts, _number: int) -> str:
        return tx("verdict", "numbers from {least} to {most}", least=0, most=part.most)

    return NumberKeying(range(part.most + 1), why_not, digits=str(value), fresh=True)


def count_lines(place: Slot, counts: Sequence[int], chosen: int) -> tuple[str, ...]:
    """Return a line for each number of a place; `chosen` is the index of the marked one."""
    return tuple(
        f"{'►' if index == chosen else ' '}{part.label} {part.text(count)}"
        for index, (part, count) in enumerate(zip(place.parts, counts, strict=True))
    )


def set_count(values: Values, index: int, part: int, count: int) -> None:
    """Change one number of a place."""
    counts = values[index]
    values[index] = (*counts[:part], count, *counts[part + 1 :])


def derive_counts(
    presentation: AnyPresentation,
    position: AnyPosition,
    places: Sequence[Slot],
    values: Values,
    keyed: Collection[tuple[int, int]] = (),
) -> None:
    """Set the numbers that follow from the others, except those that were keyed (place, part)."""
    derived = presentation.derive_counts(position, values)
    for (index, part), count in derived.items():
        if (index, part) not in keyed:
            # wrong or missing numbers elsewhere may lead to one below 0 or above the most
            most = places[index].parts[part].most
            set_count(values, index, part, max(0, min(count, most)))
