#!/bin/sh
# SessionStart: one look at whether Theurian works here. Silent when it does. Installs, builds,
# registers and writes nothing; may resume a daemon service that setup installed. Always exits 0.
set +e

# Core's runtime ends at once where the variable is unset.
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH

root=${CLAUDE_PLUGIN_ROOT:-}
[ -n "$root" ] || root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

declaration=$root/compatibility.yaml
case ${THEURIAN_PORT:-} in
'' | *[!0-9]*) port=7419 ;;
*) port=$THEURIAN_PORT ;;
esac

if ! command -v theurian >/dev/null 2>&1; then
  warn "Core is not installed, or theurian is not on PATH. First install it: download the archive for your platform and SHA256SUMS from the Theurian release page, verify the checksum and put theurian on PATH, or run the release's install.sh. Then run /theurian:setup."
  exit 0
fi

answer=$(within 4 theurian hook session-start --declaration "$declaration" --port "$port" --resume --json 2>/dev/null)
code=$?
case $code:$answer in
0:'{}') ;;
0:'{'*'}') printf '%s\n' "$answer" ;;
137:*) warn "Core did not answer in time, so do not rely on it in this session. Run /theurian:doctor." ;;
*) explain_failure "$declaration" ;;
esac
exit 0
