package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plastic"
	"plastic/internal/banktest"
)

func TestContractOfTheCommandLine(t *testing.T) {
	banktest.Contract(t, func(t *testing.T) banktest.Door {
		dir := filepath.Join(t.TempDir(), "memory")
		if err := plastic.Init(dir, plastic.InitOptions{}); err != nil {
			t.Fatal(err)
		}
		return cliDoor{t, dir}
	})
}

type cliDoor struct {
	t   *testing.T
	dir string
}

// run calls a verb with --json; out, if not nil, takes the answer. Exit code and
// error must agree.
func (d cliDoor) run(out any, audience string, args ...string) (code string) {
	d.t.Helper()
	var stdout, stderr bytes.Buffer
	argv := append([]string{"plastic", "--json", "--dir", d.dir, "--audience", audience}, args...)
	exit := run(argv, strings.NewReader(""), &stdout, &stderr, os.Environ())
	if exit == 0 {
		if out != nil {
			if err := json.Unmarshal(stdout.Bytes(), out); err != nil {
				d.t.Errorf("%v: not JSON: %q", args, stdout.String())
			}
		}
		return ""
	}
	if stdout.Len() > 0 {
		d.t.Errorf("%v failed and wrote to stdout: %q", args, stdout.String())
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	var f struct{ Error, Code string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &f); err != nil || f.Code == "" {
		d.t.Errorf("%v: no failure as programs read it: %q", args, stderr.String())
	}
	want := map[string]int{"usage": 2, "invalid": 2, "not_found": 3, "ambiguous": 3, "busy": 4}[f.Code]
	if want == 0 {
		want = 1
	}
	if exit != want {
		d.t.Errorf("%v: code %s with exit %d", args, f.Code, exit)
	}
	return f.Code
}

func (d cliDoor) Remember(audience, text string, private bool) (string, string, string) {
	var out struct{ ID, Outcome string }
	code := d.run(&out, audience, "remember", "--private="+strconv.FormatBool(private), "--", text)
	return out.ID, out.Outcome, code
}

type listed struct{ Memories []struct{ ID string } }

func (l listed) ids() (ids []string) {
	for _, m := range l.Memories {
		ids = append(ids, m.ID)
	}
	return ids
}

func (d cliDoor) Recall(audience, query string) ([]string, string) {
	var out listed
	code := d.run(&out, audience, "recall", "--", query)
	return out.ids(), code
}

func (d cliDoor) Update(audience, id, text string) string {
	return d.run(nil, audience, "update", id, "--content", text)
}

func (d cliDoor) Forget(audience, id string) string { return d.run(nil, audience, "forget", id) }

func (d cliDoor) List(audience string) ([]string, string) {
	var out listed
	code := d.run(&out, audience, "list")
	return out.ids(), code
}

func (d cliDoor) Prompt(audience, query string) (string, string) {
	var out struct{ Section string }
	code := d.run(&out, audience, "prompt", "--", query)
	return out.Section, code
}
