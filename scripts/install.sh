#!/bin/sh
# Installs the theurian executable for this user: downloads the archive of this machine's kind and
# SHA256SUMS, refuses what does not match, and puts one file into a folder. It registers nothing,
# runs no setup, needs no root and changes no shell file.
#
# Usage: install.sh [--version X.Y.Z] [--bin-dir DIR] [--dry-run] [--base-url URL]
#
# Nothing that was downloaded runs before its checksum was found right. The new executable replaces
# an old one at once or not at all.
set -eu

releases=https://github.com/theurian/theurian/releases

usage() {
  cat <<'TEXT'
Usage: install.sh [OPTIONS]

Options:
  --version X.Y.Z   The version to install; the latest release unless given
  --bin-dir DIR     Where the executable goes; ~/.local/bin unless given
  --dry-run         Say what would be done, and change nothing
  --base-url URL    Another place that holds the releases (https, or http on 127.0.0.1)
  --help            Show this text
TEXT
}

# fail MESSAGE REMEDY
fail() {
  printf 'error: %s\n%s\n' "$1" "$2" >&2
  exit 1
}

misused() {
  printf 'Error: %s\n' "$1" >&2
  usage >&2
  exit 2
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# One word that a shell reads back as it was.
quoted() {
  case $1 in
  *[!A-Za-z0-9_./:@%+=-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
  *) printf '%s' "$1" ;;
  esac
}

read_options() {
  version='' bin_dir='' dry_run=no
  while [ $# -gt 0 ]; do
    case $1 in
    --version | --bin-dir | --base-url)
      [ $# -ge 2 ] || misused "$1 needs a value"
      set_option "$1" "$2"
      shift 2
      ;;
    --version=* | --bin-dir=* | --base-url=*)
      set_option "${1%%=*}" "${1#*=}"
      shift
      ;;
    --dry-run)
      dry_run=yes
      shift
      ;;
    --help)
      usage
      exit 0
      ;;
    *) misused "There is no option or argument $1" ;;
    esac
  done
}

set_option() {
  [ -n "$2" ] || misused "$1 needs a value"
  case $1 in
  --version) version=${2#v} ;;
  --bin-dir) bin_dir=$2 ;;
  --base-url) releases=${2%/} ;;
  esac
}

# X.Y.Z or X.Y.Z-rc.N: it becomes part of addresses and file names.
is_version() {
  printf '%s\n' "$1" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+(-(dev|alpha|beta|rc)\.[0-9]+)?$'
}

check_options() {
  if [ -n "$version" ]; then
    is_version "$version" || misused "--version is no version such as 0.6.0"
  fi
  case $releases in
  https://*) protocol='=https' ;;
  http://127.0.0.1:* | http://127.0.0.1/*) protocol='=http' ;;
  *) misused '--base-url has to begin with https://' ;;
  esac
  if [ -z "$bin_dir" ]; then
    [ -n "${HOME:-}" ] || fail 'HOME is not set' 'Name a folder with --bin-dir DIR.'
    bin_dir=$HOME/.local/bin
  fi
  case $bin_dir in
  /*) ;;
  *) bin_dir=$PWD/$bin_dir ;;
  esac
}

# Sets target to the kind of this machine, as releases name it.
find_target() {
  system=$(uname -s) machine=$(uname -m)
  case $machine in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) fail "There is no release for this processor ($machine)" 'x86-64 and 64-bit ARM are supported.' ;;
  esac
  case $system in
  Linux)
    if ! has_glibc; then
      fail 'This system has another C library than glibc' \
        'Use a glibc-based system or container; Alpine and other musl systems are not supported yet.'
    fi
    target=$machine-unknown-linux-gnu
    ;;
  Darwin)
    # A translated shell says x86_64 on an ARM machine.
    if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then machine=aarch64; fi
    target=$machine-apple-darwin
    ;;
  *) fail "There is no release for $system" 'Use Linux or macOS here; Windows has install.ps1.' ;;
  esac
}

has_glibc() {
  if have getconf && getconf GNU_LIBC_VERSION >/dev/null 2>&1; then return 0; fi
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
    [ -e "$loader" ] && return 0
  done
  return 1
}

# fetch ADDRESS FILE: answers whether the whole file came.
fetch() {
  if have curl; then
    curl --fail --silent --show-error --location --proto "$protocol" --proto-redir "$protocol" \
      --connect-timeout 20 --max-time 1800 --retry 2 --output "$2" "$1"
  elif have wget; then
    wget -q --timeout=60 --tries=3 -O "$2" "$1"
  else
    fail 'There is neither curl nor wget' 'Install one of them, then run this script again.'
  fi
}

# Prints the SHA-256 of a file in hex.
digest_of() {
  if have sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif have shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif have openssl; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  fi
}

# digest_listed NAME FILE: prints the digest that a sums file lists for exactly one name.
digest_listed() {
  grep -E "^[0-9a-f]{64}  " "$2" | while read -r listed name; do
    if [ "$name" = "$1" ]; then printf '%s\n' "$listed"; fi
  done
}

# must_match FILE DIGEST NAME
must_match() {
  found=$(digest_of "$1")
  [ -n "$found" ] || fail 'There is no program that computes SHA-256' \
    'Install sha256sum, shasum or openssl, then run this script again.'
  [ "$found" = "$2" ] && return 0
  fail "The checksum of $3 is wrong: nothing was installed" \
    "Run this script again. If it stays wrong do not use that download. Expected $2, got $found."
}

# Downloads SHA256SUMS, and sets version, archive and wanted (the archive's digest).
read_sums() {
  place=$releases/latest/download
  [ -z "$version" ] || place=$releases/download/core-v$version
  if ! fetch "$place/SHA256SUMS" "$work/SHA256SUMS"; then
    fail "There is no release ${version:-at all} that can be reached" \
      "Look at $releases for the versions there are, and at the connection."
  fi
  if [ -z "$version" ]; then
    version=$(sed -n "s/^[0-9a-f]\{64\}  theurian-\(.*\)-$target\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
    is_version "$version" || fail "The latest release holds nothing for $target" \
      "Look at $releases, and name a version with --version."
    place=$releases/download/core-v$version
  fi
  archive=theurian-$version-$target.tar.gz
  wanted=$(digest_listed "$archive" "$work/SHA256SUMS")
  case $wanted in
  '' | *[!0-9a-f]*) fail "Release $version lists no checksum for $archive: nothing was installed" \
    "Look at $releases for a version that is made for $target." ;;
  esac
}

# Refuses to write over what another installer keeps.
check_destination() {
  destination=$bin_dir/theurian
  if [ -L "$destination" ]; then
    fail "$destination is a symbolic link: nothing was changed" \
      'Another installer keeps it. Remove it, or choose another folder with --bin-dir.'
  fi
  [ -e "$destination" ] || return 0
  [ -f "$destination" ] || fail "$destination is no regular file: nothing was changed" \
    'Move it away, or choose another folder with --bin-dir.'
  [ ! -e "$bin_dir/theurian.sha256" ] || return 0
  if [ "$(head -c 2 "$destination")" = '#!' ]; then
    fail "$destination is a script of another installation: nothing was changed" \
      'Uninstall that one, move the script away, or choose another folder with --bin-dir.'
  fi
}

show_plan() {
  printf 'Would download %s\n' "$place/$archive"
  printf 'Would check that its SHA-256 is %s\n' "$wanted"
  printf 'Would write %s and %s\n' "$destination" "$bin_dir/theurian.sha256"
  printf 'Nothing was changed.\n'
}

unpack() {
  fetch "$place/$archive" "$work/$archive" || fail "$archive could not be downloaded" \
    'Look at the connection, then run this script again.'
  must_match "$work/$archive" "$wanted" "$archive"
  tar -xzf "$work/$archive" -C "$work" theurian theurian.sha256 ||
    fail "$archive could not be unpacked: nothing was installed" \
      'See that there is room on the disk, then run this script again.'
  must_match "$work/theurian" "$(digest_listed theurian "$work/theurian.sha256")" theurian
  chmod 755 "$work/theurian"
  chmod 644 "$work/theurian.sha256"
  PATH=${PATH:-/usr/bin:/bin} "$work/theurian" version --json >"$work/said" 2>"$work/why" ||
    fail "The downloaded executable does not run here: $(head -n 1 "$work/why"). Nothing was changed" \
      'See docs/install.md for what it needs.'
  grep -q "\"version\": \"$version\"" "$work/said" ||
    fail 'The downloaded executable is of another version than its archive: nothing was changed' \
      "Report this, and choose another version with --version."
}

# The checksum goes first and comes last: a half-done installation has none rather than a wrong one.
put_in_place() {
  rm -f "$bin_dir/theurian.sha256"
  mv -f "$work/theurian" "$destination"
  mv -f "$work/theurian.sha256" "$bin_dir/theurian.sha256"
}

say_what_next() {
  printf 'Installed theurian %s as %s\n' "$version" "$destination"
  case :${PATH:-}: in
  *:"$bin_dir":*)
    first=$(command -v theurian || true)
    if [ "$first" != "$destination" ]; then
      printf 'Mind: the command theurian is %s, which comes earlier on your PATH.\n' "$first"
    fi
    ;;
  *)
    printf 'It is not on your PATH. Add this line to your shell profile:\n'
    # shellcheck disable=SC2016
    printf '  export PATH=%s:"$PATH"\n' "$(quoted "$bin_dir")"
    ;;
  esac
  printf 'Next: theurian setup. After an update of a running service: theurian daemon restart.\n'
}

main() {
  read_options "$@"
  check_options
  find_target
  have tar || fail 'There is no tar' 'Install it, then run this script again.'
  work=''
  trap '[ -z "$work" ] || rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  check_destination
  if [ "$dry_run" = yes ]; then
    work=$(mktemp -d)
    read_sums
    show_plan
    return 0
  fi
  # Beside the destination: only a rename inside one file system happens at once.
  if mkdir -p "$bin_dir"; then work=$(mktemp -d "$bin_dir/.theurian-install.XXXXXX") || true; fi
  [ -n "$work" ] || fail "$bin_dir cannot be written to" 'Choose another folder with --bin-dir.'
  read_sums
  unpack
  put_in_place
  say_what_next
}

main "$@"
