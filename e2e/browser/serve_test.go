package browser_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServeRefusesAnOpenAddressWithoutAToken(t *testing.T) {
	dir := folder(t, "memory.json", few)
	for _, args := range [][]string{{"--listen", "0.0.0.0:0"}, {"--listen", ":0"}, {"--listen", ""}, {"--listen", "nowhere"}, {"--audience", "everyone"}} {
		cmd := exec.Command(binary, append([]string{"serve", "--dir", dir}, args...)...)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 2 || args[0] == "--listen" && !strings.Contains(string(out), "hint: ") {
			t.Errorf("serve %v: exit code %d: %s", args, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// An address beyond this machine that came in with the folder is not in force
// until it is allowed here: the usual one is taken, or found to be in use.
func TestServeListensNowhereThatGitSays(t *testing.T) {
	config := "server: {listen: '0.0.0.0:0', tokens: [{name: all, env: PLASTIC_TOKEN_ALL, audience: trusted}]}\n"
	cmd := exec.Command(binary, "serve", "--dir", folder(t, "memory.json", few, "config.yaml", config))
	cmd.Env = append(os.Environ(), "PLASTIC_LISTEN=", "PLASTIC_TOKEN_ALL=all-5c2f", "XDG_STATE_HOME="+t.TempDir())
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.Contains(line, "listening on http://127.0.0.1:7433"), strings.Contains(line, "127.0.0.1:7433 can not be listened on"):
			return
		case strings.Contains(line, "listening on"):
			t.Fatal(line)
		}
	}
	t.Fatal("it does not say where it listens")
}

func TestServeStopsByASignalAndEverythingIsOnDisk(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		dir := folder(t, "memory.json", few)
		var stopped *exec.Cmd
		url := serveAs(t, dir, func(cmd *exec.Cmd) { stopped = cmd })
		stream, err := http.Get(url + "/v1/events")
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Body.Close()
		res, err := http.Post(url+"/v1/memories", "application/json", strings.NewReader(`{"content":"the last thing said"}`))
		if err != nil || res.StatusCode != http.StatusCreated {
			t.Fatalf("%v, %v", res, err)
		}
		res.Body.Close()
		began := time.Now()
		if err := stopped.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := stopped.Wait(); err != nil {
			t.Errorf("after %v: %v", signal, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("the stop took %v", took)
		}
		if _, err := io.ReadAll(stream.Body); err != nil {
			t.Errorf("the stream ended with %v", err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "memory.json"))
		if err != nil || !strings.Contains(string(text), "the last thing said") {
			t.Errorf("memory.json: %v\n%s", err, text)
		}
	}
}

func TestTheClockOfServeRunsOnFromNow(t *testing.T) {
	url := serve(t, folder(t, "memory.json", few))
	now := func() time.Time {
		res, err := http.Get(url + "/v1/memories/search?q=tea&rehearse=false")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var got struct{ Now time.Time }
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		return got.Now
	}
	start := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	first := now()
	if first.Before(start) || first.After(start.Add(time.Minute)) {
		t.Fatalf("it is %v", first)
	}
	for deadline := time.Now().Add(10 * time.Second); !now().After(first); {
		if time.Now().After(deadline) {
			t.Fatal("the clock stands still")
		}
	}
}

// The MCP server of /mcp lists what whoever asks may use.
func TestServeAnswersMCP(t *testing.T) {
	url := serve(t, folder(t, "memory.json", few))
	tools := func(query string) string {
		ask := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
		r, err := http.NewRequest("POST", url+"/mcp"+query, strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("MCP-Protocol-Version", "2025-06-18")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %v: %s", res.StatusCode, err, text)
		}
		return string(text)
	}
	if all := tools(""); !strings.Contains(all, `"memory_recall"`) || !strings.Contains(all, `"memory_remember"`) {
		t.Errorf("the owner's tools: %s", all)
	}
	if few := tools("?public=true"); !strings.Contains(few, `"memory_recall"`) || strings.Contains(few, `"memory_remember"`) {
		t.Errorf("the public's tools: %s", few)
	}
}
