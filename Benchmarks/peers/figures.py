"""What runs add up to: medians, pictures per processor second, ratios, and the families that two sides share."""

from dataclasses import dataclass, field
from statistics import median

from measure import Usage


@dataclass(frozen=True)
class Run:
    """One run of one program over some families."""

    usage: Usage
    made: dict[str, int]
    useful: dict[str, int]
    note: str = ""

    @property
    def rate(self) -> float:
        """Useful pictures in a second of processor time."""
        return sum(self.useful.values()) / self.usage.cpu if self.usage.cpu > 0 else 0.0


@dataclass
class Scope:
    """The runs of all rounds over the same families, by program; round N of each is entry N."""

    families: tuple[str, ...]
    files: int
    runs: dict[str, list[Run]] = field(default_factory=dict)

    def median(self, name: str, value) -> float:
        return median(value(run) for run in self.runs[name])

    def ratio(self, name: str, reference: str) -> float:
        """How many times the pictures per processor second of `reference` are those of `name`; the median of the
        rounds, each compared within itself. NaN when a reference made nothing."""
        pairs = zip(self.runs[name], self.runs[reference])
        return median(one.rate / other.rate if other.rate > 0 else float("nan") for one, other in pairs)

    def useful(self, name: str, family: str) -> float:
        return self.median(name, lambda run: run.useful.get(family, 0))


def common_families(scope: Scope, name: str, reference: str) -> tuple[str, ...]:
    """The families that both do: those of which `name` made at least half as many useful pictures as `reference`."""
    return tuple(
        family
        for family in scope.families
        if scope.useful(name, family) > 0 and 2 * scope.useful(name, family) >= scope.useful(reference, family)
    )
