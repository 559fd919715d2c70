//go:build linux

package cli

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
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
