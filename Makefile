# The front door. Everything real is in CMakeLists.txt; this installs what is missing, configures
# and builds, so that a fresh Debian machine needs only `make`.

PREFIX ?= /usr/local

SECONDS ?= 480

.PHONY: demo build test playground docs soak fuzz coverage mutate bench bench-peers python wheel install deb static dist format tidy clean

demo: build
	build/carom solve examples/newton_cradle.yaml

build:
	@scripts/dependencies build
	@cmake --preset release > /dev/null
	@cmake --build --preset release

test:
	@scripts/dependencies test
	@scripts/test

# The program in a page, for any browser: build/playground/index.html (and carom.wasm).
playground:
	@scripts/dependencies playground
	@scripts/playground

# The documents as a site, in build/site.
docs:
	@scripts/dependencies docs
	@scripts/docs
	@echo build/site/index.html

soak:
	@scripts/dependencies test
	@cmake --preset release -DCAROM_TESTS=ON -DCAROM_BENCH=ON > /dev/null
	@cmake --build --preset release
	@scripts/soak

# Each target of tests/fuzz for SECONDS.
fuzz:
	@scripts/dependencies fuzz
	@scripts/fuzz all $(SECONDS)

coverage:
	@scripts/dependencies test
	@scripts/dependencies coverage
	@scripts/coverage

mutate:
	@scripts/dependencies test
	@cmake --preset release -DCAROM_TESTS=ON > /dev/null
	@cmake --build --preset release
	@scripts/mutate

bench:
	@scripts/dependencies test
	@cmake --preset release -DCAROM_BENCH=ON -DCAROM_PYTHON=ON > /dev/null
	@cmake --build --preset release
	@scripts/bench

bench-peers:
	@scripts/dependencies test
	@scripts/dependencies peers
	@cmake --preset release -DCAROM_BENCH=ON > /dev/null
	@cmake --build --preset release
	@scripts/bench-peers

# An environment with the package at build/python (its bin/python); a wheel in build/wheel.
python:
	@scripts/dependencies python
	@scripts/python venv

wheel:
	@scripts/dependencies python
	@scripts/python wheel

install: build
	cmake --install build --prefix $(PREFIX)

# Debian packages, in build-deb/.
deb:
	@scripts/dependencies deb
	@scripts/deb

# The program as one file that runs on any Linux of this processor, build-static/carom; no modules.
static:
	@scripts/dependencies build
	@scripts/static

# The source as an archive that builds without git, in build-dist/.
dist:
	@scripts/dist

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

tidy: build
	git ls-files 'src/*.c' | xargs clang-tidy -p build --quiet

clean:
	rm -rf build build-*
