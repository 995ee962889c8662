# Everything a developer types. `make` alone lists the targets.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
PACKAGES ?= ./...
# Cloud Storage is spoken to over HTTPS alone: without the modules of its gRPC side 147 packages
# fewer are compiled, and the binary is a quarter smaller.
export GOFLAGS += -tags=disable_grpc_modules
# go.mod names the Go that builds and tests. An older go command fetches it by the module proxy,
# also where its own settings say that it should not.
export GOTOOLCHAIN ?= auto
# Fuzzing: executions, or a duration such as 10m, per target, and a regular expression of the targets.
FUZZTIME ?= 1000000x
TARGETS ?= Fuzz[A-Za-z0-9_]+
# What go test -fuzz compiles with, for our own code alone: libraries are not compiled anew,
# and an input counts as new where it takes a new path of ours.
COVERED := -gcflags=./...=-d=libfuzzer
# Benchmarks: a regular expression of those to run.
BENCH ?= .
# Sizes of the tables that apply is measured on.
SIZES ?= 100MB
# Soaking: how many schedules from which seed, every how many'th pair of faults,
# how many kills, how many storms of 100 copies, how many edits of a folder.
SCHEDULES ?= 1000000
SEED ?= 0
PAIRS ?= 1
KILLS ?= 500
STORMS ?= 500
EDITS ?= 2000
# Which of the tests that apply the configuration.
APPLIES ?= TestApply
# Mutation testing: the room, and how it is called.
ROOM ?= shared/bucket
GREMLINS ?= github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0

.PHONY: help demo run build profile package test golden race screenshots lint tidy-check fuzz soak mutate bench eval pipeline-demo pipeline-test pipeline-check terraform-check terraform-apply deploy smoke destroy ahead check

# List the targets.
help:
	@awk '/^# /{note=substr($$0,3)} /^[a-z-]+:/{split($$1,t,":"); printf "  make %-12s %s\n", t[1], note}' Makefile

# Without what debuggers read, the binary is a quarter smaller and linked sooner. Stack traces stay.
STRIPPED := -ldflags='-s -w'

# A sentence becomes a plan, a CSV is changed by it once, and you see the record.
demo:
	@echo "The first run compiles everything, about two minutes; later ones start at once."
	@$(GO) run $(STRIPPED) ./functions/planwright demo

# Serve the whole product on this machine, under ./local.
run:
	@echo "The first run compiles everything, about two minutes; later ones start at once."
	@GOGC=400 $(GO) list -export -deps ./functions/planwright >/dev/null
	@$(GO) run $(STRIPPED) ./functions/planwright serve

BINARY ?= dist/planwright

# Build the one binary, dist/planwright, by the profile of what apply spends its time on.
build:
	@echo "The first build compiles everything by that profile, about three minutes; later ones are quick."
	@$(GO) build $(STRIPPED) -pgo=functions/planwright/apply.pgo -o $(BINARY) ./functions/planwright

# Take that profile anew. The tables and what becomes of them need 12 GB of disk.
profile:
	$(GO) run ./functions/planwright/bench -sizes 1GB -runs 10 -profile functions/planwright/apply.pgo

# The functions' source archives as Terraform uploads them: dist/{console,planner,executor,session,shops,sweeper}.zip.
package:
	$(GO) run ./terraform/archive

# A small heap is collected again and again, which is up to half of what a test takes, and a third
# of what compiling takes. Tests that measure memory ask for the usual percentage themselves.
# All of go vet is in make lint: neither run asks for a part of it again.
demo build package lint test race ahead soak pipeline-check: export GOGC = 400
# SQLite is C translated to Go. Its memory lies outside of Go's heap, where the race detector
# looks at nothing: instrumented, SQLite is only half as fast.
RACE := -race -gcflags=modernc.org/sqlite/lib=-race=false
# It looks at the packages in which anything runs side by side, or whose tests have it so.
RACED = $(addprefix ./,$(sort $(dir $(shell grep -rlE --include='*.go' '^\s*go [a-z]|errgroup|sync[.]|atomic[.]|synctest|httptest' functions shared terraform))))
# These compute on their own: the race detector runs only the tests in which goroutines share a value.
ALONE := ./shared/pricing/ ./shared/planning/reader/ ./shared/test/golden/
SHARING := TestSharedEngine|TestGoldenInstructions
race: PACKAGES = $(filter-out ./$(PIPELINE)/ $(ALONE),$(RACED))
# What holds the functions together compiles half of Google Cloud's libraries once more, and each of
# their tests links them; the adapters' tests wait for Google's emulator, which shares the processors.
# make race looks at all of it, make check at the rooms that the functions call.
CLOUD := ./shared/bucket/gcs ./shared/tablestore ./shared/firestoredb ./shared/ledger/firestore ./shared/sessions/firestore
ROOMS = $(filter-out $(addsuffix /%,./functions ./terraform $(CLOUD)),$(RACED)) ./functions/emulator/inbox/
check ahead: CHECKED = $(filter-out $(ALONE),$(ROOMS))

# Every test, in random order. Needs Go alone; with Java and the Firestore emulator, Firestore too.
test:
	$(GO) run ./shared/firestoretest/emulated $(GO) test -vet=off -timeout 20m -shuffle=on -count=1 $(PACKAGES)

# The packages whose tests compare with testdata/golden.
GOLDEN := ./shared/test/golden ./functions/planwright

# Write testdata/golden anew: what comes of tables, instructions, executions, commands and requests, as text. Commit it on its own, and say which lines changed and why.
golden:
	$(GO) test -vet=off -count=1 $(GOLDEN) -run TestGolden -update
	git --no-pager diff --stat -- testdata/golden

# The tests under the race detector, which needs a C compiler; without those that start processes, with smaller tables, and with files in memory where there is enough: the plain tests have used the disk.
race:
	@free=$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 {print $$4}' || true); \
	if [ "$${free:-0}" -gt 4000000 ]; then \
	  export GOTMPDIR=$${GOTMPDIR:-$${TMPDIR:-/tmp}} TMPDIR=$$(mktemp -d /dev/shm/planwright.XXXXXX); trap 'rm -rf "$$TMPDIR"' EXIT; fi; \
	set -x; CGO_ENABLED=1 $(GO) run ./shared/firestoretest/emulated $(GO) test $(RACE) -short -vet=off -timeout 20m -shuffle=on -count=1 $(PACKAGES); \
	CGO_ENABLED=1 $(GO) test $(RACE) -short -vet=off -timeout 20m -count=1 -run '$(SHARING)' $(ALONE)

# Every page of the console in both themes and at a phone's width, under dist/screenshots, and the README's picture. Needs Chromium.
screenshots:
	@mkdir -p dist/screenshots
	REQUIRE_CHROMIUM=1 CONSOLE_SCREENSHOTS=$(CURDIR)/dist/screenshots $(GO) test -count=1 ./functions/console
	cp dist/screenshots/readme.png functions/console/testdata/plan.png

# gofmt, go vet and staticcheck, which collects its garbage less often: that was half of its time.
lint:
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	staticcheck=$$($(GO) tool -n staticcheck); GOGC=200 $$staticcheck ./...

# go.mod and go.sum say what the code needs, no more and no less.
tidy-check:
	$(GO) mod tidy -diff

# Every fuzz target FUZZTIME times: make fuzz FUZZTIME=10000000x TARGETS=FuzzDecode
fuzz:
	@binary=$$(mktemp); trap 'rm -f "$$binary"' EXIT; corpus=$$($(GO) env GOCACHE)/fuzz/$$($(GO) list -m); \
	grep -roE '^func ($(TARGETS))\(' --include='*_test.go' functions shared \
	| sed -E 's|/[^/]+:func (.*)\(|:\1|' | sort | while IFS=: read -r package target; do \
	  echo "== $$package $$target"; \
	  $(GO) test -c $(COVERED) -o "$$binary" "./$$package"; \
	  (cd "$$package" && "$$binary" -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZTIME) \
	    -test.fuzzminimizetime 10x -test.fuzzcachedir "$$corpus/$$package"); \
	done

# Exactly once, at length: schedules, pairs of faults, kills, storms and full-size hostile tables. An hour or more.
soak:
	$(GO) test ./shared/execution/simulation -count=1 -timeout 0 -v -run 'TestSchedules|TestShops|TestFail' -schedules $(SCHEDULES) -seed $(SEED) -pairs $(PAIRS)
	$(GO) test ./shared/execution -count=1 -timeout 0 -v -run TestATornLog -every-cut
	$(GO) test ./shared/pricing -count=1 -timeout 0 -every-case
	$(GO) test ./shared/planning ./shared/planning/reader -count=1 -timeout 0 -every 1
	$(GO) test ./functions/session/simulation -count=1 -timeout 0 -v -run 'TestSchedules|TestShops|TestFail' -schedules $(SCHEDULES) -seed $(SEED) -pairs $(PAIRS)
	$(GO) test ./functions/emulator/inbox -count=1 -timeout 0 -v -run TestSimulation -schedules $$(($(SCHEDULES) / 50))
	$(GO) test ./functions/planwright -count=1 -timeout 0 -v -run 'TestKilled|TestManyCopies|TestHostileTables|TestEveryEdit|TestLives' -kills $(KILLS) -copies 100 -rounds $(STORMS) -edits $(EDITS) -lives 100 -heavy

# Change the code of a room in small ways, one at a time, and list the changes that its own tests do not find: make mutate ROOM=shared/plan. Slow.
mutate:
	nice $(GO) run $(GREMLINS) unleash --output-statuses ltc --exclude-files '/' --timeout-coefficient 20 ./$(ROOM)

# Another build's planwright, to be measured beside this one's.
BESIDE ?=

# Go benchmarks with their allocations, then apply as a process beside other tools: make bench SIZES=100MB,1GB BESIDE=path/of/another/build
bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(PACKAGES)
	$(GO) run ./functions/planwright/bench -sizes $(SIZES) -beside "$(BESIDE)"

# The Terraform configuration: form, validity and tests, with the real providers, which are downloaded.
terraform-check:
	terraform -chdir=terraform init -backend=false -input=false
	terraform -chdir=terraform fmt -check -recursive -diff
	terraform -chdir=terraform validate
	terraform -chdir=terraform test

# Apply the configuration, with the real providers and gcloud, to a stand-in for Google that refuses what Google does; carry out an upload; take each role, wait and agent away. Three quarters of an hour; APPLIES='TestApply$$' takes nothing away.
terraform-apply:
	APPLY_TEST=1 $(GO) run ./shared/firestoretest/emulated $(GO) test ./terraform -count=1 -v -timeout 120m -parallel 4 -run '$(APPLIES)'

# Another installation than the first: its prefix, with terraform/PREFIX.tfvars and a state of its own.
PREFIX ?=
TERRAFORM := terraform -chdir=terraform
SELECT = $(TERRAFORM) workspace select -or-create $(or $(PREFIX),default)
VALUES = $(if $(PREFIX),-var-file=$(PREFIX).tfvars)

# Provision all of it in the project of terraform/terraform.tfvars. Again at any time: only differences are made.
deploy:
	$(TERRAFORM) init -input=false
	$(SELECT)
	$(TERRAFORM) apply $(VALUES)
	@$(TERRAFORM) output -raw next_steps

# One real plan and one real turn of goal planning, of the installation that make deploy made: what came, in what time, for how many tokens. Needs gcloud's credentials of somebody who may call both functions. The plan stays stored.
smoke:
	@$(SELECT) >/dev/null 2>&1; \
	$(GO) run ./functions/planwright/smoke -planner "$$($(TERRAFORM) output -raw planner_url 2>/dev/null)" -session "$$($(TERRAFORM) output -raw session_url 2>/dev/null)"

# Take it all down. Before: deletion_protection = false in terraform.tfvars, and make deploy.
destroy:
	$(SELECT)
	$(TERRAFORM) destroy $(VALUES)

# Score the planners on the instructions of shared/planning/eval/testdata; with credentials Gemini's too, RUNS times.
RUNS ?= 20
eval:
	@$(GO) run ./shared/planning/eval/score -runs $(RUNS)

# The pipeline is a module of its own, so that Apache Beam stays out of the product's.
PIPELINE := functions/pipeline
PIPELINE_SIZE ?= 1000000000
PIPELINE_KILLS ?= 100

# A table in ranges by several processes, in a fresh folder.
pipeline-demo:
	@echo "The first run compiles everything, about two minutes."
	@cd $(PIPELINE) && $(GO) build -o $(CURDIR)/dist/planwright-pipeline .
	@dist/planwright-pipeline --demo .

# Output, changes and audit in 1, 3 and 8 ranges beside the executor's, of tables of PIPELINE_SIZE bytes, and PIPELINE_KILLS kills.
pipeline-test:
	cd $(PIPELINE) && $(GO) test -count=1 -timeout 0 -v -run 'TestSameBytes' -size $(PIPELINE_SIZE) .
	cd $(PIPELINE) && $(GO) test -count=1 -timeout 0 -v -run 'TestKilled' -kills $(PIPELINE_KILLS) .

# The pipeline's module: vet, staticcheck, go.mod and its tests over small tables.
pipeline-check:
	staticcheck=$$($(GO) tool -n staticcheck); cd $(PIPELINE); $(GO) vet . ; $$staticcheck . ; $(GO) mod tidy -diff; $(GO) test -count=1 .

# Fuzz targets run over their corpora in the tests. The search for new inputs is
# random, and a gate that fails at random stops unrelated work: it is `make fuzz`.

# Compile, without linking, what race and pipeline-check need beside the plain tests.
ahead:
	CGO_ENABLED=1 nice -n 19 $(GO) list $(RACE) -test -export $(CHECKED) $(ALONE)
	cd $(PIPELINE) && nice -n 19 $(GO) list -test -export .

# On a fresh machine half of a check is compiling. So what the later steps need is compiled while
# the plain tests wait for processes, browsers and timers. What does not compile is reported by
# the step that needs it: here nothing is said of it.

# Exactly what continuous integration runs.
check: lint tidy-check
	@$(MAKE) ahead >/dev/null 2>&1 & ahead=$$!; trap 'kill $$ahead 2>/dev/null || :' EXIT; \
	$(MAKE) --no-print-directory test; wait $$ahead || :; \
	$(MAKE) --no-print-directory race PACKAGES="$(CHECKED)"; \
	$(MAKE) --no-print-directory pipeline-check
