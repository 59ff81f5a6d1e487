"""SeaweedFS with its S3 gateway on this machine, for whoever asks; its data goes with it."""

import contextlib
import http.client
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

WRITERS = 4


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on at the moment, all of them different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def ask(connection: http.client.HTTPConnection, method: str, target: str, body: bytes | None = None) -> bytes:
    """One request; anything but success is the end."""
    connection.request(method, target, body=body)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status >= 300:
        raise OSError(f"{method} {target}: {answer.status} {content[:300].decode(errors='replace')}")
    return content


@contextlib.contextmanager
def running(program: Path, below: str) -> Iterator[int]:
    """Starts the server.
    - program: `weed`.
    - below: where its folder is made.
    Gives the port of the S3 gateway."""
    with tempfile.TemporaryDirectory(prefix="vitrine-seaweed-", dir=below) as folder:
        data, identities = Path(folder, "data"), Path(folder, "s3.json")
        data.mkdir()
        everything = {"name": "anonymous", "actions": ["Admin", "Read", "Write", "List"]}
        identities.write_text(json.dumps({"identities": [everything]}))
        ports = free_ports(8)
        names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc",
                 "s3.port", "s3.port.grpc"]  # fmt: skip
        command = [str(program.absolute()), f"-logdir={folder}", "server", f"-dir={data}"]
        command += ["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3", "-s3.port.iceberg=0", "-s3.port.lance=0"]
        command += [f"-s3.config={identities}", "-volume.max=16", "-master.volumeSizeLimitMB=64"]
        command += [f"-{name}={port}" for name, port in zip(names, ports)]
        with open(Path(folder, "output.log"), "wb") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        try:
            await_bucket(server, ports[6], "bucket")
            yield ports[6]
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            shutil.rmtree(data, ignore_errors=True)


def await_bucket(server: subprocess.Popen, port: int, name: str) -> None:
    """Makes a bucket, as soon as all of the server is there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            ask(http.client.HTTPConnection("127.0.0.1", port), "PUT", f"/{name}")
            return
        except OSError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def put_range(port: int, prefix: str, first: int, end: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for number in range(first, end):
        ask(connection, "PUT", f"/bucket/{prefix}/IMG_{number:07}.jpg", b"x")


def fill(port: int, prefix: str, count: int) -> None:
    """Writes objects of one byte into one folder, with names as cameras give them."""
    step = max(1, count // (WRITERS * 4))
    with ProcessPoolExecutor(WRITERS) as pool:
        starts = range(0, count, step)
        for part in [pool.submit(put_range, port, prefix, first, min(count, first + step)) for first in starts]:
            part.result()
