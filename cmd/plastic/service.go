package main

import (
	"fmt"
	"io"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plastic"
	"plastic/config"
)

// unitFile is one file for systemd.
type unitFile struct {
	Path string `json:"path"` // where it belongs
	Text string `json:"text"`
}

func (a *app) serviceCmd() *cobra.Command {
	var forUser bool
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Print systemd units for the server and for the night",
		Long: "Prints three files for systemd, each under a line with the path where it belongs:\n" +
			"the server, shut in so that it can write its folder and nothing else, and the\n" +
			"night with its timer for where no server runs. Both may run: a date has one\n" +
			"night. Nothing is written.",
		Example: "  plastic service --dir /srv/bot/memory\n" +
			"  plastic service --user          # units of the user's own systemd",
		Args: count(0, 0, "no words"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.service(cmd.Root(), forUser) },
	}
	cmd.Flags().BoolVar(&forUser, "user", false, "for systemd of the user, which needs no root")
	return cmd
}

func (a *app) service(root *cobra.Command, forUser bool) error {
	who, err := a.audience()
	if err != nil {
		return err
	}
	if err := plastic.OwnerAlone(who, "service"); err != nil {
		return err
	}
	p, err := a.place()
	if err != nil {
		return err
	}
	is, err := p.look()
	if err != nil {
		return err
	}
	c := config.Default()
	if is == present {
		if c, err = config.Load(p.path); err != nil {
			return err
		}
	} else {
		a.notice(plastic.Problem{Code: "note", Message: "there is no folder " + p.path + " yet", Hint: "`plastic init` makes it; the units need it"})
	}
	u := units{dir: absolute(p.path), config: c, forUser: forUser}
	if u.program, err = a.program(); err != nil {
		return err
	}
	if who, err := user.Current(); err == nil {
		u.account = who.Username
	}
	u.state = filepath.Join(a.env.get("HOME"), ".local", "state", "plastic")
	if state := a.env.get("XDG_STATE_HOME"); filepath.IsAbs(state) {
		u.state = filepath.Join(state, "plastic")
	}
	u.night = "compress"
	if cmd, _, err := root.Find([]string{"night"}); err == nil && cmd.Name() == "night" {
		u.night = "night"
	}
	files := u.files()
	return a.answer(map[string][]unitFile{"files": files}, func(w io.Writer) {
		for i, f := range files {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "# %s\n%s", f.Path, f.Text)
		}
	})
}

// units are what the files are made of.
type units struct {
	program, dir string
	state        string // where this machine keeps what was allowed
	account      string // who they run as, "" for whoever starts them
	night        string // the verb of the timer
	config       *config.Config
	forUser      bool
}

func (u units) files() []unitFile {
	home := "/etc/systemd/system/"
	if u.forUser {
		home = "~/.config/systemd/user/"
	}
	return []unitFile{
		{home + "plastic.service", u.unit("plastic: a long-term memory", "exec", "serve", "Restart=on-failure\nRestartSec=5\nTimeoutStopSec=15\n") +
			"\n[Install]\nWantedBy=" + map[bool]string{false: "multi-user.target", true: "default.target"}[u.forUser] + "\n"},
		{home + "plastic-night.service", u.unit("plastic: the night", "oneshot", u.night, "")},
		{home + "plastic-night.timer", "[Unit]\nDescription=plastic: the night, at its hour\n\n[Timer]\nOnCalendar=" + u.hour() +
			"\nPersistent=true\nAccuracySec=1min\n\n[Install]\nWantedBy=timers.target\n"},
	}
}

// hour is when the night is due, in the time zone of the memory.
func (u units) hour() string {
	at := fmt.Sprintf("*-*-* %02d:00:00", u.config.Memory.ConsolidateHour)
	if zone := u.config.Memory.Location().String(); zone != "Local" {
		at += " " + zone
	}
	return at
}

// unit is a service that runs a verb on the folder, and may do little else.
func (u units) unit(about, kind, verb, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[Unit]\nDescription=%s\n\n[Service]\nType=%s\nExecStart=%s %s --dir %s\n%s", about, kind, word(u.program), verb, word(u.dir), more)
	if u.account != "" && !u.forUser {
		fmt.Fprintf(&b, "User=%s\n", u.account)
	}
	fmt.Fprintf(&b, "UMask=0077\n\n# It may write its folder, and nothing else.\nProtectSystem=strict\nProtectHome=read-only\nReadWritePaths=%s\n", u.writable())
	b.WriteString(shutIn)
	if !u.forUser {
		b.WriteString(shutInByRoot)
	}
	return b.String()
}

// writable are the paths that the service may write: the folder, the card where
// it lies elsewhere, and this machine's list of what was allowed, if there is one.
func (u units) writable() string {
	list := []string{path(u.dir)}
	if card := u.config.Card.Path; filepath.IsAbs(card) && filepath.Dir(card) != u.dir {
		list = append(list, path("-"+filepath.Dir(card)))
	}
	return strings.Join(append(list, path("-"+u.state)), " ")
}

// What a service of any account can be denied, and what only a service of root's
// systemd can. A unit of a user that asks for the latter does not start.
const (
	shutIn = `PrivateTmp=yes
NoNewPrivileges=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
`
	shutInByRoot = `PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectProc=invisible
ProcSubset=pid
CapabilityBoundingSet=
AmbientCapabilities=
RemoveIPC=yes
`
)

// word is s as one word of an ExecStart line.
func word(s string) string { return path(strings.ReplaceAll(s, "$", "$$")) }

// path is s as one word where systemd reads a list of paths.
func path(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(s)
	if strings.ContainsAny(s, " \t'\"\\;#") {
		return `"` + s + `"`
	}
	return s
}
