#!/usr/bin/python3
"""Starts tumblerd on the session bus, asks it for thumbnails of all files below some folders, and waits for them.

usage: tumbler_client.py REPORT SECONDS FOLDER…      run by Debian's Python (python3-gi), below dbus-run-session.
It does what a file manager does: one call of Queue with URIs and types. When tumblerd ends, or gives no signal for
SECONDS, it is started again, and asked for what is open one file at a time, so that each bad file costs one.
REPORT gets, as JSON, the processor time of this client, which is not tumblerd's, and how often tumblerd ended or
stalled.
"""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.freedesktop.thumbnails.Thumbnailer1"
OBJECT = "/org/freedesktop/thumbnails/Thumbnailer1"
SECONDS_TO_START = 60
LOOKS_A_SECOND = 20


class Tumbler:
    """A tumblerd of our own on the bus."""

    def __init__(self, bus: Gio.DBusConnection):
        self.bus = bus
        self.process = subprocess.Popen([program()])
        loop = GLib.MainLoop()
        seen = []

        def appeared(*_) -> None:
            seen.append(True)
            loop.quit()

        watch = Gio.bus_watch_name_on_connection(bus, NAME, Gio.BusNameWatcherFlags.NONE, appeared, None)
        late = GLib.timeout_add_seconds(SECONDS_TO_START, loop.quit)
        loop.run()
        Gio.bus_unwatch_name(watch)
        if not seen:
            self.end()
            sys.exit(f"tumbler_client: tumblerd was not on the bus after {SECONDS_TO_START} s")
        GLib.source_remove(late)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Request:
    """One call of Queue, and what came back of it."""

    def __init__(self, tumbler: Tumbler, uris: list[str], patience: int):
        self.tumbler, self.patience = tumbler, patience
        self.loop = GLib.MainLoop()
        self.open = set(uris)
        self.failure = ""
        self.quiet = 0

    def run(self) -> None:
        bus = self.tumbler.bus
        heard = bus.signal_subscribe(NAME, NAME, None, OBJECT, None, Gio.DBusSignalFlags.NONE, self.heard)
        watch = GLib.timeout_add(1000 // LOOKS_A_SECOND, self.look)
        uris = sorted(self.open)
        arguments = GLib.Variant("(asasssu)", (uris, [content_type(uri) for uri in uris], "large", "default", 0))
        bus.call(NAME, OBJECT, NAME, "Queue", arguments, None, Gio.DBusCallFlags.NO_AUTO_START, -1, None)
        self.loop.run()
        bus.signal_unsubscribe(heard)
        GLib.source_remove(watch)

    def look(self) -> bool:
        self.quiet += 1
        if self.tumbler.process.poll() is not None:
            self.failure = "ended"
        elif self.quiet > self.patience * LOOKS_A_SECOND:
            self.failure = "stalled"
        if self.failure:
            self.loop.quit()
        return GLib.SOURCE_CONTINUE

    def heard(self, _bus, _sender, _path, _interface, name, arguments) -> None:
        self.quiet = 0
        if name in ("Ready", "Error"):
            self.open.difference_update(arguments.unpack()[1])
        if name == "Finished" or not self.open:
            self.open.clear()
            self.loop.quit()


def content_type(uri: str) -> str:
    info = Gio.File.new_for_uri(uri).query_info("standard::content-type", Gio.FileQueryInfoFlags.NONE, None)
    return info.get_content_type() or "application/octet-stream"


def program() -> str:
    found = sorted(Path("/usr").glob("lib*/**/tumbler-1/tumblerd"))
    if not found:
        sys.exit("tumbler_client: tumblerd is not installed: apt install tumbler tumbler-plugins-extra")
    return str(found[0])


def main() -> None:
    report, patience, *folders = sys.argv[1:]
    uris = sorted(file.resolve().as_uri() for folder in folders for file in Path(folder).rglob("*") if file.is_file())
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    failures = {"ended": 0, "stalled": 0}
    waiting = [uris]
    tumbler = Tumbler(bus)
    while waiting:
        request = Request(tumbler, waiting.pop(0), int(patience))
        request.run()
        if request.failure:
            failures[request.failure] += 1
            if len(request.open) > 1:
                waiting = [[uri] for uri in sorted(request.open)]
            tumbler.end()
            tumbler = Tumbler(bus)
    tumbler.end()
    used = resource.getrusage(resource.RUSAGE_SELF)
    Path(report).write_text(json.dumps({"client_cpu": used.ru_utime + used.ru_stime, **failures}))


if __name__ == "__main__":
    main()
    # The interpreter would otherwise finalize GLib's objects at leisure.
    sys.stdout.flush()
    os._exit(0)
