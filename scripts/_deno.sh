# shellcheck shell=sh
# Sourced by the scripts beside it. `find_deno ROOT` sets DENO to a Deno that is new enough: the one
# on the PATH, one that an earlier run put into ROOT/.toolchain, or one that is installed there now
# through npm, pip or the official installer, whichever is at hand. Nothing outside ROOT/.toolchain
# is written. It also chooses the certificate stores, so that it works behind a company proxy.

: "${DENO_TLS_CA_STORE:=mozilla,system}"
export DENO_TLS_CA_STORE

# Succeeds when "$1" is a Deno of version 2.6 or later within major version 2.
_deno_is_usable() {
  [ -x "$1" ] || return 1
  _deno_version=$("$1" --version 2>/dev/null | sed -n 's/^deno \([0-9]*\.[0-9]*\)\..*/\1/p')
  case $_deno_version in
    2.[6-9] | 2.[1-9][0-9]*) return 0 ;;
    *) return 1 ;;
  esac
}

_deno_from_path() {
  DENO=$(command -v deno 2>/dev/null) && _deno_is_usable "$DENO"
}

_deno_from_toolchain() {
  for DENO in "$1/npm/node_modules/.bin/deno" "$1/pip/bin/deno" "$1/official/bin/deno"; do
    if _deno_is_usable "$DENO"; then return 0; fi
  done
  return 1
}

_deno_by_npm() {
  command -v npm >/dev/null 2>&1 || return 1
  echo 'Installing Deno into .toolchain with npm …' >&2
  npm install --prefix "$1/npm" --no-save --no-audit --no-fund --loglevel=error \
    'deno@^2.6.0' >&2 || return 1
  DENO=$1/npm/node_modules/.bin/deno
  _deno_is_usable "$DENO"
}

_deno_by_pip() {
  for _deno_python in python3 python; do
    "$_deno_python" -m pip --version >/dev/null 2>&1 || continue
    echo 'Installing Deno into .toolchain with pip …' >&2
    PIP_ROOT_USER_ACTION=ignore "$_deno_python" -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
      --target "$1/pip" 'deno==2.6.10' >&2 || continue
    DENO=$1/pip/bin/deno
    if _deno_is_usable "$DENO"; then return 0; fi
  done
  return 1
}

_deno_by_installer() {
  command -v curl >/dev/null 2>&1 || return 1
  echo 'Installing Deno into .toolchain with the official installer …' >&2
  _deno_script=$1/install-deno.sh
  curl --fail --silent --show-error --location https://deno.land/install.sh \
    --output "$_deno_script" || return 1
  DENO_INSTALL=$1/official sh "$_deno_script" --yes --no-modify-path v2.6.10 >&2 || return 1
  DENO=$1/official/bin/deno
  _deno_is_usable "$DENO"
}

find_deno() {
  _deno_toolchain=$1/.toolchain
  if _deno_from_path || _deno_from_toolchain "$_deno_toolchain"; then return 0; fi
  mkdir -p "$_deno_toolchain"
  for _deno_way in npm pip installer; do
    if "_deno_by_$_deno_way" "$_deno_toolchain"; then return 0; fi
  done
  echo 'error: no Deno 2.6 or later was found, and none could be installed' >&2
  echo 'Install it from https://docs.deno.com/runtime/ and run this script again.' >&2
  return 1
}
