# The command with the workflow, in an image of two stages. docs/install.md and docs/organisers.md use it.
FROM python:3.13-slim AS build
RUN python -m venv /opt/nonresponse
COPY requirements.lock /src/
RUN /opt/nonresponse/bin/python -m pip install --no-cache-dir --quiet --require-hashes --requirement /src/requirements.lock
COPY . /src
RUN /opt/nonresponse/bin/python -m pip install --no-cache-dir --quiet --no-deps /src

FROM python:3.13-slim
COPY --from=build /opt/nonresponse /opt/nonresponse
ENV PATH=/opt/nonresponse/bin:$PATH HOME=/tmp
# Codabench and TIRA mount folders that only root may write to: build with --build-arg USER=root for them.
ARG USER=nobody
USER $USER
WORKDIR /data
ENTRYPOINT ["nonresponse"]
