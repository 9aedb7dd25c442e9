# carom as an image:  docker build -t carom . && docker run --rm -v "$PWD:/work" carom solve FILE.yaml
# Not tested here: written after the manuals, from packages that scripts/dependencies installs on Debian 12.
FROM debian:bookworm AS build
COPY . /source
WORKDIR /source
RUN scripts/dependencies build && cmake --preset release && cmake --build --preset release \
    && cmake --install build --prefix /usr/local

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libamd2 libcamd2 libyaml-0-2 libjansson4 libcairo2 \
    libhdf5-103-1 libnlopt0 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local /usr/local
RUN ldconfig
WORKDIR /work
ENTRYPOINT ["carom"]
