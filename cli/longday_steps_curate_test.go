//go:build linux

package cli

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// carried is a line that undo, restore and apply print for each step.
type carried struct {
	Action  string `json:"action"`
	Path    string `json:"path"`
	OldPath string `json:"old_path"`
	Result  string `json:"result"`
}

// curate runs a command that changes notes as the curator and writes down what it says that it did.
func (w *world) curate(args ...string) (outcome, []carried) {
	o := w.try(args...)
	list, err := jsonLines[carried](o.out)
	if err != nil {
		w.failf("%s: %v in %.300q", args[0], err, o.out)
	}
	return o, list
}

// told writes down the steps of an undo or a restore that ended well.
func (w *world) told(o outcome, list []carried) {
	if o.code != 0 {
		return
	}
	for _, c := range list {
		w.mark("curator", c.Path)
	}
}

// newest are the revisions of the log, the newest first.
func (w *world) newest() []dayRevision {
	log := w.readLog()
	slices.Reverse(log)
	return log
}

// snapshot is what the store holds now, by agent path.
func (w *world) snapshot() tree {
	t := tree{}
	w.must(w.walk(func(p, file string, entry os.DirEntry) {
		if data, err := os.ReadFile(file); err == nil && entry.Type().IsRegular() {
			t[p] = digest(string(data))
		}
	}))
	return t
}

// stepUndo undoes a revision of an agent.
func (w *world) stepUndo(r *rand.Rand) {
	log := slices.DeleteFunc(w.newest(), func(d dayRevision) bool { return d.Actor != "agent" && d.Actor != "planner" })
	if len(log) == 0 {
		w.work(w.agent(0), r, 6)
		log = slices.DeleteFunc(w.newest(), func(d dayRevision) bool { return d.Actor != "agent" })
	}
	for range min(4, len(log)) {
		rev := log[r.IntN(min(len(log), 10))]
		o, list := w.curate("undo", w.store, strconv.FormatInt(rev.Rev, 10), "--json")
		w.told(o, list)
		if o.code == 0 && len(list) > 0 {
			if r.IntN(2) == 0 {
				o, list = w.curate("undo", w.store, "--redo", "--json")
				w.told(o, list)
			}
			return
		}
	}
}

// stepRestore restores a file or folder that an agent deletes, or an earlier revision of one.
func (w *world) stepRestore(r *rand.Rand) {
	a := w.agent(r.IntN(4))
	p := w.newPath(r)
	first := w.body(r)
	made, _ := a.does(dayCommand{Command: "create", Path: p, FileText: first})
	if made.state != dayDone {
		return
	}
	line := 0
	a.does(dayCommand{Command: "insert", Path: p, InsertLine: &line, InsertText: w.token() + "\n"})
	if r.IntN(2) == 0 { // the first revision
		rev := w.waitFor(made)
		o, list := w.curate("restore", w.store, p, "--at", strconv.FormatInt(rev, 10), "--json")
		w.told(o, list)
		if o.code != 0 || w.snapshot()[p] != digest(first) {
			w.failf("restore --at %d of %s: status %d, %s", rev, p, o.code, o.err)
		}
		return
	}
	top := "/memories/" + strings.Split(p, "/")[2]
	before := w.snapshot()
	if e, _ := a.does(dayCommand{Command: "delete", Path: top}); e.state != dayDone {
		return
	}
	o, list := w.curate("restore", w.store, top, "--json")
	w.told(o, list)
	if now := w.snapshot(); o.code != 0 || now[p] != before[p] {
		w.failf("restore of %s: status %d, %s", top, o.code, o.err)
	}
}

// waitFor is the revision of an edit that had a success.
func (w *world) waitFor(e *dayEdit) int64 {
	for _, r := range w.readLog() {
		if r.Tool == e.id {
			return r.Rev
		}
	}
	w.failf("%s is not in the log", e.id)
	return 0
}
