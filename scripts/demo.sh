#!/bin/sh
# Shows Theurian at work, from nothing but a clone: replays and indexes the sample project in a
# temporary folder, starts the real daemon on a free port with a data directory of its own, asks it
# one question with the official MCP client, prints the answer, and takes everything down again.
#
# Usage: scripts/demo.sh [QUESTION]
#
# It runs the executable when `dist/theurian` was built (or THEURIAN_BINARY names one), and the
# source with the same permissions otherwise.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=scripts/_deno.sh
. "$root/scripts/_deno.sh"
find_deno "$root"
cd "$root"

if ! command -v git >/dev/null 2>&1; then
  echo 'error: Git was not found on the PATH' >&2
  echo 'Install Git and run this script again.' >&2
  exit 1
fi

# A first run fetches the locked libraries here, so that the demonstration itself does not wait.
"$DENO" cache --quiet main.ts scripts/demo.ts
exec "$DENO" run --quiet --allow-all scripts/demo.ts "$@"
