package drafts

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/kit"
)

// note is what is kept beside a copy, so that it can be found again: in a file named like its folder with noteEnd.
type note struct {
	Path    string `json:"path"`   // agent path of the file that it is of
	Filled  string `json:"sha256"` // of what the copy was filled with
	Process int    `json:"pid"`
}

const noteEnd = ".json"

// Note says beside a copy which file it is of, so that it is found after a crash.
func (c *editedCopy) Note(agentPath string, filled []byte) error {
	data, err := json.Marshal(note{Path: agentPath, Filled: memstore.Sum(filled).String(), Process: os.Getpid()})
	if err != nil {
		return err
	}
	return os.WriteFile(c.dir+noteEnd, data, 0o600)
}

// Recover finds the copies that a killed process left behind. They wait like any unsaved text; those with nothing new in them are removed.
func (l *List) Recover() tea.Cmd {
	base, store := l.StateDir, l.edits.Handlers
	if base == "" || l.edits.ReadOnly || base != l.Dir {
		return nil
	}
	return kit.Start(l.env.Jobs, kit.Job[[]*Draft]{
		Owner: ownerLeftover, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) ([]*Draft, error) {
			notes, err := filepath.Glob(filepath.Join(base, "edit-*"+noteEnd))
			var found []*Draft
			for _, name := range notes {
				if d := leftover(store, name); d != nil {
					found = append(found, d)
				}
			}
			return found, err
		},
		Done: func(found []*Draft) tea.Cmd {
			for _, d := range found {
				l.keep(d)
			}
			if len(found) > 0 {
				said := "An edit of " + kit.PathText(found[0].Path) + " was not saved: {global/edit} there resumes it, {global/drop-draft} drops it"
				l.shell.Tell(kit.Warn, l.env.Keyed(said))
			}
			return nil
		},
	})
}

// leftover is the copy beside a note, if its process is gone and the user has typed anything into it; else nil.
func leftover(store *memstore.Store, name string) *Draft {
	var n note
	data, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(data, &n) != nil || n.Path == "" || n.Process == os.Getpid() || alive(n.Process) {
		return nil
	}
	var filled memstore.Digest
	if sum, err := hex.DecodeString(n.Filled); err != nil || copy(filled[:], sum) != len(filled) {
		return nil
	}
	dir := name[:len(name)-len(noteEnd)]
	d := &Draft{Path: n.Path, Copy: &editedCopy{dir, filepath.Join(dir, safeName(filepath.Base(n.Path)))}}
	text, err := d.Copy.Read(editUpTo)
	now, why := Read(store, n.Path)
	if err != nil || memstore.Sum(text) == filled || why == "" && bytes.Equal(text, now) {
		_ = d.Copy.Remove()
		return nil
	}
	if why == "" && memstore.Sum(now) == filled {
		d.Opened = now // else the text is an edit of what is no longer there
	}
	return d
}

// alive reports whether a process of this number runs. Another one may have got the number: then the
// copy is found by a later start.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || pid <= 0 {
		return false
	}
	if runtime.GOOS == "windows" {
		return p.Release() == nil // it was opened, so it is there
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
}
