#!/bin/sh
# Asks a running daemon one question over MCP and prints the answer as JSON.
#
# Usage: ./query.sh "QUESTION" [PROJECT_ID]
#
# THEURIAN_PORT      port of the daemon, 17419 when unset
# THEURIAN_DATA_DIR  data directory that holds its token, ~/.theurian when unset
set -eu

if [ $# -lt 1 ]; then
  echo "usage: $0 QUESTION [PROJECT_ID]" >&2
  exit 2
fi

port=${THEURIAN_PORT:-17419}
token_file=${THEURIAN_DATA_DIR:-$HOME/.theurian}/auth/mcp-token
question=$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/[\\"]/\\&/g')
project=${2:-sample-project}

if [ ! -r "$token_file" ]; then
  echo "No token at $token_file: is the daemon of this data directory running?" >&2
  exit 1
fi

# The token goes in through standard input, so that it shows in no list of processes.
printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token_file")" |
  curl --silent --show-error --fail-with-body --noproxy '*' --config - \
    --header 'Content-Type: application/json' \
    --header 'Accept: application/json, text/event-stream' \
    --header 'MCP-Protocol-Version: 2025-06-18' \
    --data "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"knowledge.search\",\"arguments\":{\"projectId\":\"$project\",\"query\":\"$question\",\"limit\":3}}}" \
    "http://127.0.0.1:$port/mcp"
echo
