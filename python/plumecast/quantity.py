"""Inputs that models take and fields that they predict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, NamedTuple


class Quantity(NamedTuple):
    """An input that a model takes, or a field that it predicts."""

    name: str
    unit: str
    axes: tuple[str, ...]  #: ("N", "Z", "R"): cases N, times T, rows Z, columns R, or lines Y and columns X
    long_name: str
    required: bool  #: whether a prediction cannot do without it
    low: float  #: least admissible value, in the unit
    high: float  #: largest admissible value
    trained: tuple[float, float] | None  #: range of the training, where it is known

    @property
    def is_of_cases(self) -> bool:
        """Whether each case has a value, or values, of its own; so have inputs of generic data, whose axes are not told."""
        return self.axes[0] == "N" or self.name.startswith("/inputs/")


def quantity_of(entry: Mapping[str, Any]) -> Quantity:
    """An entry of the description of a model."""
    trained = entry.get("trained")
    return Quantity(
        entry["name"],
        entry["unit"],
        tuple(entry["axes"].split(",")),
        entry["long_name"],
        entry["required"],
        entry["low"],
        entry["high"],
        None if trained is None else (trained[0], trained[1]),
    )


def _cells(quantity: Quantity) -> tuple[str, ...]:
    trained = "" if quantity.trained is None else "{:.4g} to {:.4g}".format(*quantity.trained)
    return (
        quantity.name,
        quantity.unit,
        ", ".join(quantity.axes),
        f"{quantity.low:.4g} to {quantity.high:.4g}",
        trained,
        "" if quantity.required else "optional",
    )


_HEADS = ("name", "unit", "axes", "admissible", "trained on", "")


def as_text(title: str, quantities: Iterable[Quantity]) -> str:
    """A table in columns of even width."""
    rows = [(title, *_HEADS[1:]), *map(_cells, quantities)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def as_html(title: str, quantities: Iterable[Quantity]) -> str:
    """The same as a table of HTML."""
    heads = "".join(f"<th>{escape(head)}</th>" for head in (title, *_HEADS[1:]))
    rows = (
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(quantity)) + "</tr>" for quantity in quantities
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
