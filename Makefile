# The tests are `go test ./...`; these are the heavier suites.
.PHONY: build test race fuzz bench quality year e2e clones meaning bounds damage

build:   ## one static binary, ./plastic
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o plastic ./cmd/plastic

test:    ## the whole test
	go test ./...

race:    ## the whole test under the race detector
	go test -race -skip HardlyAllocates ./...

FUZZTIME ?= 20s
fuzz:    ## every fuzz target for FUZZTIME each
	@set -e; for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; done

SIZES ?= 1000,10000,100000
bench:   ## speed and size beside the peers, as ratios; SIZES=1000000 for the largest
	cd bench && go run . -sizes $(SIZES)

quality: ## recall on conversations: make quality DATA=dir
	PLASTIC_DATA=$(abspath $(DATA)) go test -v -count=1 -run '^Test(Quality|MeasureProximity)$$' .
	PLASTIC_DATA=$(abspath $(DATA)) go test -v -count=1 -run '^TestMeasure' ./internal/index

YEAR ?= year.svg
year:    ## a bot's year without forgetting, with compression, with sleep: a table, and a picture in YEAR
	PLASTIC_YEAR=$(abspath $(YEAR)) go test -v -count=1 -run '^TestYear$$' .

e2e: build ## real clients drive the binary; a part whose program is not there is left out
	@if command -v npm >/dev/null; then cd e2e/mcp && npm ci --silent --no-audit --no-fund && PLASTIC=../../plastic npm test; \
	else echo "e2e/mcp is left out: there is no npm"; fi

meaning: build ## recall by meaning with real vectors, beside words: recall@5 of both, blended and by RRF
	cd e2e/model && npm ci --silent --no-audit --no-fund --ignore-scripts && PLASTIC=../../plastic npm test

clones:  ## git: clones live through a thousand random operations each and are merged in every way
	go test -count=1 -timeout 20m -v -run '^TestClones' ./cmd/plastic -long

bounds:  ## what each verb costs, in time, memory and disk, where a folder is as large as any; hostile clients in numbers
	go test -count=1 -timeout 20m -v -run '^TestBounds' ./cmd/plastic -long

CHECKS ?= 500
damage:  ## every damage to every file, and CHECKS times several at once: named, mended, nothing lost
	go test -count=1 -timeout 30m -v -run '^Test(EveryDamage|SeveralDamages)' . -long -rapid.checks=$(CHECKS) | grep -v '^ *\(---\|===\) *\(RUN\|PASS\)'
