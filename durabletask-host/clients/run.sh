#!/usr/bin/env bash
# Holds the host to what the DurableTask SDKs expect, as their registries give them: installs each SDK below target/clients, runs its scenarios against one address.
#
#   run.sh [--in-memory] [python] [javascript] [java]      every suite when none is named
#
# The address is, in this order
#   SLUICE_DURABLETASK_ADDRESS   host:port of a host that runs already (plaintext)
#   SLUICE_HOST_COMMAND          a shell command that starts one, kept in the foreground, on port $SLUICE_DURABLETASK_PORT of localhost; it is ended afterwards
#   --in-memory                  the Python SDK's in-memory backend, by which the scenarios themselves are judged
# Suites run one after another: a worker without filters takes whatever its hub has to do. The hub need not be empty, but nobody else may work at it.
#
# Needs python3 with venv (for --in-memory too), node with npm (a node older than 22 is made up for by the npm package of that name), JDK 17 with
# Maven, and the SDKs' registries. Maven's local repository is used as it is.
# Exit code 75: an SDK could not be installed, so nothing was learnt of it; 1: a scenario failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
installed=$here/../target/clients
mkdir -p "$installed"
installed=$(cd "$installed" && pwd)
export PYTHONDONTWRITEBYTECODE=1

in_memory=
[ "${1:-}" != --in-memory ] || { in_memory=1; shift; }
[ $# -gt 0 ] || set -- python javascript java

work=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill -- "-$server" 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

python_sdk() {
  [ -x "$installed/venv/bin/python" ] || python3 -m venv "$installed/venv" || return 75
  "$installed/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/python/requirements.txt" || return 75
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("localhost", 0)); print(s.getsockname()[1])'
}

# Starts a command in a process group of its own and waits until its port takes connections.
start() {
  SLUICE_DURABLETASK_PORT=$(free_port)
  export SLUICE_DURABLETASK_PORT
  set -m
  bash -c "$1" > "$work/server.log" 2>&1 &
  server=$!
  set +m
  for _ in $(seq 1 6000); do
    if (exec 3<> "/dev/tcp/localhost/$SLUICE_DURABLETASK_PORT") 2>/dev/null; then
      export SLUICE_DURABLETASK_ADDRESS=localhost:$SLUICE_DURABLETASK_PORT
      return
    fi
    kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; echo "The server ended before it listened" >&2; exit 1; }
    sleep 0.1
  done
  cat "$work/server.log" >&2
  echo "The server does not listen on port $SLUICE_DURABLETASK_PORT after 600 s" >&2
  exit 1
}

if [ -n "$in_memory" ]; then
  python_sdk || { echo "The Python SDK can't be installed here, so its in-memory backend can't be asked" >&2; exit 75; }
  export SLUICE_DURABLETASK_IN_MEMORY=1
  start "exec '$installed/venv/bin/python' '$here/python/in_memory.py' \$SLUICE_DURABLETASK_PORT"
elif [ -z "${SLUICE_DURABLETASK_ADDRESS:-}" ]; then
  [ -n "${SLUICE_HOST_COMMAND:-}" ] || { echo "Set SLUICE_DURABLETASK_ADDRESS or SLUICE_HOST_COMMAND, or say --in-memory" >&2; exit 2; }
  start "$SLUICE_HOST_COMMAND"
fi

python() {
  python_sdk || return 75
  (cd "$here/python" && "$installed/venv/bin/python" -m pytest -q)
}

javascript() {
  local sdk=$installed/javascript node
  mkdir -p "$sdk"
  rm -f "$sdk"/*.mjs
  cp "$here"/javascript/* "$sdk"
  (cd "$sdk" && npm install --no-audit --no-fund --silent) || return 75
  node=$(command -v node)
  if [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 22')" != true ]; then
    (cd "$sdk" && npm install --no-save --no-audit --no-fund --silent node@22) || return 75
    node=$sdk/node_modules/node/bin/node
  fi
  # One file after the other, as for the suites; the time limit is each scenario's.
  (cd "$sdk" && "$node" --test --test-concurrency=1 --test-timeout=120000 --test-force-exit --test-reporter=spec ./*.test.mjs)
}

java() {
  mvn -B -ntp -q -f "$here/java/pom.xml" test-compile > "$work/compile.log" 2>&1 || {
    cat "$work/compile.log" >&2
    ! grep -Eq 'could not be resolved|Could not (resolve|transfer|find)' "$work/compile.log" || return 75
    return 1
  }
  mvn -B -ntp -f "$here/java/pom.xml" surefire:test
}

failed=0
for client in "$@"; do
  case $client in
    python | javascript | java)
      echo "$client: scenarios against $SLUICE_DURABLETASK_ADDRESS"
      code=0
      "$client" || code=$?
      [ "$code" -ne 75 ] || echo "$client: skipped, its SDK can't be installed here (needs its registry)" >&2
      [ "$code" -eq 0 ] || [ "$failed" -eq 1 ] || failed=$code
      ;;
    *) echo "Unknown client $client: python, javascript or java" >&2; exit 2 ;;
  esac
done
[ "$failed" -eq 0 ] || [ "$failed" -eq 75 ] || failed=1
[ "$failed" -ne 1 ] || [ ! -s "$work/server.log" ] || { echo "Last lines of the server:" >&2; tail -40 "$work/server.log" >&2; }
exit "$failed"
