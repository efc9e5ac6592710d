#!/usr/bin/env bash
# Holds the emulator to what the JavaScript and the Python SDK expect: starts its jar, installs both SDKs into a temporary folder, runs
# their scripts. Needs the built jar (mvn -pl cosmos-emulator package), node with npm, python3 with venv, and their registries.
#
#   run.sh [javascript] [python]      both when none is named
#
# Exit code 75: an SDK could not be installed, so nothing was learnt of it; 1: a feature failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../src/test/resources/conformance/queries.json
jar=$(find "$here/../target" -maxdepth 1 -name 'sluice-cosmos-emulator-*-standalone.jar' 2>/dev/null | head -1)
[ -n "$jar" ] || { echo "There is no jar: run mvn -pl cosmos-emulator package first" >&2; exit 2; }
[ $# -gt 0 ] || set -- javascript python

work=$(mktemp -d)
emulator=
stop() {
  [ -z "$emulator" ] || kill "$emulator" 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

java -Xmx256m -jar "$jar" --port 0 --tls --cert-out "$work/certificate.pem" --continuous-backup > "$work/emulator.log" 2>&1 &
emulator=$!
endpoint=
for _ in $(seq 1 300); do
  endpoint=$(sed -n 's/^Emulator listens at //p' "$work/emulator.log")
  [ -z "$endpoint" ] || break
  kill -0 "$emulator" 2>/dev/null || { cat "$work/emulator.log" >&2; exit 1; }
  sleep 0.1
done
[ -n "$endpoint" ] || { echo "The emulator did not start within 30 s" >&2; cat "$work/emulator.log" >&2; exit 1; }
key='C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

javascript() {
  cp -r "$here/javascript" "$work/javascript"
  (cd "$work/javascript" && npm install --no-audit --no-fund --silent) || return 75
  local code=0
  (cd "$work/javascript" && NODE_EXTRA_CA_CERTS="$work/certificate.pem" node features.mjs "$endpoint" "$key" "$table") || code=1
  (cd "$work/javascript" && NODE_EXTRA_CA_CERTS="$work/certificate.pem" node surface.mjs "$endpoint" "$key") || code=1
  return "$code"
}

python() {
  python3 -m venv "$work/venv" || return 75
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/python/requirements.txt" || return 75
  "$work/venv/bin/python" "$here/python/features.py" "$endpoint" "$key" "$work/certificate.pem" "$table"
}

failed=0
for client in "$@"; do
  case $client in
    javascript | python)
      code=0
      "$client" || code=$?
      [ "$code" -ne 75 ] || echo "$client: skipped, its SDK can't be installed here (needs its registry)" >&2
      [ "$code" -eq 0 ] || [ "$failed" -eq 1 ] || failed=$code
      ;;
    *) echo "Unknown client $client: javascript or python" >&2; exit 2 ;;
  esac
done
[ "$failed" -eq 0 ] || [ "$failed" -eq 75 ] || failed=1
exit "$failed"
