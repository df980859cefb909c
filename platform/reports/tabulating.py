"""A table of the report: one definition for the page, CSV (full precision) and LaTeX (rounded)."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis.presets.escaping import csv_writer, escape_cell
from materials.typesetting import latex_escape
from reports.palette import display_label, method_label, metric_label
from reports.statuses import reason

Row = dict[str, Any]
MISSING = "\N{EN DASH}"
# On a page and in LaTeX; CSV has all.
MOST_SHOWN = 1000


@dataclass(frozen=True)
class Column:
    """`kind` says how a value is shown: a key of SHOWN. Text, methods and metrics stand on the left."""

    name: str
    label: str
    kind: str

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "id", "method", "metric", "status", "display")

    @property
    def is_interval(self) -> bool:
        return self.kind in ("counts", "shares", "scores", "hundredths")


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    columns: list[Column]
    rows: list[Row]

    @property
    def is_cut(self) -> bool:
        return len(self.rows) > MOST_SHOWN

    def shown(self) -> list[list[tuple[Column, str]]]:
        """Every cell with its column, as a reader sees it; of very many rows the first."""
        return [[(c, show(c.kind, row.get(c.name))) for c in self.columns] for row in self.rows[:MOST_SHOWN]]


def show(kind: str, value: Any) -> str:
    if value is None or value == "":
        return MISSING
    return SHOWN[kind](value)


def as_csv(table: Table) -> str:
    """Intervals as two columns, numbers as numbers, text safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv_writer(out)
    writer.writerow(
        [name for c in table.columns for name in ([f"{c.name}_low", f"{c.name}_high"] if c.is_interval else [c.name])]
    )
    for row in table.rows:
        writer.writerow([cell for c in table.columns for cell in _csv_cells(c, row.get(c.name))])
    return out.getvalue()


def as_latex(table: Table) -> str:
    """A booktabs table, to be used with \\usepackage{booktabs}."""
    align = "".join("l" if c.is_text else "r" for c in table.columns)
    lines = [" & ".join(_latex(text) for _, text in row) + r" \\" for row in table.shown()]
    return "\n".join(
        [
            r"\begin{table}", r"  \centering",
            f"  \\caption{{{_latex(table.title)}}}", f"  \\label{{tab:{table.name}}}",
            f"  \\begin{{tabular}}{{{align}}}", r"    \toprule",
            "    " + " & ".join(_latex(c.label) for c in table.columns) + r" \\", r"    \midrule",
            *(f"    {line}" for line in lines),
            r"    \bottomrule", r"  \end{tabular}", r"\end{table}", "",
        ]
    )  # fmt: skip


# Below it a number says how computers hold numbers, no more.
LEAST_P = 1e-100


def _p_value(p: float) -> str:
    if p >= 0.001:
        return f"{p:.3f}"
    if p < LEAST_P:
        return f"< {LEAST_P:.0e}"
    mantissa, exponent = f"{p:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


SHOWN: dict[str, Callable[[Any], str]] = {
    "text": lambda value: str(value).replace("_", " "),
    "method": method_label,
    "metric": metric_label,
    "display": display_label,
    "status": reason,
    "count": lambda value: f"{value:,}",
    "share": lambda value: f"{value * 100:z.1f} %",
    "weighted": lambda value: f"{value * 100:.2f} %",
    "points": lambda value: f"{value * 100:+z.1f} points",
    "score": lambda value: f"{value:z.3f}",
    "id": str,
    "hundredth": lambda value: f"{value:z.2f}",
    "tenths": lambda value: f"{value:,.1f}",
    "p": _p_value,
    "counts": lambda pair: f"{pair[0]} to {pair[1]}",
    "shares": lambda pair: f"{pair[0] * 100:z.1f} to {pair[1] * 100:z.1f}",
    "scores": lambda pair: f"{pair[0]:z.3f} to {pair[1]:z.3f}",
    "hundredths": lambda pair: f"{pair[0]:z.2f} to {pair[1]:z.2f}",
}


def _latex(text: str) -> str:
    return "--" if text == MISSING else latex_escape(text)


def _csv_cells(column: Column, value: Any) -> list[Any]:
    if column.is_interval:
        return ["", ""] if value is None else list(value)
    if value is None:
        return [""]
    return [escape_cell(str(value))] if column.is_text else [value]
