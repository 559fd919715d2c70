//go:build linux

package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"memcurator/cli/session"
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
	o := w.wait(w.begin("", "log", w.store, "--json"))
	log, err := jsonLines[dayRevision](o.out)
	if err != nil || o.code != 0 {
		w.failf("log: status %d, %v, %.600q", o.code, err, o.err)
	}
	slices.Reverse(log)
	return log
}

// stepApply carries out a plan and undoes it; what is there then is what was there before.
func (w *world) stepApply(r *rand.Rand) (dayOutcome, string) {
	due := w.expire(2+r.IntN(3), r.IntN(3))
	w.catchUp()
	if o := w.try("plan", w.store, "--check"); o.code != session.ExitPending {
		w.failf("plan --check ends with %d where %v are due: %s", o.code, due, o.err)
	}
	o, list := w.curate("apply", w.store, "--yes", "--json")
	if o.code != 0 {
		return dayRefused, "apply: " + firstLine(o.err)
	}
	done := map[string]bool{}
	for _, c := range list {
		if c.Result == "done" {
			w.mark("curator", c.Path)
			done[c.Path] = true
		}
	}
	for _, p := range due {
		if _, err := os.Stat(w.disk(p)); err == nil || !done[p] {
			w.failf("apply says %d, and %s is there still (done %v): %s", o.code, p, done[p], o.out)
		}
	}
	if r.IntN(4) > 0 {
		w.undoNewest(r.IntN(2) == 0)
	}
	return dayOK, ""
}

// expire lets another program write notes that are due at once; how: deleted, quarantined or archived.
func (w *world) expire(n, how int) (due []string) {
	for range n {
		p := "/memories/expired/" + []string{"gone", "away", "old"}[how] + "/" + w.token() + ".md"
		w.touch(p)
		w.must(writeFile(w.disk(p), "---\nexpires: 2020-01-01\n---\n"+w.token()+"\n"))
		due = append(due, p)
	}
	return due
}

// undoNewest undoes what the curator did last, and then perhaps that.
func (w *world) undoNewest(again bool) {
	before := w.snapshot()
	o, list := w.curate("undo", w.store, "--json")
	if o.code != 0 || len(list) == 0 {
		w.failf("the newest change of the curator cannot be undone: status %d, %s", o.code, o.err)
	}
	w.told(o, list)
	if !again {
		return
	}
	o, list = w.curate("undo", w.store, "--redo", "--json")
	if o.code != 0 {
		w.failf("the undo cannot be undone: status %d, %s", o.code, o.err)
	}
	w.told(o, list)
	if d := differences("before", before, "after undo and redo", w.snapshot()); len(d) > 0 {
		w.failf("undo and redo are not what was before: %s", strings.Join(d, "; "))
	}
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
func (w *world) stepUndo(r *rand.Rand) (dayOutcome, string) {
	log := slices.DeleteFunc(w.newest(), func(d dayRevision) bool { return d.Actor != "agent" && d.Actor != "planner" })
	if len(log) == 0 {
		w.work(w.agent(0), r, 6)
		log = slices.DeleteFunc(w.newest(), func(d dayRevision) bool { return d.Actor != "agent" })
	}
	why := "there is no edit to undo"
	for range min(4, len(log)) {
		rev := log[r.IntN(min(len(log), 10))]
		o, list := w.curate("undo", w.store, strconv.FormatInt(rev.Rev, 10), "--json")
		w.told(o, list)
		if o.code == 0 && len(list) > 0 {
			if r.IntN(2) == 0 {
				o, list = w.curate("undo", w.store, "--redo", "--json")
				w.told(o, list)
			}
			return dayOK, ""
		}
		why = "undo: conflict"
	}
	return dayRefused, why
}

// stepRestore restores a file or folder that an agent deletes, or an earlier revision of one.
func (w *world) stepRestore(r *rand.Rand) (dayOutcome, string) {
	a := w.agent(r.IntN(4))
	p := w.newPath(r)
	first := w.body(r)
	made, _ := a.does(dayCommand{Command: "create", Path: p, FileText: first})
	if made.state != dayDone {
		return dayRefused, "the file could not be made"
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
		return dayOK, ""
	}
	top := "/memories/" + strings.Split(p, "/")[2]
	before := w.snapshot()
	if e, _ := a.does(dayCommand{Command: "delete", Path: top}); e.state != dayDone {
		return dayRefused, "the folder could not be deleted"
	}
	o, list := w.curate("restore", w.store, top, "--json")
	w.told(o, list)
	if now := w.snapshot(); o.code != 0 || now[p] != before[p] {
		w.failf("restore of %s: status %d, %s", top, o.code, o.err)
	}
	return dayOK, ""
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

// secret is a value that is sensitive, put together at run time.
func (w *world) secret(r *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	b := []byte("ghp" + "_")
	for range 36 {
		b = append(b, letters[r.IntN(len(letters))])
	}
	return string(b)
}

// leak lets an agent write a secret in several versions of several files, some of which are gone by now. It returns
// one that is there.
func (w *world) leak(r *rand.Rand) string {
	a, secret, line := w.agent(r.IntN(4)), w.secret(r), 0
	w.secrets = append(w.secrets, secret)
	p, q := w.newPath(r), w.newPath(r)
	do := func(c dayCommand) {
		e, text := a.does(c)
		e.masked = true
		if e.state != dayDone {
			w.failf("%s was refused: %s", c.Command, text)
		}
	}
	do(dayCommand{Command: "create", Path: p, FileText: "note\nmy token: " + secret + "\nEND\n"})
	do(dayCommand{Command: "insert", Path: p, InsertLine: &line, InsertText: w.token() + "\n"})
	do(dayCommand{Command: "create", Path: q, FileText: "again: " + secret + "\nEND\n"})
	switch r.IntN(4) {
	case 0:
		do(dayCommand{Command: "delete", Path: q})
	case 1:
		do(dayCommand{Command: "rename", OldPath: q, NewPath: w.newPath(r)})
	case 2:
		do(dayCommand{Command: "str_replace", Path: q, OldStr: secret, NewStr: "nothing"})
	}
	return p
}

// dayScrubbed is what scrub --json prints.
type dayScrubbed struct {
	Files  int `json:"files"`
	Values int `json:"values"`
	Left   int `json:"left"`
}

// stepScrub redacts values in the files, undoes that, and checks that the files are unchanged.
func (w *world) stepScrub(r *rand.Rand) (dayOutcome, string) {
	w.leak(r)
	before := w.snapshot()
	o := w.try("scrub", w.store, "--yes", "--json")
	if o.code != 0 {
		return dayRefused, "scrub: " + firstLine(o.err)
	}
	after := w.snapshot()
	for p := range maps.Keys(before) {
		if before[p] != after[p] {
			w.mark("curator", p)
		}
	}
	for _, p := range w.holding(w.secrets) {
		w.failf("scrub says that it is done, and a value is in %s", p)
	}
	if r.IntN(2) == 0 {
		o, list := w.curate("undo", w.store, "--json")
		w.told(o, list)
		if d := differences("before", before, "after scrub and undo", w.snapshot()); o.code != 0 || len(d) > 0 {
			w.failf("the scrub cannot be undone: status %d, %s %s", o.code, o.err, strings.Join(d, "; "))
		}
	}
	return dayOK, ""
}

// holding are the agent paths of files with one of the values.
func (w *world) holding(values []string) []string {
	var out []string
	w.must(w.walk(func(p, file string, entry os.DirEntry) {
		data, err := os.ReadFile(file)
		if err == nil && slices.ContainsFunc(values, func(v string) bool { return strings.Contains(string(data), v) }) {
			out = append(out, p)
		}
	}))
	return out
}

// stepPurge takes values out of files and past for good, while agents live and perhaps work.
func (w *world) stepPurge(r *rand.Rand) (dayOutcome, string) {
	for range 1 + r.IntN(2) {
		w.leak(r)
	}
	purge := func() (out dayOutcome, why string) {
		before := w.snapshot()
		o := w.try("scrub", w.store, "--purge-history", "--yes", "--json")
		w.markChanged(before)
		if o.code != 0 {
			return dayRefused, "purge: " + firstLine(o.err)
		}
		var report dayScrubbed
		if err := json.Unmarshal([]byte(o.out), &report); err != nil || report.Left > 0 {
			w.failf("a purge ended with 0 and says %s (%v)", o.out, err)
		}
		w.purgedNow()
		return dayOK, ""
	}
	if r.IntN(2) == 0 {
		return purge()
	}
	var out dayOutcome
	var why string
	a, own := w.agent(r.IntN(4)), rand.New(rand.NewPCG(r.Uint64(), 1))
	w.together(func() { out, why = purge() }, func() { w.work(a, own, 8) })
	return out, why
}

// purgedNow says that every secret so far must be nowhere from now on.
func (w *world) purgedNow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.purged = append(w.purged, w.secrets...)
	w.secrets = nil
}

// markChanged allows a curator's revision of every file that had one of the secrets.
func (w *world) markChanged(before tree) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for p := range before {
		w.bymany[p] = true
	}
}

// transcript writes a recorded conversation in which notes are made, and returns its file.
func (w *world) transcript(r *rand.Rand) (file string, edits []*dayEdit) {
	type message struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}
	messages := []message{{"user", "go on"}}
	for range 2 + r.IntN(4) {
		c := dayCommand{Command: "create", Path: w.newPath(r), FileText: w.body(r)}
		id := "toolu_" + w.token()
		edits = append(edits, w.issue(id, "", "replay", c))
		messages = append(messages,
			message{"assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "memory", "input": c}}},
			message{"user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": "File created successfully at: " + c.Path}}})
	}
	data, err := json.Marshal(map[string]any{"messages": messages})
	w.must(err)
	file = filepath.Join(w.root, "given", w.token()+".jsonl")
	w.must(os.WriteFile(file, append(data, '\n'), 0o600))
	return file, edits
}

// stepReplay puts the notes of a recorded conversation into the store.
func (w *world) stepReplay(r *rand.Rand) (dayOutcome, string) {
	file, edits := w.transcript(r)
	o := w.try("replay", file, "--into", w.store, "--yes")
	if o.code != 0 {
		return dayRefused, "replay: " + firstLine(o.err)
	}
	for _, e := range edits {
		w.answered(e, false)
	}
	return dayOK, ""
}

// stepMove moves the store, takes its journal along, and moves it back.
func (w *world) stepMove(r *rand.Rand) (dayOutcome, string) {
	w.quitScreen()
	w.dismiss()
	log := len(w.newest())
	home := w.store
	away := filepath.Join(w.root, "b", fmt.Sprintf("moved%d", r.IntN(3)))
	for _, to := range []string{away, home} {
		w.must(os.MkdirAll(filepath.Dir(to), 0o700))
		from := w.store
		w.must(os.Rename(from, to))
		w.store = to
		if o := w.try("doctor", to, "--relink", from); o.code != 0 {
			w.failf("doctor --relink: status %d, %s", o.code, o.err)
		}
		if n := len(w.newest()); n != log {
			w.failf("after the move the log has %d revisions and had %d", n, log)
		}
		if to == away && r.IntN(2) == 0 {
			w.work(w.agent(r.IntN(4)), r, 3)
			w.dismiss()
			w.check()
			log = len(w.newest())
		}
	}
	return dayOK, ""
}

// stepPurgeMoved purges a store that was moved and whose journal stayed behind: what that holds goes too.
func (w *world) stepPurgeMoved(r *rand.Rand) (dayOutcome, string) {
	w.leak(r)
	w.quitScreen()
	w.dismiss()
	home, away := w.store, filepath.Join(w.root, "b", w.token())
	w.must(os.MkdirAll(filepath.Dir(away), 0o700))
	w.must(os.Rename(home, away))
	w.store = away
	before := w.snapshot()
	o := w.try("scrub", away, "--purge-history", "--yes", "--json")
	if r.IntN(2) == 0 {
		o = w.try("scrub", away, "--purge-history", "--yes", "--json")
	}
	after := w.snapshot()
	for p := range before {
		if before[p] != after[p] {
			w.touch(p)
		}
	}
	w.must(os.Rename(away, home))
	w.store = home
	w.markChanged(before)
	if o.code != 0 {
		return dayRefused, "purge: " + firstLine(o.err)
	}
	w.purgedNow()
	return dayOK, ""
}

// stepCaps lets agents in processes of their own make notes at once, up to a cap of the store.
func (w *world) stepCaps(r *rand.Rand) (dayOutcome, string) {
	rules, err := os.ReadFile(w.config)
	w.must(err)
	files := w.snapshot()
	limit := len(files) + 3 + r.IntN(5)
	w.configure(fmt.Sprintf("[limits]\nmax_files = %d\n", limit) + string(rules))
	var parts []func()
	var made atomic.Int32
	for n := range 4 {
		a, own := w.hire(r.IntN(4)), rand.New(rand.NewPCG(r.Uint64(), uint64(n)))
		parts = append(parts, func() {
			for range 6 {
				if e, _ := a.does(dayCommand{Command: "create", Path: w.newPath(own), FileText: w.body(own)}); e.state == dayDone {
					made.Add(1)
				}
			}
			a.close()
		})
	}
	w.together(parts...)
	w.configure(string(rules))
	w.dismiss() // who lives takes new rules a moment after they were saved
	if n := int(made.Load()); len(files)+n > limit {
		w.failf("with a cap of %d files and %d there, agents made %d more", limit, len(files), n)
	}
	return doneOr(int(made.Load()), "nothing could be made")
}

// configure saves a configuration an hour ago, so that it counts at once for whoever starts.
func (w *world) configure(text string) {
	w.must(os.WriteFile(w.config+".new", []byte(text), 0o600))
	w.must(os.Chtimes(w.config+".new", hourAgo(), hourAgo()))
	w.must(os.Rename(w.config+".new", w.config))
}
