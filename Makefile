# Vitrine. `make help` lists what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
# One target at a time: SwiftPM locks its folder and uses all cores by itself.
.NOTPARALLEL:
.DEFAULT_GOAL := build

PREFIX ?= /usr/local
DESTDIR ?=
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
# A newer compiler may warn about more; that stops who develops, not who installs.
STRICT := -Xswiftc -warnings-as-errors
RELEASE := .build/release

.PHONY: help
help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: packages-run release fixtures ## Build, then make previews of fixtures/ in your own cache
	$(RELEASE)/vitrine prebuild fixtures --size normal,large
	@echo "The files in fixtures/bad are broken on purpose; each is named above with its reason."
	@echo "The pictures lie in $(CACHE)/thumbnails/normal and $(CACHE)/thumbnails/large."

.PHONY: test
test: packages-test lint fixtures ## Check everything: lint first, then all tests
	scripts/install-servers
	scripts/run-tests

.PHONY: fuzz
fuzz: packages-test fixtures ## Feed mutated input to all that reads strangers' bytes; FUZZ="TARGET …" FUZZ_SECONDS=60
	scripts/fuzz $(FUZZ)

.PHONY: fuzz-smoke
fuzz-smoke: packages-test fixtures ## The short part of it, which `make test` runs too
	scripts/run-tests --filter FuzzingTests

.PHONY: build
build: packages-build ## Build for development
	swift build $(STRICT)
	@scripts/stage "$$(swift build $(STRICT) --show-bin-path)"

.PHONY: release
release: packages-build ## Build for use
	@mkdir -p .build && touch .build/begun
	swift build -c release
	@scripts/stage "$$(swift build -c release --show-bin-path)"
	@mv .build/begun $(RELEASE)/built

# Who owns this folder builds, which is quick when nothing changed. Another, such as root by sudo, would leave files in it that
# its owner cannot replace.
.PHONY: install
install: ## Build, unless it is another's folder, and copy the program to DESTDIR and PREFIX (/usr/local)
	@if [ "$$(stat -c %u .)" = "$$(id -u)" ]; then $(MAKE) release; else scripts/check-built; fi
	scripts/install-tree $(RELEASE) "$(DESTDIR)$(PREFIX)" "$(PREFIX)"

.PHONY: uninstall
uninstall: ## Take away what install copied to DESTDIR and PREFIX; settings and previews stay
	scripts/uninstall-tree "$(DESTDIR)$(PREFIX)" "$(PREFIX)"

.PHONY: bench
bench: packages-run release ## Compare CPU time with each library in a tight loop
	$(RELEASE)/vitrine-bench $(BENCH)

.PHONY: peers
peers: packages-run release ## Compare with other programs on a folder: FOLDER=~/Documents PEERS="--rounds 3"
	@test -n "$(FOLDER)" || { echo "peers: say which folder of real files: make peers FOLDER=~/Documents" >&2; exit 2; }
	Benchmarks/peers/prepare .build/peers
	Benchmarks/peers/compare.py "$(FOLDER)" $(PEERS)

.PHONY: goldens
goldens: packages-test ## Write the golden pictures anew; look at them before you commit them
	VITRINE_UPDATE_GOLDENS=1 scripts/run-tests --filter Golden
	@git status --short fixtures/golden

.PHONY: fixtures
fixtures: ## Make the fixtures that are missing
	@fixtures/make-fixtures.py

.PHONY: lint
lint: toolchain ## Check format, forbidden constructs, manifests and scripts
	scripts/lint

.PHONY: format
format: toolchain ## Format all Swift sources
	git ls-files -z --cached --others --exclude-standard '*.swift' | xargs -0 swift format -i --configuration .swift-format

.PHONY: clean
clean: ## Remove what was built
	rm -rf .build Sources/VitrineKit/.build

.PHONY: toolchain
toolchain:
	@scripts/check-toolchain

.PHONY: packages-build packages-run packages-test
packages-build: toolchain
	@scripts/install-packages build
	@scripts/install-pdfium
packages-run: packages-build
	@scripts/install-packages run
packages-test: packages-run
	@scripts/install-packages test
	@scripts/install-pdfium --required
