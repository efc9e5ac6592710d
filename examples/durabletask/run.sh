#!/usr/bin/env bash
# Runs an application of a DurableTask SDK, unchanged, against a host on this machine: run.sh python | java
# Start the host first, in another terminal, from the root of the clone: mvn -q -Pdurabletask
# The SDK is installed below target. Needs python3 with venv and PyPI, or JDK 17, Maven and Maven Central.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
installed=$here/../target/durabletask
case ${1:-} in
  python)
    [ -x "$installed/bin/python" ] || python3 -m venv "$installed"
    "$installed/bin/pip" install --quiet --disable-pip-version-check -r "$here/python/requirements.txt"
    exec "$installed/bin/python" "$here/python/orders.py"
    ;;
  java) exec mvn -B -ntp -q -f "$here/java/pom.xml" ;;
  *) echo "usage: run.sh python | java" >&2; exit 2 ;;
esac
