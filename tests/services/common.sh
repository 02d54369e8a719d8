# shellcheck shell=bash
# What `up`, `down` and `browser` share; sourced by both, not run by itself.
#
# State lives in tests/.services, which git ignores:
#   env              exports for the tests; TEST_PSQL is the path of psql
#   browser.env      the same of `browser`: LEMBRA_CHROMIUM and LEMBRA_CHROMEDRIVER, empty without a browser
#   postgres.state   the PostgreSQL that `up` started (absent when it started none)
#   redis.state      the Redis that `up` started
#   wheels/          binaries taken from PyPI; they outlive `down`, so a second `up` downloads nothing
# The data itself is in a folder of its own under TMPDIR: it must be reachable for the unprivileged user
# that PostgreSQL runs as, which a checkout under somebody's home is not, and a socket's path must be short.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
state_dir=$(dirname "$here")/.services
pg_state=$state_dir/postgres.state
redis_state=$state_dir/redis.state

# Settings of a developer's own PostgreSQL must not reach this one.
for name in "${!PG@}"; do unset "$name"; done
umask 022

say() { printf 'services: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

# One `up` or `down` at a time per checkout. The servers must not inherit descriptor 9: they would hold the lock.
lock() {
    mkdir -p "$state_dir"
    exec 9>"$state_dir/lock"
    flock 9
}

# as USER COMMAND...: COMMAND as USER; an empty USER is the current one. setpriv needs no PAM, which containers may lack.
as() {
    local user=$1
    shift
    if [ -z "$user" ]; then
        "$@" 9>&-
    elif command -v setpriv >/dev/null; then
        setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@" 9>&-
    else
        runuser -u "$user" -- "$@" 9>&-
    fi
}

# Only folders that `make_dir` of `up` made are removed, whatever a state file says.
remove_dir() {
    case $(basename "$1") in
    lembra-test.??????) rm -rf -- "$1" ;;
    esac
}

# redis_say PORT COMMAND: the raw answer; over bash's own TCP, since redis-cli may be absent.
redis_say() {
    (
        exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
        printf '%s\r\nQUIT\r\n' "$2" >&3
        timeout 2 cat <&3
    ) 2>/dev/null 9>&-
}

# Alive means: the very server of the state file answers, not another one that has got its port since.
pg_alive() {
    [ -f "$pg_state" ] || return 1
    (
        # shellcheck source=/dev/null
        . "$pg_state"
        "$BIN/psql" -X -q -h "$DIR" -p "$PORT" -U postgres -d postgres -c 'SELECT 1'
    ) >/dev/null 2>&1
}

redis_alive() {
    [ -f "$redis_state" ] || return 1
    (
        # shellcheck source=/dev/null
        . "$redis_state"
        redis_say "$PORT" 'CONFIG GET dir' | grep -qF "$DIR"
    )
}

# stop STATE_FILE PID_FILE WORKING_FOLDER SIGNAL; the two in the middle are relative to the server's folder.
stop() {
    [ -f "$1" ] || return 0
    (
        # shellcheck source=/dev/null
        . "$1"
        pid=$(head -n 1 "$DIR/$2" 2>/dev/null || true)
        # A process number is reused in time: the working folder tells that this one is still ours. It is read as the
        # server's user, since in a container root may not.
        if [ -n "$pid" ] && [ "$(as "$RUN_AS" readlink "/proc/$pid/cwd" 2>/dev/null)" = "$(realpath -m "$DIR/$3")" ]; then
            kill "-$4" "$pid" 2>/dev/null || true
            for _ in $(seq 200); do
                [ -d "/proc/$pid" ] || break
                sleep 0.05
            done
            [ ! -d "/proc/$pid" ] || kill -KILL "$pid" 2>/dev/null || true
        fi
        remove_dir "$DIR"
    )
    rm -f "$1"
}

# Neither saves anything (PostgreSQL calls this an immediate shutdown): the data is removed anyway.
stop_postgres() { stop "$pg_state" data/postmaster.pid data QUIT; }
stop_redis() { stop "$redis_state" redis.pid . KILL; }
