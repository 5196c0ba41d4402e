package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/cmd/plastic/internal/httpapi"
	"plastic/cmd/plastic/internal/mcpserver"
	"plastic/cmd/plastic/internal/schedule"
	"plastic/config"
	"plastic/memory"
)

// lag is how long memory.json may stay behind in the server; what was
// acknowledged is in the journal.
const lag = 500 * time.Millisecond

func (a *app) serveCmd() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer over HTTP, with a page for the browser",
		Long: "Serves the folder until it is interrupted: the routes of /v1/openapi.json and a\n" +
			"page at /. It listens on server.listen (127.0.0.1:7433). On this machine alone,\n" +
			"and with no server.tokens, whoever asks is the owner; once there is a token, a\n" +
			"request without one is public. Any other address needs a token.",
		Example: "  plastic serve\n  plastic serve --listen 127.0.0.1:8080",
		Args:    count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("listen") && listen == "" {
				return usage("--listen is empty", "leave it out, or give host:port")
			}
			return a.serve(cmd.Context(), listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "the `address` to listen on, host:port; port 0 takes a free one")
	return cmd
}

func (a *app) serve(ctx context.Context, listen string) (err error) {
	audience, err := memory.ParseAudience(a.flags.audience)
	if err != nil {
		return err
	}
	dir, clean, err := a.ready(writes)
	if err != nil {
		return err
	}
	defer clean()
	a.errs = &inTurn{w: a.errs}
	b, err := openServed(dir, plastic.Options{Now: a.running(), Notice: a.notice, Delay: lag})
	if err != nil {
		return err
	}
	defer func() {
		if e := b.Close(); err == nil {
			err = e
		}
	}()
	if err := a.setClock(location(b)); err != nil {
		return err
	}
	if listen == "" {
		if listen, err = a.address(b); err != nil {
			return err
		}
	}
	ln, err := httpapi.Listen(listen, b, a.env.get)
	if err != nil {
		return err
	}
	alarm, err := a.nights(ctx, b)
	if err != nil {
		return err
	}
	defer func() {
		if e := alarm.Stop(); err == nil {
			err = e
		}
	}()
	worker, err := a.background(ctx, b)
	if err != nil {
		return err
	}
	defer func() {
		if e := worker.Stop(); err == nil {
			err = e
		}
	}()
	a.tellUnset(b)
	a.say("listening on http://" + ln.Addr().String())
	return httpapi.New(b, ln, httpapi.Options{Audience: audience, Getenv: a.env.get, Log: a.logger(), MCP: a.mcpOver}).Run(ctx)
}

// tellUnset tells of tokens that nobody can come in by.
func (a *app) tellUnset(b *plastic.Bank) {
	c, _ := b.Config()
	unset := httpapi.Unset(b, a.env.get)
	if len(unset) == 0 {
		return
	}
	var names []string
	for _, t := range unset {
		names = append(names, fmt.Sprintf("%s ($%s)", oneLine(t.Name), oneLine(t.Env)))
	}
	message := "no value is set for the token " + strings.Join(names, ", ") + " of server.tokens: nobody can come in by it"
	if len(unset) == len(c.Server.Tokens) {
		message += ", and every request over HTTP is public"
	}
	a.notice(plastic.Problem{Code: "token", Path: "config.yaml", Message: message,
		Hint: "put " + oneLine(unset[0].Env) + "=… into .env or the server's environment (`openssl rand -hex 24` makes one)"})
}

// nights starts the alarm clock of the nights.
func (a *app) nights(ctx context.Context, b *plastic.Bank) (*schedule.Alarm, error) {
	return schedule.Start(ctx, schedule.Night{
		Due:   func() bool { _, due := b.NightDue(); return due },
		Quiet: b.Quiet,
		Run: func(ctx context.Context) error {
			if err := b.FlushBefore(ctx); err != nil {
				a.say("turns are left for after the night: " + err.Error())
			}
			night, ran, err := b.Night(ctx)
			if ran {
				a.say(night.Compress.String())
			}
			return err
		},
		Log: func(err error) { a.say("the night failed and is tried again: " + err.Error()) },
	})
}

// mcpOver is the MCP server of /mcp.
func (a *app) mcpOver(get func(*http.Request) *plastic.Bank) http.Handler {
	return mcpserver.NewHTTPHandler(get, mcpserver.Options{Version: buildOf().Version, Now: a.running(), Log: a.errs})
}

// running is the clock of a verb that stays: it starts at --now and goes on.
func (a *app) running() func() time.Time {
	began := time.Now()
	return func() time.Time {
		if a.clock.IsZero() {
			return time.Now()
		}
		return a.clock.Add(time.Since(began))
	}
}

// address is server.listen, as far as it is allowed on this machine.
func (a *app) address(b *plastic.Bank) (string, error) {
	c, err := b.Config()
	if err != nil {
		return "", err
	}
	held := config.Held(b.Dir(), c)
	return c.Restrict(held...).Server.Listen, nil
}

// say tells one line on stderr, for programs as JSON.
func (a *app) say(line string) {
	if a.flags.json {
		a.tell(map[string]string{"notice": line, "code": "note", "path": "", "hint": ""})
		return
	}
	fmt.Fprintln(a.errs, line)
}

// logger writes one line a request to stderr.
func (a *app) logger() *slog.Logger {
	if a.flags.json {
		return slog.New(slog.NewJSONHandler(a.errs, nil))
	}
	return slog.New(slog.NewTextHandler(a.errs, nil))
}

// inTurn lets requests, which run side by side, write one after another.
type inTurn struct {
	mu sync.Mutex // guards w
	w  io.Writer
}

func (t *inTurn) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w.Write(b)
}
