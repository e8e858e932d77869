#!/usr/bin/env bash
# A private PostgreSQL cluster for tests: in a temporary folder, with a Unix socket and no port.
#
#     bash cluster.bash start [--while PID]   # starts a new cluster; prints its folder and its URL, each on a line
#     bash cluster.bash kill FOLDER           # kills the server like a power failure (SIGKILL), and waits for its processes to end
#     bash cluster.bash restart FOLDER        # starts it again after a kill, or restarts it
#     bash cluster.bash stop FOLDER           # stops it, and removes the folder
#     bash cluster.bash available             # tells whether PostgreSQL is installed
#
# With --while, the cluster is stopped and removed when the process PID ends.
#
# PostgreSQL does not run as root. If root runs this script, the server runs as the user in GRAFT_POSTGRES_USER, or else as 'postgres',
# or as 'nobody' if there is no such user.
#
# Members of the role 'with_password' need their password (SCRAM); other roles need none. Only the owner of the folder and root can
# reach the socket.
#
# Exit status: 0 for success, 1 for a failure, 2 for wrong arguments, 69 if PostgreSQL is not installed.
set -euo pipefail

readonly superuser=graft
readonly not_installed=69

fail() {
  printf 'cluster.bash: %s\n' "$1" >&2
  exit "${2:-1}"
}

# Prints the folder with the programs of the server: from PATH, or else the newest version in Debian's folder.
find_programs() {
  local program folder
  if program=$(command -v initdb) && [ -x "$(dirname "$(readlink_all "$program")")/postgres" ]; then
    dirname "$(readlink_all "$program")"
    return
  fi
  while IFS= read -r folder; do
    if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then
      printf '%s\n' "$folder"
      return
    fi
  done < <(printf '%s\n' /usr/lib/postgresql/*/bin | sort -t / -k 5 -n -r)
  fail "PostgreSQL is not installed (no 'initdb' in PATH or /usr/lib/postgresql): apt-get install postgresql, or brew install postgresql" "$not_installed"
}

# Follows symbolic links. Some systems have no 'readlink -f'.
readlink_all() {
  local path=$1 target
  while target=$(readlink "$path"); do
    case $target in
    /*) path=$target ;;
    *) path=$(dirname "$path")/$target ;;
    esac
  done
  printf '%s\n' "$path"
}

# The user that runs the server.
server_user() {
  if [ "$(id -u)" -ne 0 ]; then
    id -un
  elif [ -n "${GRAFT_POSTGRES_USER:-}" ]; then
    printf '%s\n' "$GRAFT_POSTGRES_USER"
  elif id postgres >/dev/null 2>&1; then
    echo postgres
  else
    echo nobody
  fi
}

# Closes files that the caller left open. Background processes would keep them open, and the caller may wait until they are closed.
# 255 is the script itself.
close_inherited() {
  local descriptor
  for descriptor in /dev/fd/*; do
    descriptor=${descriptor##*/}
    if [ "$descriptor" -gt 2 ] && [ "$descriptor" -lt 255 ]; then eval "exec $descriptor>&-" 2>/dev/null || true; fi
  done
}

# Runs a program as the user that runs the server, in a folder that this user can read.
as_server() {
  local user
  user=$(server_user)
  if [ "$(id -u)" -ne 0 ]; then
    (cd / && "$@")
  elif command -v setpriv >/dev/null; then
    (cd / && setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@")
  elif command -v runuser >/dev/null; then
    (cd / && runuser -u "$user" -- "$@")
  else
    (cd / && su -s /bin/sh "$user" -c "$(printf '%q ' "$@")")
  fi
}

# Makes a folder and prints its path, which is short: the path of a socket has at most about 100 characters.
make_folder() {
  local parent=${TMPDIR:-/tmp} folder
  if [ "${#parent}" -gt 60 ] || [ "$(id -u)" -eq 0 ]; then parent=/tmp; fi
  folder=$(mktemp -d "${parent%/}/graft-postgresql-XXXXXX")
  if [ "$(id -u)" -eq 0 ]; then chown "$(server_user)" "$folder"; fi
  printf '%s\n' "$folder"
}

# Makes sure that a folder belongs to a cluster of this script, before anything in it is killed or removed.
check_folder() {
  case $(basename "$1") in
  graft-postgresql-*) ;;
  *) fail "'$1' is not a folder of a cluster" 2 ;;
  esac
  if [ ! -d "$1" ]; then fail "there is no folder '$1'"; fi
}

initialize() {
  local programs=$1 folder=$2
  as_server "$programs/initdb" --pgdata "$folder/data" --username "$superuser" --auth trust --encoding UTF8 \
    --no-locale >"$folder/initdb.log" 2>&1 || fail "initdb failed: $(tail -n 3 "$folder/initdb.log")"
  as_server tee "$folder/data/pg_hba.conf" >/dev/null <<'RULES'
local all +with_password scram-sha-256
local all all            trust
RULES
  as_server tee -a "$folder/data/postgresql.conf" >/dev/null <<SETTINGS
port = 5432
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 200
shared_buffers = 64MB
SETTINGS
}

launch() {
  local programs=$1 folder=$2
  (
    close_inherited
    as_server "$programs/pg_ctl" start --pgdata "$folder/data" --log "$folder/server.log" --wait --silent
  ) </dev/null >/dev/null 2>&1 || fail "the server did not start: $(tail -n 5 "$folder/server.log")"
}

# Whether a process runs. A process that has ended does not, even if its parent has not noticed yet.
is_running() {
  kill -0 "$1" 2>/dev/null && [ "$(ps -o stat= -p "$1" 2>/dev/null | cut -c 1)" != Z ]
}

# Prints the number of the server's process; nothing if the server does not run.
server_pid() {
  local pid
  pid=$(as_server head -n 1 "$1/data/postmaster.pid" 2>/dev/null || true)
  if [ -n "$pid" ] && is_running "$pid"; then printf '%s\n' "$pid"; fi
}

# Prints the processes that the server started. They may outlive it for a moment.
children() { ps -e -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }'; }

kill_server() {
  local folder=$1 pid processes process tries
  pid=$(server_pid "$folder")
  if [ -z "$pid" ]; then return; fi
  processes=$(children "$pid")
  kill -KILL "$pid"
  # A new server refuses to start while one of these processes uses the shared memory.
  for process in $pid $processes; do
    tries=0
    while is_running "$process"; do
      tries=$((tries + 1))
      if [ "$tries" -eq 20 ]; then kill -KILL "$process" 2>/dev/null || true; fi
      if [ "$tries" -gt 200 ]; then fail "process $process of the server does not end"; fi
      sleep 0.05
    done
  done
  # A new server does not start while the old process still exists, even if it has only ended without its parent noticing.
  if kill -0 "$pid" 2>/dev/null; then
    as_server rm -f "$folder/data/postmaster.pid" "$folder/.s.PGSQL.5432.lock"
  fi
}

stop_cluster() {
  local folder=$1 programs
  programs=$(find_programs)
  if [ -n "$(server_pid "$folder")" ]; then
    as_server "$programs/pg_ctl" stop --pgdata "$folder/data" --mode immediate --wait --silent >/dev/null 2>&1 ||
      kill_server "$folder"
  fi
  rm -rf -- "$folder"
}

# Stops the cluster when a process ends.
watch_process() {
  local folder=$1 pid=$2
  (
    close_inherited
    while is_running "$pid" && [ -d "$folder" ]; do sleep 1; done
    if [ -d "$folder" ]; then stop_cluster "$folder"; fi
  ) </dev/null >/dev/null 2>&1 &
  disown
}

start_cluster() {
  local watched="" programs folder
  if [ "${1:-}" = --while ]; then watched=${2:?the number of a process}; fi
  programs=$(find_programs)
  folder=$(make_folder)
  if [ -n "$watched" ]; then watch_process "$folder" "$watched"; fi
  initialize "$programs" "$folder"
  launch "$programs" "$folder"
  printf '%s\n' "$folder" "postgresql://$superuser@/postgres?host=$folder&port=5432"
}

restart_cluster() {
  local folder=$1 programs
  programs=$(find_programs)
  if [ -n "$(server_pid "$folder")" ]; then
    as_server "$programs/pg_ctl" stop --pgdata "$folder/data" --mode fast --wait --silent >/dev/null 2>&1 ||
      fail "the server does not stop"
  fi
  launch "$programs" "$folder"
}

case "${1:-}" in
available) find_programs >/dev/null ;;
start)
  shift
  start_cluster "$@"
  ;;
kill | restart | stop)
  if [ $# -ne 2 ]; then fail "usage: cluster.bash $1 FOLDER" 2; fi
  check_folder "$2"
  case $1 in
  kill) kill_server "$2" ;;
  restart) restart_cluster "$2" ;;
  stop) stop_cluster "$2" ;;
  esac
  ;;
*) fail "usage: cluster.bash start [--while PID] | kill FOLDER | restart FOLDER | stop FOLDER | available" 2 ;;
esac
