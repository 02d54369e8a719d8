# syntax=docker/dockerfile:1
# Both programs in one small image, run by a user without rights. `bot` is what it starts; the worker is
# the same image with the command `worker`.
#
#   docker build -t lembra .

# As in rust-toolchain.toml; a test compares them.
ARG RUST_VERSION=1.95.0

FROM rust:${RUST_VERSION}-slim-bookworm AS build
WORKDIR /src
COPY . .
# What is compiled once stays in the builder's caches, not in a layer.
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo build --release --locked --package lembra-bot --package lembra-worker --bins \
    && install -D -t /out/bin target/release/bot target/release/worker \
    && install -d /out/data

# glibc, certificates of public authorities and time zones; no shell and no package manager.
FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="Lembra" \
      org.opencontainers.image.description="A WhatsApp agent that remembers its customers" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/bin/ /usr/local/bin/
COPY --from=build --chown=65532:65532 /out/data /data
ENV HOST=0.0.0.0 \
    WORKER_HOST=0.0.0.0 \
    DATA_DIR=/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080 8081
# The worker's container asks `bot health --worker`; see compose.yaml.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["/usr/local/bin/bot", "health"]
CMD ["/usr/local/bin/bot"]
