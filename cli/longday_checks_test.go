//go:build linux

package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// check is what must hold after every step.
func (w *world) check() {
	w.catchUp()
	w.settle()
	w.consult()
	w.leftovers()
	w.mu.Lock()
	defer w.mu.Unlock()
	for p, left := range w.outside {
		if w.outside[p]--; left <= 1 {
			delete(w.outside, p)
		}
	}
	clear(w.bymany)
	w.curated = nil
	w.day.checks++
}

// settle waits until the log tells what is on the disk: a watcher may come late with what it saw on the way there.
func (w *world) settle() {
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		log := w.readLog()
		w.judge(log)
		differ := w.compare(log)
		if len(differ) == 0 {
			return
		}
		if time.Since(begun) > dayPatience/2 {
			w.failf("log and store differ: %s", strings.Join(differ, "; "))
		}
	}
}

// catchUp starts the program again: it settles what a killed process left and records what other programs did.
func (w *world) catchUp() {
	o := w.wait(w.begin(`{"command":"view","path":"/memories"}`+"\n", "exec", w.store, "--session", "catch-up"))
	if o.code != 0 || !strings.Contains(o.out, `"is_error":false`) {
		w.failf("a new exec: status %d, %.300q, %.600q", o.code, o.out, o.err)
	}
	if o.err != "" {
		w.note("a new exec says: %s", strings.TrimSpace(o.err))
	}
}

// readLog is the whole log, once every edit that had a success is in it. A living process may need a moment.
func (w *world) readLog() []dayRevision {
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		o := w.wait(w.begin("", "log", w.store, "--json"))
		if o.code != 0 {
			w.failf("log: status %d, %.600q", o.code, o.err)
		}
		log, err := jsonLines[dayRevision](o.out)
		if err != nil {
			w.failf("log: %v in %.300q", err, o.out)
		}
		missing := w.missing(log)
		if missing == "" {
			return log
		}
		if time.Since(begun) > dayPatience/2 {
			w.failf("%s is not in the log", missing)
		}
	}
}

// missing names a change that had a success and is not in the log.
func (w *world) missing(log []dayRevision) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	tools := map[string]bool{}
	for _, r := range log {
		tools[r.Tool] = true
		for i := range w.curated {
			if m := &w.curated[i]; r.Rev > w.checked && m.actor == r.Actor && (m.path == r.Path || m.path == r.OldPath) {
				m.seen = true
			}
		}
	}
	for id, e := range w.edits {
		if e.state == dayDone && e.command.writes() && !tools[id] && !e.seen {
			return "the edit " + id + " (" + e.command.Command + " " + e.command.target() + "), which had a success,"
		}
	}
	for _, m := range w.curated {
		if !m.seen {
			return "what the " + m.actor + " was told of " + m.path
		}
	}
	return ""
}

// judge checks each new revision: it must have an author, and the right one.
func (w *world) judge(log []dayRevision) {
	w.mu.Lock()
	defer w.mu.Unlock()
	texts := map[string]string{}
	for id, e := range w.edits {
		if e.command.Command == "create" && e.state != dayDenied {
			texts[digest(e.command.FileText)] = id
		}
	}
	for _, r := range log {
		if r.Rev <= w.checked {
			continue
		}
		for _, p := range append(parents(r.Path), parents(r.OldPath)...) {
			w.made[p] = true
		}
		if r.Kind == "folder" {
			w.made[r.Path] = true
		}
		if r.OldPath != "" { // what another program did under the old name may be found under the new one
			for p, left := range maps.Clone(w.outside) {
				if p == r.OldPath || below(p, r.OldPath) {
					w.outside[r.Path+strings.TrimPrefix(p, r.OldPath)] = left
				}
			}
		}
		switch r.Actor {
		case "external":
			w.judgeExternal(r, texts)
		case "curator":
			w.judgeCurator(r)
		default:
			w.judgeEdit(r)
		}
		w.checked = r.Rev
	}
}

func (w *world) judgeExternal(r dayRevision, texts map[string]string) {
	if r.Kind == "folder" && w.cutShort(r.Path) {
		return // an open interface may see the folder of a killed edit come and go
	}
	if !w.touched(r.Path) && (r.OldPath == "" || !w.touched(r.OldPath)) {
		w.failf("revision %d is called external (%s %s, %q), and no other program has touched that path", r.Rev, r.Command, r.Path, r.Note)
	}
	// An edit that had a success must be in the log anyway; a late watcher may add to it.
	if id := texts[r.After]; id != "" && w.edits[id].state != dayDone && r.OldPath == "" && !w.copied[r.After] {
		w.failf("revision %d is called external (%s %s), and its bytes are those of %s", r.Rev, r.Command, r.Path, id)
	}
}

// cutShort reports whether an edit that a kill may have ended was below a folder.
func (w *world) cutShort(folder string) bool {
	for _, e := range w.edits {
		if e.state == dayAsked && below(e.command.target(), folder) {
			return true
		}
	}
	return false
}

func (w *world) judgeCurator(r dayRevision) {
	for _, m := range w.curated {
		if m.actor == r.Actor && (m.path == r.Path || m.path == r.OldPath || below(r.Path, m.path) || below(m.path, r.Path)) {
			return
		}
	}
	for p := range w.bymany {
		if p == r.Path || below(r.Path, p) || below(p, r.Path) {
			return
		}
	}
	w.failf("revision %d is called the curator's (%s %s), who was not at work there", r.Rev, r.Command, r.Path)
}

func (w *world) judgeEdit(r dayRevision) {
	e := w.edits[r.Tool]
	if e == nil {
		w.failf("revision %d (%s, %s %s) has the call %q, which was never made", r.Rev, r.Actor, r.Command, r.Path, r.Tool)
	}
	c := e.command
	if c.Command == "rename" && e.state != dayDone && r.Kind == "folder" && below(c.NewPath, r.Path) {
		return // the SDKs make the folder of the target before they look for the source
	}
	switch {
	case e.actor != r.Actor || e.session != r.Session:
		w.failf("revision %d has actor %q and session %q, and %s was by %q in %q", r.Rev, r.Actor, r.Session, e.id, e.actor, e.session)
	case e.state == dayDenied:
		w.failf("revision %d says %s %s, and %s was answered with an error", r.Rev, r.Command, r.Path, e.id)
	case e.seen && c.Command != "delete" && c.Command != "rename":
		w.failf("%s (%s %s) is in the log twice, again as revision %d", e.id, c.Command, c.Path, r.Rev)
	case r.Path != c.target() && !below(r.Path, c.target()) && !(c.Command == "rename" && (r.Path == c.OldPath || below(r.Path, c.OldPath))):
		w.failf("revision %d says %s %s, and %s was for %s", r.Rev, r.Command, r.Path, e.id, c.target())
	case c.Command == "create" && r.After != digest(c.FileText):
		w.failf("revision %d of %s has bytes %s, and %s wrote %s", r.Rev, r.Path, short(r.After), e.id, short(digest(c.FileText)))
	}
	e.seen = true
}

// consult asks doctor. What a living process is about to write is waited for.
func (w *world) consult() {
	var o outcome
	for begun := time.Now(); time.Since(begun) < dayPatience/2; time.Sleep(100 * time.Millisecond) {
		o = w.wait(w.begin("", "doctor", w.store, "--json"))
		var report struct {
			OK     bool     `json:"ok"`
			Damage []string `json:"damage"`
		}
		if err := json.Unmarshal([]byte(o.out), &report); err != nil {
			w.failf("doctor: status %d, %.300q, %.600q", o.code, o.out, o.err)
		}
		if o.code == 0 && report.OK {
			return
		}
		if len(report.Damage) > 0 {
			break
		}
	}
	w.failf("doctor: status %d, %.900s %.600s", o.code, o.out, o.err)
}

// compare lists where the store differs from the log.
func (w *world) compare(log []dayRevision) []string {
	return differences("the log", w.replayed(log), "the store", w.snapshot())
}

// walk visits everything in the store.
func (w *world) walk(visit func(p, file string, entry fs.DirEntry)) error {
	return filepath.WalkDir(w.store, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(w.store, file)
		if err != nil {
			return err
		}
		if name != "." {
			visit(path.Join("/memories", filepath.ToSlash(name)), file, entry)
		}
		return nil
	})
}

// plainName is what all names are like that agents, curators and other programs give here.
var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*(\.md)?$`)

// leftovers looks for temporary files, and for folders that are empty and in which the log has nothing.
func (w *world) leftovers() {
	w.must(w.walk(func(p, file string, entry fs.DirEntry) {
		if !plainName.MatchString(entry.Name()) {
			w.failf("%s was left in the store", p)
		}
		if !entry.IsDir() || w.made[p] || w.touched(p) {
			return
		}
		if entries, err := os.ReadDir(file); err == nil && len(entries) == 0 {
			w.failf("%s is an empty folder in which the log never had a file", p)
		}
	}))
}
