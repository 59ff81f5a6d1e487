"""What a reader sees: the machine, the tables of each scope, and which goals hold."""

import os
import platform
from pathlib import Path

from contenders import Contender
from figures import Scope
from table import number, table, whole

REFERENCE = "vitrine"
MEGABYTE = 1_000_000


class Report:
    def __init__(self, contenders: list[Contender], markdown: bool):
        self.contenders = {one.name: one for one in contenders}
        self.markdown = markdown

    def title(self) -> str:
        """In Markdown a page of its own, which is what RESULTS.md is."""
        if not self.markdown:
            return ""
        return "# Vitrine and its peers\n\n[peers/README.md](peers/README.md) says how this was made and is read.\n"

    def entry(self, name: str, value: str) -> str:
        return f"- {name}: `{value}`" if self.markdown else f"{name}: {value}"

    def heading(self, text: str) -> str:
        return f"## {text}\n" if self.markdown else f"{text}\n{'=' * len(text)}"

    def circumstances(self, command: str, load: float) -> str:
        facts = [("machine", machine()), ("load before", f"{load:.2f}"), ("command", command)]
        facts += [(one.name, ", ".join(one.versions())) for one in self.contenders.values()]
        if self.markdown:
            return "\n".join(f"- {name}: {f'`{value}`' if name == 'command' else value}" for name, value in facts)
        return "\n".join(f"{name:18} {value}" for name, value in facts)

    def totals(self, scope: Scope) -> str:
        head = ["", "CPU s", "wall s", "peak MB", "made", "useful", "failed", "useful/CPU s", "ratio", "Vitrine is"]
        rows = []
        for name, runs in scope.runs.items():
            useful = scope.median(name, lambda run: sum(run.useful.values()))
            row = [
                self.contenders[name].title + "".join(sorted({f" ({run.note})" for run in runs if run.note})),
                number(scope.median(name, lambda run: run.usage.cpu)),
                number(scope.median(name, lambda run: run.usage.wall)),
                whole(round(scope.median(name, lambda run: run.usage.peak) / MEGABYTE)),
                whole(scope.median(name, lambda run: sum(run.made.values()))),
                whole(useful),
                whole(scope.files - useful),
                number(scope.median(name, lambda run: run.rate)),
            ]
            if REFERENCE in scope.runs:
                row += [number(scope.ratio(name, REFERENCE)), f"{number(scope.ratio(REFERENCE, name))} ×"]
            else:
                row += ["–", "–"]
            rows.append(row)
        return table(head, rows, self.markdown)

    def by_family(self, scope: Scope, files: dict[str, int]) -> str:
        """How many useful pictures each made of each family."""
        head = ["useful of", *(f"{files[family]} {family}" for family in scope.families)]
        rows = [
            [self.contenders[name].title, *(whole(scope.useful(name, family)) for family in scope.families)]
            for name in scope.runs
        ]
        return table(head, rows, self.markdown)

    def each_family(self, scopes: dict[str, Scope]) -> str:
        """Processor milliseconds for a useful picture, from runs over one family each."""
        head = ["CPU ms a useful picture", *scopes]
        names = list(dict.fromkeys(name for scope in scopes.values() for name in scope.runs))
        rows = []
        for name in names:
            rates = [scope.median(name, lambda run: run.rate) for scope in scopes.values()]
            rows.append([self.contenders[name].title, *(number(1000 / rate) if rate else "–" for rate in rates)])
        return table(head, rows, self.markdown)

    def goals(self, everything: Scope, shared: dict[str, Scope]) -> str:
        """`shared` has the scopes of those whose goal is about the families that both do."""
        head = ["goal", "wanted", "measured", "holds", "memory below", "holds"]
        rows = []
        for name, contender in self.contenders.items():
            if contender.goal is None or name not in everything.runs or REFERENCE not in everything.runs:
                continue
            measured = shared.get(name, everything).ratio(REFERENCE, name)
            own, other = (everything.median(one, lambda run: run.usage.peak) for one in (REFERENCE, name))
            rows.append([
                contender.title + (", families that both do" if name in shared else ""),
                f"{contender.goal} ×",
                f"{number(measured)} ×",
                "yes" if measured >= contender.goal else "no",
                f"{own / MEGABYTE:.0f} of {other / MEGABYTE:.0f} MB",
                "yes" if own < other else "no",
            ])  # fmt: skip
        return table(head, rows, self.markdown)


def machine() -> str:
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return f"{processor()}, {cores} cores, {memory:.0f} GiB, {system()}, Linux {platform.release()}"


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()


def system() -> str:
    return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
