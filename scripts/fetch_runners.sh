#!/bin/sh
# Fetches the protocol runners and clients that tests/conformance can drive, into .toolchain/runners:
# from npm the official conformance suite, the TypeScript client and the inspector with a Node of
# their own, from the Python index both lines of the Python client. The product needs none of them,
# and the suite says which were absent. Needs npm and python3; what is missing is left out.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
runners=${THEURIAN_RUNNERS:-$root/.toolchain/runners}
mkdir -p "$runners" || exit 1
cd "$runners" || exit 1
status=0

if command -v npm >/dev/null 2>&1; then
  [ -f package.json ] || echo '{"private": true}' >package.json
  # Without it the tools that want Node 22 would not start everywhere.
  PATH=$runners/node_modules/.bin:$PATH
  npm install --no-audit --no-fund --loglevel=error node@22 || status=1
  npm install --no-audit --no-fund --loglevel=error \
    conformance-stable@npm:@modelcontextprotocol/conformance@0.1.16 \
    conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 \
    @modelcontextprotocol/sdk@1.32.2 \
    @modelcontextprotocol/inspector@2.12.0 || status=1
else
  echo 'npm is not here: no conformance suite, TypeScript client or inspector' >&2
fi

if command -v python3 >/dev/null 2>&1; then
  for line in 1 2; do
    [ -x "python-$line/bin/python" ] || python3 -m venv "python-$line" || status=1
  done
  python-1/bin/python -m pip install --quiet 'mcp==1.30.0' || status=1
  python-2/bin/python -m pip install --quiet 'mcp==2.3.0' || status=1
else
  echo 'python3 is not here: no Python client' >&2
fi
exit $status
