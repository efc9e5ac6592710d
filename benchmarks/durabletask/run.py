"""Orchestrations a second, and how long one alone takes, of this project's DurableTask host beside other servers of the protocol, all with the Python SDK.

    python3 run.py [--counts 100,1000] [SERVER...]        of: go-file go-memory python-memory sluice sluice-3

Installs below target/durabletask what it needs from PyPI, the Go module from its proxy; wants Go, JDK 17, and `mvn -q package -DskipTests` before. Prints a Markdown
table. Each server has the machine for itself and is warm: a minute and a half of the same work went before. A worker for each of its addresses is a process of its own.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
INSTALLED = PROJECT / "benchmarks" / "target" / "durabletask"
VENV = INSTALLED / "venv"
SIDECAR = INSTALLED / "sidecar"
GO_MODULE = "github.com/microsoft/durabletask-go"
GO_VERSION = "v0.6.0"
CLIENTS = PROJECT / "durabletask-host" / "clients" / "python"
KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="


def install():
    INSTALLED.mkdir(parents=True, exist_ok=True)
    if not VENV.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    subprocess.run([VENV / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", CLIENTS / "requirements.txt"], check=True)


def install_sidecar():
    if SIDECAR.exists():
        return
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod"}
    found = subprocess.run(
        ["go", "mod", "download", "-json", f"{GO_MODULE}@{GO_VERSION}"], check=True, capture_output=True, text=True, env=environment, cwd=INSTALLED)
    subprocess.run(["go", "build", "-o", SIDECAR, "."], check=True, cwd=json.loads(found.stdout)["Dir"], env=environment)


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class Servers:
    """Processes that end with this object."""

    def __init__(self, folder):
        self.folder = folder
        self.started = contextlib.ExitStack()

    def start(self, name, command, port=None, **environment):
        log = open(self.folder / f"{name}.log", "w")
        process = subprocess.Popen(
            [str(part) for part in command], stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **environment}, start_new_session=True)
        self.started.callback(self.end, process)
        if port:
            self.await_port(name, process, port)
        return process

    def await_port(self, name, process, port):
        until = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("localhost", port), timeout=1):
                return
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{name} does not serve: {(self.folder / (name + '.log')).read_text()[-2000:]}")
            time.sleep(0.1)

    @staticmethod
    def end(process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def jar(module, name):
    found = [path for path in (PROJECT / module / "target").glob(f"{name}-*.jar") if not path.stem.endswith(("tests", "sources", "javadoc"))]
    if len(found) != 1:
        raise SystemExit(f"{module}'s jar is not there: mvn -q package -DskipTests")
    return found[0]


def sidecar(servers, *arguments):
    install_sidecar()
    port = free_port()
    servers.start("sidecar", [SIDECAR, "-port", port, *arguments], port)
    return [port]


def in_memory(servers):
    port = free_port()
    servers.start("in-memory", [VENV / "bin/python", CLIENTS / "in_memory.py", port], port)
    return [port]


def sluice(servers):
    """Host and store in one process, as `mvn -Pdurabletask` starts them."""
    port = free_port()
    command = ["java", "-Xmx1g", "-XX:+UseSerialGC", "-cp", f"{jar('examples', 'sluice-examples')}:{PROJECT}/examples/target/lib/*", "io.sluice.examples.durabletask.LocalDurableTaskHost"]
    servers.start("host", command, port, SLUICE_HOST_PORT=str(port))
    return [port]


def sluice_of_three(servers):
    """Three hosts, each a process, on one store in a process of its own."""
    store = free_port()
    servers.start("store", ["java", "-Xmx1g", "-jar", jar("cosmos-emulator", "sluice-cosmos-emulator"), "--port", store, "--partitions", 1], store)
    environment = {"COSMOS_ENDPOINT": f"http://localhost:{store}/", "COSMOS_KEY": KEY, "COSMOS_DATABASE": "hubs", "COSMOS_CONTAINER": "hub"}
    host = ["java", "-Xmx512m", "-jar", jar("durabletask-host", "sluice-durabletask-host")]
    subprocess.run([str(part) for part in [*host, "provision"]], check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    ports = [free_port() for _ in range(3)]
    for number, port in enumerate(ports):
        servers.start(f"host-{number}", [*host, "serve"], port, SLUICE_HOST_PORT=str(port), SLUICE_HOST_OPS_PORT="-1", **environment)
    return ports


SERVERS = {
    "go-file": ("Go sidecar 0.6.0, SQLite file", lambda servers: sidecar(servers, "-db", servers.folder / "hub.db")),
    "go-memory": ("Go sidecar 0.6.0, SQLite in memory", sidecar),
    "python-memory": ("Python SDK's in-memory backend", in_memory),
    "sluice": ("Sluice, one host, store in its process", sluice),
    "sluice-3": ("Sluice, three hosts, store in a process of its own", sluice_of_three),
}


def measured(start, counts):
    """The figures of each count, as they come."""
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers(pathlib.Path(folder))
        with servers.started:
            addresses = [f"localhost:{port}" for port in start(servers)]
            for number, address in enumerate(addresses):
                servers.start(f"worker-{number}", [VENV / "bin/python", HERE / "workload.py", "work", address])
            command = [VENV / "bin/python", HERE / "workload.py", "measure", ",".join(addresses), counts]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as measuring:
                for line in measuring.stdout:
                    yield json.loads(line)
            if measuring.returncode != 0:
                raise SystemExit(f"measuring ended with {measuring.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", default="100,1000")
    parser.add_argument("servers", nargs="*", default=list(SERVERS))
    arguments = parser.parse_args()
    install()
    print("| | at once | sequence of 3, a second | alone, p50, p99 ms | fan-out of 20, a second | alone, p50, p99 ms |\n|---|---:|---:|---:|---:|---:|", flush=True)
    for name in arguments.servers:
        title, start = SERVERS[name]
        for count, figures in zip(arguments.counts.split(","), measured(start, arguments.counts)):
            sequence, fan_out = figures["sequence"], figures["fan_out"]
            print(f"| {title} | {count} | {sequence['per_second']} | {sequence['p50_ms']}, {sequence['p99_ms']} | "
                  f"{fan_out['per_second']} | {fan_out['p50_ms']}, {fan_out['p99_ms']} |", flush=True)


if __name__ == "__main__":
    main()
