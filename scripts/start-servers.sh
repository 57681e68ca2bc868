#!/usr/bin/env bash
# Starts what tests talk to, as Debian's packages install it, where it does not answer. What is missing is told by the tests.
set -uo pipefail

answers() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

# start <port> <program> <command …>
start() {
  local port=$1 program=$2
  shift 2
  if answers "$port"; then return; fi
  if ! command -v "$program" > /dev/null && [ ! -x "/usr/sbin/$program" ]; then
    echo "nothing answers at port $port, and there is no $program to start"
    return
  fi
  echo "starting $program"
  "$@" > /dev/null 2>&1
  for _ in $(seq 100); do
    if answers "$port"; then return; fi
    sleep 0.2
  done
  echo "$program does not answer at port $port"
}

background() { start-stop-daemon --start --oknodo --background --exec "$@"; }

# No test needs data that survives a crash of the machine, and waiting for the disk takes most of the time of many tests.
start 5432 pg_ctlcluster pg_ctlcluster --skip-systemctl-redirect -o "-c fsync=off -c full_page_writes=off" "$(ls /etc/postgresql 2> /dev/null | tail -1)" main start
start 3306 mariadbd background /usr/sbin/mariadbd -- --debug-no-sync --innodb-flush-method=nosync
start 6379 redis-server redis-server --daemonize yes --bind 127.0.0.1 --save "" --appendonly no
start 4222 nats-server background /usr/sbin/nats-server -- -a 127.0.0.1 -p 4222

# A MariaDB that ran before waits for the disk at each commit. It stops to, until it restarts, but only in CI: elsewhere it may have
# other databases.
if [ -n "${CI:-}" ] && command -v mariadb > /dev/null; then
  mariadb --host=127.0.0.1 --user=root --execute="set global innodb_flush_log_at_trx_commit = 0" 2> /dev/null || true
fi
