#!/bin/sh
# Runs the whole suite: formatting, lint, types and every test. With arguments it runs only the
# tests that they name, as in `scripts/test.sh src/platform`.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=scripts/_deno.sh
. "$root/scripts/_deno.sh"
find_deno "$root"
cd "$root"

# Tests start `deno` by name, and it has to be the same one.
PATH=$(dirname -- "$DENO"):$PATH
export PATH

if [ $# -eq 0 ]; then
  exec "$DENO" task ok
fi
exec "$DENO" test --allow-all "$@"
