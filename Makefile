# The tests are `go test ./...`; these are the heavier suites.
.PHONY: build test race fuzz bench quality year e2e clones meaning bounds damage faults

build:   ## one static binary, ./plastic
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o plastic ./cmd/plastic

test:    ## the whole test
	go test ./...

race:    ## the whole test under the race detector
	go test -race -skip HardlyAllocates ./...

# A run that is under way when its time is over fails with "context deadline exceeded": no fault.
FUZZTIME ?= 20s
fuzz:    ## every fuzz target for FUZZTIME each: how often it ran, and what was found
	@bad=0; n=0; sum=0; \
	for file in $$(grep -rl --include='*_test.go' '^func Fuzz' . | sort); do pkg=$$(dirname $$file); \
	  for f in $$(sed -n 's/^func \(Fuzz[^(]*\).*/\1/p' $$file); do \
	    out=$$(go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x -parallel 2 $$pkg 2>&1); ok=$$?; \
	    runs=$$(echo "$$out" | sed -n 's/.*execs: \([0-9]*\).*/\1/p' | tail -1); n=$$((n+1)); sum=$$((sum+$${runs:-0})); \
	    printf '%10s  %s %s\n' "$${runs:-0}" $$pkg $$f; \
	    if [ $$ok != 0 ] && echo "$$out" | grep -q 'Failing input\|seed corpus entry\|panic\|failed'; then bad=$$((bad+1)); echo "$$out" | grep -v '^fuzz: elapsed'; fi; \
	  done; done; echo "$$sum runs of $$n targets, $$bad with a fault"; [ $$bad = 0 ]

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

FAULTS ?= faults.md
faults:  ## kills, errors of every system call, power cuts, a crowd of hands: a table of runs, faults and losses in FAULTS (some minutes)
	@printf '| suite | runs | faults | lost |\n|---|---|---|---|\n' > $(FAULTS)
	@PLASTIC_FAULTS=$(abspath $(FAULTS)) go test -count=1 -p 1 -timeout 40m -run '^TestFaults' ./store ./cmd/plastic -long; failed=$$?; cat $(FAULTS); exit $$failed
