# shellcheck shell=bash
# The private, throw-away servers that the tests talk to. Sourced by `test`, after setup.sh.
#
# Each server listens on a free loopback port, keeps its data in one temporary folder, ends with the script however that
# ends, and is made known to the tests by one LECTERN_TEST_… variable. A variable that is set already is left alone: the
# tests then use that server. The servers of later features (NATS, Redis, S3) join here, one `start_…` each.

servers_dir=
server_pids=()

stop_test_servers() {
  local pid
  for pid in "${server_pids[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
  for pid in "${server_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  server_pids=()
  if [[ -n $servers_dir ]]; then rm -rf -- "$servers_dir"; fi
  servers_dir=
}

make_servers_dir() {
  [[ -n $servers_dir ]] && return
  servers_dir=$(mktemp -d /tmp/lectern-test.XXXXXX)
  chmod 0755 "$servers_dir" # the servers' own account must get through
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# PostgreSQL refuses to run as root, so root lends it an account that owns nothing.
postgres_account() {
  local name
  for name in postgres nobody; do
    if id -u "$name" >/dev/null 2>&1; then
      printf '%s\n' "$name"
      return
    fi
  done
  die "root cannot run PostgreSQL, and this machine has neither an account 'postgres' nor 'nobody'"
}

start_postgres() {
  if [[ -n ${LECTERN_TEST_POSTGRES_URL-} ]]; then return; fi
  make_servers_dir
  local bin account data=$servers_dir/postgres port password as=()
  bin=$(postgres_bin) || die "PostgreSQL's server programs are not there"
  mkdir "$data"
  password=$(python3 -c 'import secrets; print(secrets.token_hex(16))')
  (umask 077 && printf '%s\n' "$password" >"$servers_dir/postgres.password")
  if [[ $(id -u) -eq 0 ]]; then
    account=$(postgres_account)
    chown "$account" "$data" "$servers_dir/postgres.password"
    as=(setpriv --reuid "$account" --regid "$(id -g "$account")" --clear-groups)
  fi
  "${as[@]}" "$bin/initdb" -D "$data/db" --username=lectern --pwfile="$servers_dir/postgres.password" --auth=password \
    --encoding=UTF8 --no-locale --no-sync >"$servers_dir/postgres.log" 2>&1 ||
    die "initdb failed: $(cat "$servers_dir/postgres.log")"
  local try
  for try in 1 2 3; do
    port=$(free_port)
    # --pdeathsig: killed outright, this script cannot stop the server, so the kernel does.
    (cd "$data" && exec setpriv "${as[@]:1}" --pdeathsig INT "$bin/postgres" -D "$data/db" -p "$port" \
      -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off) </dev/null >>"$servers_dir/postgres.log" 2>&1 &
    server_pids+=($!)
    if postgres_answers "$bin" "$port" "$!"; then
      export LECTERN_TEST_POSTGRES_URL="postgres://lectern:$password@127.0.0.1:$port/postgres"
      return
    fi
    say "PostgreSQL did not start on port $port (try $try)"
  done
  die "PostgreSQL did not start: $(tail -n 20 "$servers_dir/postgres.log")"
}

# Waits up to 15 s for it to answer, less when the process has ended.
postgres_answers() {
  local bin=$1 port=$2 pid=$3 waited
  for ((waited = 0; waited < 150; waited++)); do
    if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then return 0; fi
    if ! kill -0 "$pid" 2>/dev/null; then return 1; fi
    sleep 0.1
  done
  return 1
}
