# The bot in a container. The first stage installs the locked packages and checks their hashes; the second has them and our
# code, and nothing to install more with. The base is named by its digest, so every build is the same;
# `docker buildx imagetools inspect python:3.13-slim` names the latest.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS packages
RUN python -m venv /venv
COPY requirements.lock .
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
# Without a token the container ends with an error, unless --sandbox is given. Everything that is kept lies in /data. The
# sandbox's page is for this machine only: docker run --network host … --sandbox
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GRAPHPAPER_CONTAINER=1 \
    GRAPHPAPER_SANDBOX_FOLDER=/data/sandbox
# The base's SQLite can damage a database to which two processes write; Debian's next release has one that is mended, and
# needs nothing else of it. Whether Python takes that one is asserted below.
RUN echo "deb http://deb.debian.org/debian forky main" > /etc/apt/sources.list.d/forky.list \
    && apt-get update && apt-get install --yes --no-install-recommends libsqlite3-0/forky \
    && rm -rf /etc/apt/sources.list.d/forky.list /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home graphpaper && install --directory --owner=graphpaper --mode=700 /data \
    && install --directory /run/secrets
COPY --from=packages /venv /venv
WORKDIR /app
COPY LICENSE pyproject.toml ./
COPY rendering rendering
COPY data data
COPY bot bot
COPY cogs cogs
RUN python -c "from data.upkeep import sole_writer; assert sole_writer.allows_two_writers(), 'SQLite is older than 3.51.3'"
# Its day tells whether an update has arrived: an image has no commit to name.
RUN python -m compileall -q bot cogs data rendering && date --utc +%F > BUILT
USER graphpaper
VOLUME /data
EXPOSE 9464
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
