#!/usr/bin/env bash
# Takes docs/simulator.png: a fresh standalone installation, a short conversation, Chromium.
# Needs the binary of `cargo build`, chromium, curl.
set -euo pipefail
cd "$(dirname "$0")/.."
bot=${BOT:-target/debug/bot}
port=${PORT:-18099}
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
DATA_DIR="$folder/data" PORT="$port" DEBOUNCE_MS=300 RUST_LOG=warn "$bot" >/dev/null &
server=$!
base="http://127.0.0.1:$port"
until curl -sf "$base/readyz" >/dev/null; do sleep 0.2; done
write() {
  curl -sf "$base/simulator/messages" -H 'X-Requested-With: lembra' -H 'Content-Type: application/json' \
    -d "{\"customer\":\"5511987650001\",\"text\":\"$1\"}"
  sleep 3
}
write 'oi, boa tarde!'
write 'qual o saldo?'
write 'esse bot é uma porra, não funciona NADA'
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
  --disable-background-networking --disable-component-update --disable-sync \
  --user-data-dir="$folder/chromium" --window-size="${SIZE:-1440,900}" --virtual-time-budget=4000 \
  --screenshot="${OUT:-docs/simulator.png}" "$base/simulator" 2>/dev/null
