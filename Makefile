# cupel: `make demo` shows it, `make test` checks it, `make check` is its quick part. Needs Go, make, git and, for the
# race detector, a C compiler.

GO         ?= go
TAGS       := urfave_cli_no_docs
BIN        := $(CURDIR)/.bin
LINT       := $(BIN)/golangci-lint
LINT_AT    := v2.15.0
RELEASER_AT := v2.16.0
SBOM_AT    := v1.10.0
AXE_AT     := 4.14.1
FUZZ_TIME  ?=
BENCH_TIME ?= 1s
MUTANTS    ?= 40
SEED       ?= 1
FILES      ?=
ALSO       ?=

.PHONY: build demo test check unit race vet fmt lint fuzz reproducible hooks test-clients audit bench mutants docs clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -o cupel .

demo: build
	@sh testdata/examples/demo.sh ./cupel

# What make test checks, one after the other; .ci/run asks for the list.
STEPS := fmt vet unit lint race fuzz reproducible hooks

test: compiler $(STEPS)
	@echo "make test: all checks passed"

.PHONY: steps
steps:
	@echo $(STEPS)

# What to run before each commit.
check: fmt vet unit lint

# Ask for the compiler first: a missing one would end the run after minutes.
.PHONY: compiler
compiler:
	@command -v $$($(GO) env CC) >/dev/null || { \
	  echo "make test: the race detector needs a C compiler and '$$($(GO) env CC)' is not there; install gcc or clang, or set CC" >&2; exit 1; }

unit:
	.ci/gotest -tags $(TAGS) ./...

# Without the second that a program under the detector sleeps at its end: transcripts run
# thousands of them.
race:
	packages=$$(.ci/concurrent $(TAGS)) && \
	CGO_ENABLED=1 GORACE="atexit_sleep_ms=10 $(GORACE)" .ci/gotest -race -tags $(TAGS) $$packages

# Every command gives equal bytes on busy processors and in an empty root: 200 runs of each, some ten minutes. Then every
# case of the tests of which `make test` runs a share.
LAWS ?= 200
.PHONY: laws
laws:
	.ci/laws $(LAWS) $(TAGS)

vet:
	$(GO) vet -tags $(TAGS) ./...

# gofumpt, as .golangci.yml has it.
fmt: $(LINT)
	$(LINT) fmt --diff

lint: $(LINT)
	$(LINT) run --build-tags $(TAGS) ./...

$(LINT): Makefile
	GOBIN=$(BIN) CGO_ENABLED=0 $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_AT)
	@touch $(LINT)

fuzz:
	.ci/fuzz $(FUZZ_TIME)

reproducible:
	.ci/reproducible

# The hooks under the real pre-commit program, where it can be installed.
hooks:
	.ci/hooks $(BIN)

# cupel lsp in Neovim, which has to be there; EDITOR_SKIP=1 leaves it out.
.PHONY: editor
editor: build
	.ci/editor

# Published SDKs of the attest protocol on this engine: their own tests, and every method.
test-clients:
	.ci/clients

# The module trace/beam, which stands by itself: builds cupel-beam and tests it. Needs the network
# for the libraries of Apache Beam, the first time. Flags are the same for all three, so that those are
# compiled once.
.PHONY: beam
beam:
	cd trace/beam && export CGO_ENABLED=0 && $(GO) build -tags $(TAGS) -o $(CURDIR)/cupel-beam . && \
	  $(GO) vet -tags $(TAGS) ./... && $(GO) test -tags $(TAGS) ./...

# The module commands/mcp, which stands by itself: builds cupel-mcp and tests it.
.PHONY: mcp
mcp:
	cd commands/mcp && export CGO_ENABLED=0 && $(GO) build -trimpath -tags $(TAGS) -o $(CURDIR)/cupel-mcp . && \
	  $(GO) vet -tags $(TAGS) ./... && $(GO) test -tags $(TAGS) ./...

# One answer from one run, from shards and from cupel-beam, and what each takes.
.PHONY: scale
scale: build beam
	sh testdata/scale/scale.sh ./cupel ./cupel-beam

# The recipe for Apache Spark in docs/scale.md, with its faults. Downloads 491 MB, deleted afterwards
# but for those in the folder SPARK, when it is given; needs Python and Java 17 or later.
.PHONY: spark
spark: build
	sh testdata/scale/spark.sh ./cupel $(SPARK)

# The pages of --format html in headless Chromium, where there is one: each is opened, walked through by
# keys, and looked at in both themes and on paper. Screenshots go to the folder PAGES_OUT. Without Chromium it
# fails, unless PAGES_SKIP is set. A module of its own, so that nothing else needs its libraries.
# axe, which looks for faults of accessibility, comes from the npm registry; AXE_SKIP leaves it out.
AXE        := $(BIN)/axe-$(AXE_AT)/package/axe.min.js
.PHONY: pages axe
pages: $(if $(AXE_SKIP),,axe)
	cd internal/page/browser && CGO_ENABLED=0 $(GO) vet -tags pages ./... && CGO_ENABLED=0 AXE=$(AXE) PAGES_OUT=$(PAGES_OUT) $(GO) test -tags pages -count 1 -timeout 20m

axe: $(AXE)

$(AXE):
	mkdir -p $(BIN)/axe-$(AXE_AT) && cd $(BIN)/axe-$(AXE_AT) && npm pack --silent axe-core@$(AXE_AT) && tar xzmf axe-core-$(AXE_AT).tgz

# verify.html, a file of a release: checks records in a browser, without a network. VERSION is the release's.
.PHONY: verify-page
verify-page:
	.ci/verify-page/make verify.html

# The documentation as pages, in the folder site-out: the documents of docs/, and a page for each rule and each
# command. Fails when a link within leads nowhere. A module of its own, so that nothing else needs its library.
.PHONY: site
site: build
	cd docs/site && export CGO_ENABLED=0 && $(GO) vet . && $(GO) test . && $(GO) run . -cupel $(CURDIR)/cupel -out $(CURDIR)/site-out

# Wheel and npm packages for this machine, made and installed as a user would: see .ci/packages/try.
.PHONY: packages action image windows release-check dist
packages:
	.ci/packages/try $(CURDIR)/packages-out $(BIN)

# action.yml as its runner would do it, and the snippets of docs/install.md.
action:
	.ci/action/try $(BIN)

# The image of the Dockerfile, built and used: see .ci/image.
image:
	.ci/image

# Every platform of a release is compiled, tests included, and Windows run under Wine where it is there.
windows:
	.ci/windows

release-check: $(BIN)/goreleaser
	$(BIN)/goreleaser check

# Everything of a release but its publication, in dist/release, from the commit at hand, in a clone that has
# its origin; then publication is played on it (.ci/release/try). goreleaser takes some five minutes and 3 GB of
# disk to build, the first time.
dist: $(BIN)/goreleaser
	.ci/release/make $(BIN)
	.ci/release/try

$(BIN)/goreleaser: Makefile
	GOBIN=$(BIN) CGO_ENABLED=0 $(GO) install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(SBOM_AT)
	GOBIN=$(BIN) CGO_ENABLED=0 $(GO) install github.com/goreleaser/goreleaser/v2@$(RELEASER_AT)
	@touch $@

# docs/report.png, the picture in the README: the page of a report in Chromium.
.PHONY: picture
picture: build
	@shot=$$(mktemp -d) && trap 'rm -rf "$$shot"' EXIT && \
	  { ./cupel trace verify --quiet --format html=$$shot/page.html testdata/examples/session/refund-removed.jsonl || [ $$? -eq 1 ]; } && \
	  chromium --no-sandbox --headless --hide-scrollbars --window-size=1100,1000 --screenshot=$$shot/shot.png file://$$shot/page.html 2>/dev/null && \
	  $(GO) run ./testdata/picture $$shot/shot.png docs/report.png && ls -l docs/report.png

# Known vulnerabilities, where their database can be reached, and licences.
audit:
	.ci/audit $(BIN)

# Go benchmarks, then the scripts that measure whole processes.
bench: build
	$(GO) test -run '^$$' -bench . -benchtime $(BENCH_TIME) -benchmem -tags $(TAGS) ./...
	@for script in testdata/bench/*.sh; do \
	  if [ -f "$$script" ]; then echo "== $$script"; sh "$$script" ./cupel || exit 1; fi; done

# Changes the code in MUTANTS places of each package, drawn by SEED, one after the other,
# in the files FILES alone where some are named, and prints the changes that the package's own
# tests do not notice, or those of the packages ALSO alone. See CONTRIBUTING.md.
MUTATED := ./internal/strictjson ./internal/jcs ./evidence/... ./trace/... ./attest/...

mutants:
	$(GO) test ./testdata/mutants
	@$(GO) run ./testdata/mutants -n $(MUTANTS) -seed $(SEED) -tags $(TAGS) -files "$(FILES)" -also "$(ALSO)" $(MUTATED)

# The generated documents: docs/cupel*.1, docs/rules.md, docs/engines.md, docs/evidence-classes.md, the examples of
# docs/library.md, and the list of messages in commands/testdata.
docs:
	$(GO) test -run TestGeneratedDocuments ./commands -update
	$(GO) test -run TestEngines ./trace -update

clean:
	rm -rf verify.html cupel cupel-beam cupel-mcp attest-engine .bin bench-out dist packages-out site-out
