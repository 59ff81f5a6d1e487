"""Tables for terminals and for Markdown."""

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], markdown: bool) -> str:
    """The first column is flush left, all others are numbers and flush right."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    if markdown:
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        return "\n".join("| " + " | ".join(_padded(line, widths)) + " |" for line in [head, rule, *rows])
    return "\n".join("  ".join(_padded(line, widths)).rstrip() for line in lines)


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]


def number(value: float) -> str:
    """Three digits that count, without an exponent."""
    if value != value:
        return "–"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def whole(value: float) -> str:
    """A count; the median of an even number of rounds may lie between two."""
    return f"{value:g}"
