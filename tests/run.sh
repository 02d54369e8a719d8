#!/usr/bin/env bash
# The test command: checks and tests of the whole workspace, with the services that they need.
#
#   tests/run.sh [--fast] [ARGUMENT...]
#
#   --fast            leaves out the checks of format, lints and dependencies
#   ARGUMENT...       goes to the test runner, such as the name of a test; documentation tests are left out then
#   KEEP_SERVICES=1   leaves the services up at the end, for the next run; tests/services/down stops them
#
# Services that were up before stay up as well. Settings of the services: see tests/services/up; the browser of the
# browser tests: see tests/services/browser.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(pwd -P)

fast=
args=()
for arg; do
    if [ "$arg" = --fast ]; then fast=1; else args+=("$arg"); fi
done

step() { printf '== %s\n' "$*"; }

services() { cat tests/.services/*.state 2>/dev/null || true; }

before=$(services)
stop_services() {
    [ "${KEEP_SERVICES:-}" != 1 ] || return 0
    # Unchanged state: they were up already, for somebody who still counts on them.
    if [ -z "$before" ] || [ "$before" != "$(services)" ]; then
        "$root/tests/services/down"
    fi
}
trap stop_services EXIT

step "services up"
tests/services/up
# shellcheck source=/dev/null
. tests/.services/env

step "browser"
tests/services/browser
# shellcheck source=/dev/null
. tests/.services/browser.env

if [ -z "$fast" ]; then
    step "cargo fmt --check"
    cargo fmt --all --check

    step "cargo clippy"
    cargo clippy --workspace --all-targets --locked -- -D warnings

    if cargo deny --version >/dev/null 2>&1; then
        step "cargo deny check"
        cargo deny check
    else
        step "cargo deny check: skipped, cargo-deny is not installed"
    fi
fi

# The integration tests run these as processes; cargo builds no other package's binaries for them by itself.
step "cargo build of the binaries"
cargo build --workspace --bins --locked
bins=$(realpath "${CARGO_TARGET_DIR:-target}")/debug
export LEMBRA_BOT_BIN=$bins/bot LEMBRA_WORKER_BIN=$bins/worker

if cargo nextest --version >/dev/null 2>&1; then
    if [ ${#args[@]} -eq 0 ]; then
        # nextest does not run these.
        step "cargo test --doc"
        cargo test --doc --workspace --locked
    fi
    step "cargo nextest run"
    cargo nextest run --workspace --locked ${args[@]+"${args[@]}"}
else
    step "cargo test"
    cargo test --workspace --locked ${args[@]+"${args[@]}"}
fi
