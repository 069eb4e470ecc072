#!/bin/sh
# Installs Lectern @VERSION@ and its standard voice for this account: no root, no compiler, no package manager.
#
# usage: sh install.sh
#
# Everything goes below one folder, ~/.local or $PREFIX: bin/lectern, and share/lectern, share/doc/lectern and so on. To remove it,
# delete bin/lectern, share/lectern and share/doc/lectern there. LECTERN_WITHOUT_VOICES=1 leaves the voice out.
#
# The checksums of the archives are in this file. An archive that differs is not unpacked.
set -eu

releases=${LECTERN_RELEASES:-@RELEASES@}
sums='@SUMS@'

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

triple() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    *) fail "there is no program for $(uname -s) on $(uname -m)" ;;
  esac
}

checksum() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "neither sha256sum nor shasum is there to check what is downloaded"
  fi
}

# get ARCHIVE: downloads it into $work and compares its checksum.
get() {
  wanted=$(printf '%s\n' "$sums" | grep -F "  $1" | cut -d ' ' -f 1)
  [ -n "$wanted" ] || fail "this installer knows no $1"
  printf 'fetching %s\n' "$1" >&2
  curl --fail --silent --show-error --location --output "$work/$1" "$releases/$1" || fail "$releases/$1 could not be downloaded"
  found=$(checksum "$work/$1")
  [ "$found" = "$wanted" ] || fail "$1 is not the file that was released: its SHA-256 is $found, wanted $wanted. Nothing was installed."
}

# Called on the last line, so that half a download of this file does nothing.
main() {
  command -v curl >/dev/null || fail "curl is not there, which downloads the archives"
  [ -n "${PREFIX:-}${HOME:-}" ] || fail "neither HOME nor PREFIX is set, so there is no place to install to"
  prefix=${PREFIX:-$HOME/.local}
  program=lectern-@VERSION@-$(triple).tar.gz
  voices=lectern-voice-hibari-@VOICES@.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  # All is downloaded and checked before anything is put in place.
  get "$program"
  [ -n "${LECTERN_WITHOUT_VOICES:-}" ] || get "$voices"
  tar -xzf "$work/$program" -C "$work"
  mkdir -p "$prefix/bin"
  # Tried where it will lie, because a temporary folder may forbid to run what is in it.
  new=$prefix/bin/.lectern-@VERSION@
  cp "$work/${program%.tar.gz}/bin/lectern" "$new"
  "$new" --version >/dev/null || {
    rm -f "$new"
    fail "the program does not run on this machine: its glibc may be older than @GLIBC@. Nothing was installed."
  }
  # What a running program uses is replaced, never written over.
  mv -f "$new" "$prefix/bin/lectern"
  rm -f "$work/${program%.tar.gz}/bin/lectern"
  cp -R "$work/${program%.tar.gz}/." "$prefix/"
  if [ -z "${LECTERN_WITHOUT_VOICES:-}" ]; then
    rm -rf "$prefix/share/lectern/voices/hibari"
    tar -xzf "$work/$voices" -C "$work"
    cp -R "$work/${voices%.tar.gz}/." "$prefix/"
  fi
  printf 'Lectern @VERSION@ is in %s\n' "$prefix/bin/lectern"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) printf 'That folder is not on your PATH: export PATH="%s:%s"\n' "$prefix/bin" "\$PATH" ;;
  esac
}

main "$@"
