"""What somebody found out about previews that differ from the reference."""

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

DIFFERENT = "different"


@dataclass
class Explanation:
    """Why previews of some files get one verdict; it says nothing about another one."""

    pattern: str
    verdict: str
    why: str
    # The least similarity that was looked at: what is less alike is another difference.
    least: float = 0.0
    used: bool = False

    def covers(self, name: str, verdict: str, score: float | None) -> bool:
        return verdict == self.verdict and fnmatch(name, self.pattern) and (score is None or score >= self.least)


class Explanations:
    """All of a file: sections `[verdict]`, and below each a pattern of file names a line, for `different` the least
    similarity that it covers, and the reason."""

    def __init__(self, path: Path | None, verdicts: list[str]):
        self._known: list[Explanation] = []
        section = ""
        for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                section = line.strip("[]")
                if section not in verdicts:
                    raise SystemExit(f"{path}:{number}: there is no verdict '{section}'")
                continue
            if not section:
                raise SystemExit(f"{path}:{number}: the line stands below no verdict")
            try:
                self._known.append(self._explanation(section, line))
            except ValueError:
                raise SystemExit(f"{path}:{number}: expected a pattern{', a similarity' * (section == DIFFERENT)} "
                                 "and a reason") from None  # fmt: skip

    @staticmethod
    def _explanation(section: str, line: str) -> Explanation:
        if section == DIFFERENT:
            pattern, least, why = line.split(maxsplit=2)
            return Explanation(pattern, section, why, float(least))
        pattern, why = line.split(maxsplit=1)
        return Explanation(pattern, section, why)

    def of(self, name: str, verdict: str, score: float | None) -> str | None:
        """Why a file got its verdict; `None` when nobody said so."""
        for one in self._known:
            if one.covers(name, verdict, score):
                one.used = True
                return one.why
        return None

    def unused(self, names: list[str]) -> list[Explanation]:
        """Those that none of their files needed: the difference is gone."""
        return [one for one in self._known if not one.used and any(fnmatch(name, one.pattern) for name in names)]
