# An image for platforms that score runs: docs/organisers.md. No entry point, since they name the whole command.
FROM python:3.11-slim
COPY . /src
RUN pip install --no-cache-dir /src && rm -rf /src
WORKDIR /app
