"""Errors of a model as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_HEADS = ("field", "measure", "mean", "9 of 10 cases", "pooled", "physics alone")


class Evaluation(dict[str, dict[str, Any]]):
    """Errors of each field by its name, as Model.evaluate() tells; printed, and in Jupyter, they are a table.

    Of each field `mean` and `nine_of_ten_cases` are over the cases, `pooled_...` over all of their cells, `cases` those of one case
    after the other, and `physics_mean` those of the reduced physics that a guided model corrects. docs/numerics.md defines
    the measures.

    >>> Evaluation({"gas_saturation": {"unit": "1", "mean": {"mpe": 0.01, "r2": 0.99}, "nine_of_ten_cases": {"mpe": 0.03},
    ...                                "pooled_r2": 0.985, "cases": [{"case": 0}]}})
    field           measure  mean    9 of 10 cases  pooled
    gas_saturation  mpe      0.01    0.03
                    r2       0.9900                 0.9850
    """

    def rows(self) -> list[tuple[str, ...]]:
        """Rows of the table as texts: field, measure, mean, nine of ten cases, pooled, physics alone."""
        return [row for name, errors in self.items() for row in _rows_of(name, errors)]

    def _columns(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Heads and rows without columns that are empty."""
        rows = self.rows()
        kept = [at for at in range(len(_HEADS)) if at < 3 or any(row[at] for row in rows)]
        return tuple(_HEADS[at] for at in kept), [tuple(row[at] for at in kept) for row in rows]

    def __repr__(self) -> str:
        heads, rows = self._columns()
        before, lines = "", [heads]
        for row in rows:
            lines.append(("" if row[0] == before else row[0], *row[1:]))
            before = row[0]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in lines)

    def _repr_html_(self) -> str:
        heads, rows = self._columns()
        head = "".join(f"<th>{escape(one)}</th>" for one in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rows_of(name: str, errors: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for measure, mean in errors["mean"].items():
        unit = errors.get("unit", "1")
        label = f"{measure} [{unit}]" if measure in ("mae", "rmse") and unit != "1" else measure
        numbers = (
            mean,
            errors.get("nine_of_ten_cases", {}).get(measure),
            errors.get(f"pooled_{measure}"),
            errors.get("physics_mean", {}).get(measure),
        )
        yield name, label, *(_text(measure, number) for number in numbers)


def _text(measure: str, number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:.4f}" if measure.startswith("r2") else f"{number:.3g}"
