# shellcheck shell=sh
# Functions of the session hook. Sourced; errexit stays off, so that no failing check ends the hook
# before it has said what is wrong.
set +e

# Prints the value of a key of compatibility.yaml: one plain scalar on its own line.
declared() {
  sed -n "s/^ *$1: *\([^ #]*\).*\$/\1/p" "$2" 2>/dev/null | head -n 1
}

# Prints a text as the inside of a JSON string.
json_text() {
  printf '%s' "$1" | tr '\n\r\t' '   ' | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g'
}

# Tells the person and the model one thing: the host shows systemMessage.
warn() {
  printf 'Theurian: %s\n' "$1" >&2
  text=$(json_text "Theurian: $1")
  printf '{"systemMessage": "%s", "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "%s Do not install, set up or upgrade anything unasked."}}\n' \
    "$text" "$text"
}

# Runs a command for so many seconds at most; its own exit code, or that of the signal that ended it.
# A command in the background reads nothing.
within() {
  seconds=$1
  shift
  "$@" &
  command_id=$!
  (
    sleep "$seconds" &
    sleep_id=$!
    trap 'kill "$sleep_id"; exit 0' TERM
    wait "$sleep_id"
    kill -9 "$command_id"
  ) >/dev/null 2>&1 &
  guard_id=$!
  wait "$command_id"
  ended=$?
  kill "$guard_id" 2>/dev/null
  return "$ended"
}

# The lines `message:` and `remedy:` of a verdict, as one sentence.
verdict_text() {
  printf '%s\n' "$1" | sed -n 's/^message: //p; s/^remedy: //p' | tr '\n' ' '
}

# Asks a Core that does not know the session check whether it matches at all.
explain_failure() {
  verdict=$(within 2 theurian compat check \
    --plugin-version "$(declared pluginVersion "$1")" \
    --core-minimum "$(declared minimum "$1")" \
    --core-maximum-exclusive "$(declared maximumExclusive "$1")" \
    --protocol-version "$(declared protocolVersion "$1")" 2>/dev/null)
  case $? in
  3)
    said=$(verdict_text "$verdict")
    warn "${said:-the plugin and Core do not match; see: theurian compat check --help}"
    ;;
  2) warn "the plugin's compatibility.yaml cannot be used. Reinstall the plugin; Core was not checked." ;;
  *) warn "Core could not be checked, so do not rely on it in this session. Run /theurian:doctor." ;;
  esac
}
