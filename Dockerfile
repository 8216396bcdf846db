# docker build -t data-brain .
# docker run -d --name data-brain --init -p 8000:8000 -v data-brain:/data data-brain
# docker logs data-brain        (the address, the account and the first password)

FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN node scripts/run.mjs stage /app

FROM node:24-slim
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
WORKDIR /app
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--max-old-space-size=1024", "server/dist/main.js"]
