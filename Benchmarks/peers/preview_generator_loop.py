#!/usr/bin/env python3
"""Makes JPEG previews of all files below some folders with preview-generator, one after the other.

usage: preview_generator_loop.py OUTPUT FOLDER…      run by the Python of the environment that has preview-generator.
Prints a line `FILE<tab>PREVIEW` for each preview.
"""

import hashlib
import shutil
import signal
import sys
from pathlib import Path

from preview_generator.manager import PreviewManager

# preview-generator's own limit for LibreOffice is shorter, since it knows what to clean up; see contenders.py.
SECONDS_FOR_A_FILE = 60
SIDE = 256


class TooLong(Exception):
    """An Exception, since preview-generator ends its LibreOffice when it sees one."""


def stop(_signal, _frame):
    raise TooLong


def make_previews(manager: PreviewManager, folders: list[str]) -> None:
    for file in sorted(file for folder in folders for file in Path(folder).rglob("*") if file.is_file()):
        signal.alarm(SECONDS_FOR_A_FILE)
        try:
            preview = manager.get_jpeg_preview(str(file), page=0, width=SIDE, height=SIDE)
            print(file, preview, sep="\t", flush=True)
        # Whatever it raises, the next file has its turn: that is what its users have to do.
        except Exception as error:
            print(f"{file}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            signal.alarm(0)


def main() -> None:
    output, *folders = sys.argv[1:]
    manager = PreviewManager(output, create_folder=True)
    signal.signal(signal.SIGALRM, stop)
    # It keeps a profile for each cache, outside of any folder that it could be told.
    cache = hashlib.md5(manager.cache_path.encode(), usedforsecurity=False).hexdigest()
    try:
        make_previews(manager, folders)
    finally:
        shutil.rmtree(f"/tmp/LibreOffice-conversion-{cache}", ignore_errors=True)


if __name__ == "__main__":
    main()
