"""Text cells that no spreadsheet takes for a formula, and back."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_cell(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula; `unescape_cell` gives the text back exactly."""
    return "'" + text if text.lstrip("'").startswith(_FORMULA_STARTS) else text


def unescape_cell(cell: str) -> str:
    escaped = cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_STARTS)
    return cell[1:] if escaped else cell
