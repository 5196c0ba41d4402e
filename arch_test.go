package plastic_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestArrowsAreThoseOfArchitecture reads the table in ARCHITECTURE.md and holds
// it against the imports of every package: a new arrow is a visible edit.
func TestArrowsAreThoseOfArchitecture(t *testing.T) {
	want := table(t)
	for name, got := range imports(t) {
		if !slices.Equal(got, want[name]) {
			t.Errorf("%s imports %v, ARCHITECTURE.md says %v", name, got, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("ARCHITECTURE.md names %s, which is no package", name)
	}
}

// TestArrowsGoDownOnly holds every import against the floors.
func TestArrowsGoDownOnly(t *testing.T) {
	floor := func(pkg string) int {
		switch {
		case pkg == "memory", pkg == "internal/handfile":
			return 0
		case pkg == "layers", pkg == "tokenize", pkg == "config", pkg == "internal/answer":
			return 1
		case pkg == "plastic":
			return 3
		case pkg == "internal/banktest": // beside the house, for tests
			return 4
		case strings.HasPrefix(pkg, "cmd/plastic/internal/"):
			return 4
		case strings.HasPrefix(pkg, "cmd/"), strings.HasPrefix(pkg, "testdata/"):
			return 5
		}
		return 2
	}
	for pkg, got := range imports(t) {
		for _, to := range got {
			if strings.Contains(to, ".") || strings.HasPrefix(to, "testdata/") {
				continue
			}
			if floor(to) >= floor(pkg) && !(floor(pkg) == 5 && floor(to) == 5) {
				t.Errorf("%s (floor %d) imports %s (floor %d)", pkg, floor(pkg), to, floor(to))
			}
		}
	}
}

// TestHallOpensNoNetwork keeps network clients out of the package and its rooms.
func TestHallOpensNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "plastic").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		if dep == "net" || dep == "net/http" || dep == "crypto/tls" {
			t.Errorf("the hall links %s", dep)
		}
	}
}

// TestTheBinaryCarriesItsZones: a container without zone files counts local time all the same.
func TestTheBinaryCarriesItsZones(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "plastic/cmd/plastic").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if !slices.Contains(strings.Fields(string(out)), "time/tzdata") {
		t.Error("the program does not link time/tzdata")
	}
}

// table gives, by package, its sorted imports as ARCHITECTURE.md lists them.
func table(t *testing.T) map[string][]string {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	_, after, _ := strings.Cut(string(text), "| package | project | modules |\n|---|---|---|\n")
	for line := range strings.Lines(after) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 {
			break
		}
		names := strings.Fields(strings.NewReplacer("`", "", ",", " ", "–", " ").Replace(cells[1] + " " + cells[2]))
		slices.Sort(names)
		want[strings.Trim(strings.TrimSpace(cells[0]), "`")] = names
	}
	if len(want) == 0 {
		t.Fatal("no table in ARCHITECTURE.md")
	}
	return want
}

// imports gives, by package, its sorted imports of project packages and modules.
func imports(t *testing.T) map[string][]string {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, imp := range p.Imports {
			switch {
			case imp == "plastic":
				names = append(names, imp)
			case strings.HasPrefix(imp, "plastic/"):
				names = append(names, strings.TrimPrefix(imp, "plastic/"))
			case strings.Contains(strings.Split(imp, "/")[0], "."):
				names = append(names, module(imp))
			}
		}
		slices.Sort(names)
		all[strings.TrimPrefix(p.ImportPath, "plastic/")] = slices.Compact(names)
	}
	return all
}

// module is a foreign package's name without the part inside its repository.
func module(imp string) string {
	parts := strings.Split(imp, "/")
	switch parts[0] {
	case "github.com":
		return path.Join(parts[:3]...)
	case "golang.org":
		return path.Join(parts[:3]...)
	}
	return imp
}
