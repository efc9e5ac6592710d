"""Runs the emulator suites that SDKs' own authors wrote, unchanged, against this emulator, and compares what fails with what is expected to.

    python3 run.py [go] [python] [python-further]         go and python when none is named

A suite comes from its registry, into target/suites: nothing of it is in this repository. Expected failures stand in `<suite>.expected`, a test and the reason a
line; with ? before it where the outcome depends on the machine, with - where it is not run. A test that fails and is not there ends the run with 1, and so does one that is there and passes. Needs the built jar (mvn -pl cosmos-emulator package) and a
free port 8081, which the suites have written into them; Go, or Python with venv. Exit code 75: a suite can't be had or run here, so nothing was learnt of it.
"""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parent.parent
WORK = MODULE / "target" / "suites"
PORT = 8081
KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
GO_MODULE = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos@v1.4.1"
PYTHON_SDK = "azure-cosmos==4.17.1"
PYTHON_TOOLS = ["pytest", "pytest-asyncio", "pytest-timeout", "azure-identity", "aiohttp", "psutil"]
NOT_HERE = 75


class NotHere(Exception):
    """A suite can't be had or run on this machine."""


def had(command, **options):
    try:
        return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise NotHere(f"there is no {command[0]}") from None
    except subprocess.CalledProcessError as error:
        raise NotHere(f"{command[0]} {command[1]}: {error.stderr[-500:]}") from None


@contextlib.contextmanager
def emulator(*arguments):
    jars = list((MODULE / "target").glob("sluice-cosmos-emulator-*-standalone.jar"))
    if not jars:
        raise SystemExit("There is no jar: run mvn -pl cosmos-emulator package first")
    with contextlib.suppress(OSError), socket.create_connection(("localhost", PORT), timeout=1):
        raise NotHere(f"port {PORT} is taken")
    with tempfile.TemporaryDirectory() as folder:
        certificate = pathlib.Path(folder) / "certificate.pem"
        log = open(WORK / "emulator.log", "w")
        command = ["java", "-Xmx512m", "-jar", jars[0], "--port", PORT, "--tls", "--cert-out", certificate, "--continuous-backup", *arguments]
        process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with contextlib.suppress(OSError), socket.create_connection(("localhost", PORT), timeout=1):
                    yield certificate
                    return
                if process.poll() is not None:
                    break
                time.sleep(0.1)
            raise SystemExit(f"The emulator did not start: {(WORK / 'emulator.log').read_text()}")
        finally:
            process.terminate()
            process.wait(20)


def go():
    """The tests of the Go SDK that want an emulator; each one's result."""
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", "EMULATOR": "true"}
    found = json.loads(had(["go", "mod", "download", "-json", GO_MODULE], env=environment, cwd=WORK).stdout)
    copy = WORK / "go"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(found["Dir"], copy)
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o755)
    had(["go", "test", "-count=1", "-run", "^$", "."], env=environment, cwd=copy)
    tests = [line.split("(")[0].removeprefix("func ")
             for file in copy.glob("emulator_*_test.go") for line in file.read_text().splitlines() if line.startswith("func Test")]
    # Its tests expect the items of a container in the order of one physical partition, and this region.
    with emulator("--partitions", 1, "--region", "South Central US") as certificate:
        environment["SSL_CERT_FILE"] = str(certificate)
        run = subprocess.run(
            ["go", "test", "-count=1", "-json", "-run", f"^({'|'.join(tests)})$", "."], cwd=copy, env=environment, capture_output=True, text=True)
    (WORK / "go.log").write_text(run.stdout + run.stderr)
    events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return {event["Test"]: event["Action"] for event in events if "/" not in event.get("Test", "/") and event["Action"] in ("pass", "fail", "skip")}


def python(suite, marks):
    """The tests of the Python SDK that have marks."""
    folder = WORK / "python"
    folder.mkdir(exist_ok=True)
    venv = folder / "venv"
    if not venv.exists():
        had([sys.executable, "-m", "venv", venv])
    had([venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_SDK, *PYTHON_TOOLS])
    had([venv / "bin/pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "-d", folder, PYTHON_SDK])
    archive = next(folder.glob("azure*cosmos-*.tar.gz"))
    shutil.unpack_archive(archive, folder)
    source = next(path for path in folder.glob("azure*cosmos-*") if path.is_dir())
    report = WORK / f"{suite}.xml"
    # As a new container of an account has it; those with more throughput have more.
    with emulator("--partitions", 1):
        environment = {**os.environ, "ACCOUNT_HOST": f"https://localhost:{PORT}/", "ACCOUNT_KEY": KEY, "PYTHONPATH": str(HERE / "python"), "PYTHONWARNINGS": "ignore"}
        left_out = [f"--deselect={node(test[1:])}" for test in expected(suite) if test.startswith("-")]
        command = [venv / "bin/python", "-m", "pytest", "-q", "--tb=native", "-m", marks, *left_out, "--timeout=300", f"--junitxml={report}", "tests"]
        with open(WORK / f"{suite}.log", "w") as log:
            subprocess.run([str(part) for part in command], cwd=source, env=environment, stdout=log, stderr=subprocess.STDOUT)
    results = {}
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        result = "fail" if kinds & {"failure", "error"} else "skip" if "skipped" in kinds else "pass"
        results[f"{case.get('classname').removeprefix('tests.')}.{case.get('name')}"] = result
    return results


def node(test):
    """A test's name as pytest takes it."""
    file, rest = test.split(".", 1)
    return f"tests/{file}.py::{rest.replace('.', '::', 1)}"


def expected(suite):
    lines = (HERE / f"{suite}.expected").read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def judged(suite, results):
    """Prints what is other than expected; whether nothing is."""
    reasons = expected(suite)
    undecided = {test[1:] for test in reasons if test.startswith("?")}
    known = {test for test in reasons if test[0] not in "?-"}
    failed = {test for test, result in results.items() if result == "fail"} - undecided
    passed = [test for test, result in results.items() if result == "pass"]
    print(f"{suite}: {len(passed)} of {len(results)} pass, {list(results.values()).count('fail')} fail, {list(results.values()).count('skip')} skip themselves")
    for test in sorted(failed - known):
        print(f"  fails: {test}")
    for test in sorted(known - failed):
        print(f"  does not fail any more: {test}" if test in results else f"  is not there: {test}")
    return failed == known


SUITES = {
    "go": go,
    "python": lambda: python("python", "cosmosEmulator"),
    # Those that its authors run against accounts, but for the ones that want several regions.
    "python-further": lambda: python("python-further", "cosmosQuery or cosmosLong or cosmosSplit"),
}


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    codes = []
    for suite in sys.argv[1:] or ["go", "python"]:
        try:
            codes.append(0 if judged(suite, SUITES[suite]()) else 1)
        except NotHere as reason:
            print(f"{suite}: skipped, {reason}", file=sys.stderr)
            codes.append(NOT_HERE)
    sys.exit(1 if 1 in codes else NOT_HERE if NOT_HERE in codes else 0)


if __name__ == "__main__":
    main()
