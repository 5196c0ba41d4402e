package plastic

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What tools put into the name of a file of which they have two: before its
// extension, or after the whole name.
var (
	conflictMark = marks(
		` ?[(\[].*(conflict|конфликт|冲突|衝突|競合|충돌|konflikt|conflit|name clash).*[)\]]`, // Dropbox, Nextcloud, Seafile, Synology, MEGA
		`[._-]sync-conflict-[0-9]{8}-[0-9]{6}(-[0-9a-z]{7})?`,                         // Syncthing
		`[._ -]conflict(ed)?[._ -]?[0-9a-z_-]*`,                                       // ownCloud, Resilio, rclone
		`\.\.path[12]`,                                                                // rclone, older
		`_(backup|base|local|remote)_[0-9]+`,                                          // git mergetool
		`\.orig`,                                                                      // git mergetool
	)
	// These a person may have made too, beside a text of one's own.
	numberMark = marks(
		` ([2-9]|[1-9][0-9])`,                       // iCloud
		` ?\([1-9][0-9]?\)`,                         // Google Drive
		`(?-i:-[0-9A-Z]*[A-Z][0-9A-Z]*-[0-9A-Z-]+)`, // OneDrive: the computer's name, of Windows in capitals
		`-[0-9a-z-]*(desktop|laptop|macbook|imac|mac-mini|surface)[0-9a-z-]*`,
	)
)

// marks gives the expression that fits one of each, made when first needed.
func marks(each ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(` + strings.Join(each, "|") + `)$`)
	})
}

// conflictCopy gives the file of which name is a copy that a sync tool made in a
// conflict; of are the files' own names.
func conflictCopy(name string, of []string) (file string, ok bool) {
	for _, file := range of {
		ext := filepath.Ext(file)
		known := func(mark string) bool {
			return conflictMark().MatchString(mark) || strings.HasPrefix(ext, ".json") && numberMark().MatchString(mark)
		}
		if mark, ok := strings.CutPrefix(name, file); ok && known(mark) {
			return file, true
		}
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(file, ext))
		if mark, same := strings.CutSuffix(rest, ext); ok && same && known(mark) {
			return file, true
		}
	}
	return "", false
}

// conflictCopies tells what stands between this folder and its copies elsewhere:
// copies that a sync tool made, and a commit that git refused.
func (b *Bank) conflictCopies() []Problem {
	return append(b.copies(), b.uncommitted()...)
}

// copies tells of files in the folder that a sync tool set beside one of
// plastic's in place of merging the two. They are never read by chance; what
// they hold is missing until a person says so.
func (b *Bank) copies() []Problem {
	entries, err := os.ReadDir(b.Dir())
	if err != nil {
		return nil // who can not list the folder is told so elsewhere
	}
	files := append(slices.Clone(gitFiles), configFile)
	if card := b.settings().Card.Path; filepath.Base(card) == card {
		files = append(files, card)
	}
	var out []Problem
	for _, e := range entries {
		file, ok := conflictCopy(e.Name(), files)
		if !ok || e.IsDir() {
			continue
		}
		p := Problem{Code: "conflict_copy", Path: e.Name(), Message: e.Name() + " looks like a copy of " + file + " that a sync or merge tool set beside it; it is not read",
			Hint: "take over what " + file + " lacks, then remove the copy"}
		path := func(name string) string { return shellWord(filepath.Join(b.Dir(), name)) }
		switch file {
		case "memory.json":
			p.Hint = "plastic import --from plastic " + path(e.Name()) + " takes over what is missing; then remove the copy"
		case "archive.json", nightsFile:
			p.Hint = "plastic git-merge " + os.DevNull + " " + path(file) + " " + path(e.Name()) + " takes over what is missing; then remove the copy"
		}
		out = append(out, p)
	}
	return out
}
