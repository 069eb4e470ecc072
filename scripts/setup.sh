# shellcheck shell=bash
# Shared by `run`, `test` and `.ci/run`: finds missing tools and installs them. Sourced, never run.
#
# All checks of the machine are here; the scripts that source this only name what they need.

say() {
  if [[ -t 2 ]]; then printf '\033[1m==> %s\033[0m\n' "$*" >&2; else printf '==> %s\n' "$*" >&2; fi
}
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Debian installs servers outside of some accounts' PATH.
PATH=$PATH:/usr/sbin

missing_packages=()

# need PACKAGE COMMAND…: records the Debian package if the command fails.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing_packages+=("$package")
}

# Besides Rust, the build needs make for LAME's configure script, and cmake for Opus.
need_build_tools() {
  have cargo || die "cargo is not installed: install Rust 1.95 or newer, then run this again"
  need build-essential have cc
  need make have make
  need cmake have cmake
  need_python
}

# The pack's installer is written in Python and downloads with pip.
need_python() {
  if ! have python3; then
    missing_packages+=(python3 python3-pip)
  else
    need python3-pip python3 -m pip --version
  fi
}

# Node's test runner knows `--test-concurrency` from 18.19 and 20.10 on; Debian 12 has 18.19 or
# newer.
need_node() {
  need nodejs node_is_new_enough
  need npm have npm
}
node_is_new_enough() {
  have node && node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 10) || (major === 18 && minor >= 19) ? 0 : 1)'
}

# Chromium for the browser tests; CHROMIUM can name another one. Debian has it without windows, too, which needs two thirds
# of the time. Where that cannot be installed, any will do.
chromium_package() {
  local shell=chromium-headless-shell
  # A new machine may have no package lists yet, and would seem to know nothing.
  if [[ $(id -u) -eq 0 ]] && have apt-get && ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
    apt-get update -q </dev/null >&2 || true
  fi
  if have "$shell" || apt-cache show "$shell" >/dev/null 2>&1; then echo "$shell"; else echo chromium; fi
}
chromium_there() {
  [[ -x ${CHROMIUM:-} ]] || have "$1" || { [[ $(id -u) -ne 0 || $1 == chromium ]] && any_chromium; }
}
any_chromium() { have chromium || have chromium-browser || have google-chrome; }

# install_for_build FOLDER WHAT: installs the packages of the folder's package-lock.json, if they are
# missing or were made from another list.
install_for_build() {
  local folder=$1
  if ! cmp -s -- "$folder/package-lock.json" "$folder/node_modules/.made-from"; then
    say "Installing what $2 is built with"
    (cd -- "$folder" && npm ci --no-audit --no-fund --loglevel=error </dev/null >&2) ||
      die "could not install the packages of ${folder#"$PWD"/}/package-lock.json"
    cp -- "$folder/package-lock.json" "$folder/node_modules/.made-from"
  fi
}

# build_web TOP: builds the web application if its sources or the API document are newer than the
# build.
build_web() {
  local web=$1/web
  install_for_build "$web" "the web application"
  # Written at the end of the build. Vite empties the folder at the start, so a failed build leaves
  # no marker.
  local built=$web/dist/app/.complete
  if [[ ! -e $built ]] || [[ -n $(find "$web/src" "$web/messages" "$web/public" "$web/scripts" "$web/vite" "$web/index.html" "$web"/*.json "$web"/*.[jt]s \
    "$1/openapi.json" -newer "$built" ! -name schema.d.ts -print -quit) ]]; then
    say "Building the web application"
    rm -f -- "$built"
    (cd -- "$web" && npm run --silent build </dev/null >&2) || die "the web application could not be built"
    : >"$built"
  fi
}

# build_guide TOP: builds the documentation site if a document or the generator is newer than the
# build.
build_guide() {
  local site=$1/docs/site
  local built=$1/web/dist/guide/.complete
  local documents=("$1"/*.md "$1/sdk" "$1/deploy/kubernetes" "$1/bench")
  install_for_build "$site" "the guide"
  if [[ ! -e $built ]] || [[ -n $(find "$1/docs" "${documents[@]}" "$1/web/scripts/compress.js" \
    \( -name node_modules -o -name cache -o -name .temp -o -name .venv \) -prune -o \
    -newer "$built" \( -name '*.md' -o -name '*.js' -o -name '*.css' -o -path "$site/*.json" \) -print -quit) ]]; then
    say "Building the guide"
    rm -f -- "$built"
    (cd -- "$site" && npm run --silent build </dev/null >&2) || die "the guide could not be built"
    : >"$built"
  fi
}

# build_programs: builds the service and the examples that tests run. Always builds the whole
# workspace: for a part of it Cargo chooses other features for shared dependencies and builds them
# twice.
build_programs() {
  cargo build --quiet --locked --workspace --bins --examples </dev/null
}

# Debian installs the server programs outside of PATH.
postgres_bin() {
  local initdb
  if initdb=$(command -v initdb) && [[ -x $(dirname "$(readlink -f "$initdb")")/postgres ]]; then
    dirname "$(readlink -f "$initdb")"
    return
  fi
  local newest
  newest=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [[ -x $newest/initdb && -x $newest/postgres ]] && printf '%s\n' "$newest"
}

# Installs what the `need` calls found missing, or says what to install if it may not.
install_missing() {
  ((${#missing_packages[@]})) || return 0
  local become=()
  if [[ $(id -u) -ne 0 ]]; then
    become=(sudo)
  fi
  local command="apt-get install -y --no-install-recommends ${missing_packages[*]}"
  if ! have apt-get; then
    die "this machine lacks ${missing_packages[*]} (Debian's names) and has no apt-get: install them, then run this again"
  fi
  if ((${#become[@]})) && ! sudo -n true 2>/dev/null; then
    printf 'This machine lacks some packages and this account may not install them. Run this, then try again:\n\n' >&2
    printf '  sudo %s\n\n' "$command" >&2
    exit 1
  fi
  say "Installing ${missing_packages[*]}"
  # The package lists may be old or empty, so try again after a failure.
  if ! apt_install "${become[@]}"; then
    say "That failed: refreshing the package lists and trying once more"
    "${become[@]}" apt-get update -q </dev/null >&2 || true
    apt_install "${become[@]}" || die "could not install the packages; try: ${become[*]} $command"
  fi
  missing_packages=()
}

# apt_install [sudo]
apt_install() {
  "$@" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${missing_packages[@]}" </dev/null >&2
}

# fetch_voice_pack TOP: installs the pinned voice pack in the user's data directory; quick if it is
# already valid.
fetch_voice_pack() { python3 "$1/scripts/voice_pack.py" "$1/crates/speech/hibari-pack.toml"; }

# user_voices_dir: prints the directory that the voices of all stores of this user lie in.
user_voices_dir() { printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/lectern/voices"; }

need_python_tools() {
  need_python
  need python3-venv python3 -c 'import ensurepip'
}

# python_environment LIST NAME WHAT [OPTION…]: prints the `bin` of a virtual environment with the packages of a list. Creates
# it in the target directory if it is missing or was made from another list.
python_environment() {
  local list=$1 what=$3
  local tools=${CARGO_TARGET_DIR:-$(dirname -- "${BASH_SOURCE[0]}")/../target}/$2
  shift 3
  if ! cmp -s -- "$list" "$tools/made-from"; then
    say "Installing $what"
    rm -rf -- "$tools"
    python3 -m venv "$tools" >&2
    "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps "$@" --requirement "$list" >&2 ||
      die "could not install $list"
    cp -- "$list" "$tools/made-from"
  fi
  (cd -- "$tools/bin" && pwd -P)
}

# python_tools TOP: the packages of the tests.
python_tools() { python_environment "$1/scripts/test_requirements.txt" python-tools "Python packages for the tests"; }

# packaging_tools TOP: what makes and checks the packages of a release.
packaging_tools() {
  python_environment "$1/packaging/requirements.txt" packaging-tools "what packages are made with" --require-hashes
}

# chart_tools TOP: Helm's own engine, which renders the chart (packaging/helm.txt, 240 MB).
chart_tools() { python_environment "$1/packaging/helm.txt" chart-tools "Helm's engine"; }

# zig_tools TOP: what builds the binary for an old glibc.
zig_tools() { python_environment "$1/packaging/zig.txt" zig-tools "Zig" --require-hashes; }

# node_environment LIST NAME TITLE OPTION…: prints a folder with the packages of LIST (below scripts). Creates it as NAME in the
# target directory if it is missing or was made from another list.
node_environment() {
  local list=$1 tools=${CARGO_TARGET_DIR:-${1%/scripts/*}/target}/$2
  if ! cmp -s -- "$list/package-lock.json" "$tools/made-from"; then
    say "Installing $3"
    rm -rf -- "$tools"
    mkdir -p -- "$tools"
    cp -- "$list/package.json" "$list/package-lock.json" "$tools/"
    (cd -- "$tools" && npm ci "${@:4}" --no-audit --no-fund --silent >&2) || die "could not install ${list##*/}"
    cp -- "$list/package-lock.json" "$tools/made-from"
  fi
  printf '%s\n' "$tools"
}

# node_tools TOP: prints a folder with the packages of scripts/webhook_guide.
node_tools() { node_environment "$1/scripts/webhook_guide" node-tools "Node packages for the tests" --ignore-scripts; }

# js_runtimes TOP: prints a folder with Bun and Deno (scripts/js_runtimes, 190 MB). Their own scripts put the program for this
# machine in place.
js_runtimes() {
  local tools
  tools=$(node_environment "$1/scripts/js_runtimes" js-runtimes "Bun and Deno")
  (cd -- "$tools/node_modules/.bin" && pwd -P)
}

# sdk_python_tools TOP: what the Python SDK is built and tested with.
sdk_python_tools() { python_environment "$1/sdk/requirements.txt" sdk-python-tools "what the Python SDK is built with"; }

# agent_python_tools TOP: prints the `bin` of a virtual environment with LiveKit Agents and Pipecat
# (scripts/agent_requirements.txt, 760 MB). Creates it in the target directory if it is missing or
# was made from another list. The guide's tutorials of the two use it as well.
agent_python_tools() {
  local list=$1/scripts/agent_requirements.txt
  local tools=${CARGO_TARGET_DIR:-$1/target}/guide-agents
  if ! cmp -s -- "$list" "$tools/made-from"; then
    say "Installing LiveKit Agents and Pipecat"
    rm -rf -- "$tools"
    python3 -m venv "$tools" >&2
    "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$list" >&2 ||
      die "could not install scripts/agent_requirements.txt"
    cp -- "$list" "$tools/made-from"
  fi
  printf '%s\n' "$tools/bin"
}

# sdk_node_tools TOP: installs what the TypeScript SDK is built with in its folder, if it is missing
# or was made from another list.
sdk_node_tools() {
  local sources=$1/sdk/typescript
  if ! cmp -s -- "$sources/package-lock.json" "$sources/node_modules/.made-from"; then
    say "Installing what the TypeScript SDK is built with"
    (cd -- "$sources" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >&2) ||
      die "could not install the packages of sdk/typescript/package-lock.json"
    cp -- "$sources/package-lock.json" "$sources/node_modules/.made-from"
  fi
}
