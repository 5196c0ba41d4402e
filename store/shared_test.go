package store_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plastic/memory"
	"plastic/store"
)

// childShares goes through all that is written, as one of several users of a folder whose
// own umask is the strictest.
func childShares(dir string) {
	syscall.Umask(0o077)
	who := os.Args[1]
	s, err := store.Open(dir, at(start))
	must(err)
	for n := range 2 {
		_, err = s.Update(ctx, func(tx *store.Tx) error {
			tx.Put(memory.Memory{ID: fmt.Sprint(who, n), Content: "tea of " + who, CreatedAt: start})
			if n > 0 {
				tx.Archive(who+"0", memory.Archived{As: memory.Forgotten})
				tx.Night(map[string]string{"date": "2026-11-30", "by": who})
			}
			return nil
		})
		must(err)
	}
	must(s.Rehearse([]string{who + "1"}, start))
	_, err = s.Checkpoint(ctx)
	must(err)
	_, err = s.Enqueue(ctx, []store.Turn{{User: "a turn of " + who}})
	must(err)
	_, err = s.ChangeQueue(ctx, func(x *store.Turn) bool { x.Tries++; return true })
	must(err)
	st, err := s.Read()
	must(err)
	turns, _, err := s.Waiting()
	must(err)
	found, err := s.Check()
	must(err)
	fmt.Printf("%s|%s|%d turns|%s", told(st.Memories()), archived(st.Archive()), len(turns), codes(found))
}

// Two users of one group share a folder: each goes on with what the other wrote, whatever
// their umasks, and the group keeps the files.
func TestUsersOfOneGroupShareAFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	const group = 65533
	base, err := os.MkdirTemp("", "plastic-shared-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	dir := filepath.Join(base, "memory")
	err = errors.Join(store.Create(dir), os.Chown(dir, nobody, group), os.Chmod(dir, 0o770|os.ModeSetgid),
		os.Chown(filepath.Join(dir, "memory.json"), nobody, group), os.Chmod(filepath.Join(dir, "memory.json"), 0o660))
	if err != nil {
		t.Fatal(err)
	}
	as := func(uid uint32, who string) string {
		cmd := child(t, "shares", dir, who)
		asNobody(t, base, cmd)
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: group}
		got, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s: %v", who, err)
		}
		return string(got)
	}
	want(t, "one", as(nobody, "a"), "a1=tea of a|forgotten:a0=tea of a|1 turns|")
	want(t, "the other", as(nobody-5, "b"), "a1=tea of a b1=tea of b|forgotten:a0=tea of a forgotten:b0=tea of b|2 turns|")
	want(t, "one again", as(nobody, "c"), "a1=tea of a b1=tea of b c1=tea of c|forgotten:a0=tea of a forgotten:b0=tea of b forgotten:c0=tea of c|3 turns|")
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err == nil && fi.Mode().Perm() != 0o660 {
			t.Errorf("%s has mode %v", strings.TrimPrefix(path, dir), fi.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
