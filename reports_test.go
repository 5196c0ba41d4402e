package plastic_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/reports*.md say of each report from the field what must hold here and which tests
// hold it, as "package: TestName, TestOther; script-name". A test that is renamed or taken out
// is missed here.
func TestEveryReportHasItsTest(t *testing.T) {
	tables, err := filepath.Glob(filepath.Join("testdata", "reports*.md"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no table of reports: %v", err)
	}
	tests := testsIn{}
	seen := map[string]string{}
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for line := range strings.Lines(string(text)) {
			entry, named, ok := reportRow(line)
			if !ok {
				continue
			}
			rows++
			if seen[entry] != "" {
				t.Errorf("%s: report %s stands in %s already", table, entry, seen[entry])
			}
			seen[entry] = table
			if err := tests.have(named); err != nil {
				t.Errorf("%s: report %s: %v", table, entry, err)
			}
		}
		if rows == 0 {
			t.Errorf("%s has no row", table)
		}
	}
}

// reportRow reads "| 7 | what must hold | tests |"; other lines are no rows.
func reportRow(line string) (entry, tests string, ok bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	if len(cells) != 3 {
		return "", "", false
	}
	entry = strings.TrimSpace(cells[0])
	return entry, strings.ReplaceAll(cells[2], "`", ""), entry != "" && strings.Trim(entry, "0123456789") == ""
}

// testsIn holds the names of the tests of packages, by folder, once they were read.
type testsIn map[string]map[string]bool

// have fails unless every test that is named is in the tree, and at least one is.
func (p testsIn) have(named string) error {
	n := 0
	var errs []error
	for _, group := range strings.Split(named, ";") {
		dir, names, inPackage := strings.Cut(group, ":")
		if !inPackage {
			names = group
		}
		for _, name := range strings.Split(names, ",") {
			name = strings.TrimSpace(name)
			if name == "" {
				continue
			}
			n++
			var err error
			if inPackage {
				err = p.hasTest(strings.TrimSpace(dir), name)
			} else {
				_, err = os.Stat(filepath.Join("cmd", "plastic", "testdata", "script", name+".txtar"))
			}
			errs = append(errs, err)
		}
	}
	if n == 0 {
		return errors.New("names no test")
	}
	return errors.Join(errs...)
}

// hasTest fails unless the package has the test; "plastic" is the root's.
func (p testsIn) hasTest(pkg, name string) error {
	dir := filepath.FromSlash(pkg)
	if pkg == "plastic" {
		dir = "."
	}
	if p[dir] == nil {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return err
		}
		p[dir] = map[string]bool{}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range parsed.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
					p[dir][f.Name.Name] = true
				}
			}
		}
	}
	if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") || !p[dir][name] {
		return fmt.Errorf("package %s has no test %s", pkg, name)
	}
	return nil
}
