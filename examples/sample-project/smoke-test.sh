#!/bin/sh
# Replays, indexes and serves a copy of this project in a temporary folder, asks one question and
# checks the first hit. Uses its own data directory and port, stops only its own daemon, and
# removes what it made.
#
# THEURIAN_BINARY  the executable to test, `theurian` on the PATH when unset
# THEURIAN_PORT    the port to use, 17419 when unset
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
theurian=${THEURIAN_BINARY:-theurian}
THEURIAN_PORT=${THEURIAN_PORT:-17419}
export THEURIAN_PORT

work=$(mktemp -d)
daemon=
cleanup() {
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

THEURIAN_DATA_DIR=$work/data
export THEURIAN_DATA_DIR
cp -R "$here" "$work/sample-project"
cd "$work/sample-project"
rm -rf .theurian/state .theurian/cache .theurian/runtime .theurian/generated

git init --quiet
git add --all
git -c user.name='Smoke Test' -c user.email='smoke-test@example.org' \
  commit --quiet --message 'Start from the sample'

"$theurian" init --json >/dev/null
"$theurian" project register --project-id sample-project --json >/dev/null
"$theurian" migrate validate --json >/dev/null
"$theurian" migrate apply --json >"$work/apply.json"
grep -q '"operationsApplied": 57' "$work/apply.json"
"$theurian" index build --json >"$work/index.json"
grep -q '"published": true' "$work/index.json"

"$theurian" daemon start --foreground --port "$THEURIAN_PORT" >"$work/daemon.log" 2>&1 &
daemon=$!
tries=0
until curl --silent --fail --noproxy '*' "http://127.0.0.1:$THEURIAN_PORT/health" >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 150 ] || ! kill -0 "$daemon" 2>/dev/null; then
    echo 'The daemon did not come up:' >&2
    cat "$work/daemon.log" >&2
    exit 1
  fi
  sleep 0.1
done

./query.sh 'order cancellation deadline before mutation' >"$work/answer.json"
first=$(grep -o '"itemId": *"[^"]*"' "$work/answer.json" | head -n 1)
case $first in
  *domain.order-cancellation*) echo 'The sample project answers as it should.' ;;
  *)
    echo "Expected domain.order-cancellation first, got: $first" >&2
    exit 1
    ;;
esac
