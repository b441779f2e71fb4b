# syntax=docker/dockerfile:1
# Debian rather than Alpine: the embedded ClickHouse needs glibc.

# What runs: no tool of development, no package manager's cache.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    OPS_PORT=9464 \
    DATA_DIR=/data
WORKDIR /app
RUN install --directory --owner=node --group=node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY clients/typescript clients/typescript
COPY loaders loaders
COPY server server
COPY sql sql
COPY workers workers
USER node
VOLUME /data
# the operations port is for this container alone: its health check, and what joins its network
EXPOSE 8080
# ready, and not only live: it answers from data. The first start builds or migrates it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, so that SIGTERM reaches it and it drains
CMD ["node", "--import", "tsx", "server/main.ts"]
