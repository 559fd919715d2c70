//go:build linux

package cli

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// mount puts a small file system at a folder, where this machine lets us.
func (w *world) mount(at, size string) bool {
	if err := syscall.Mount("tmpfs", at, "tmpfs", 0, "size="+size); err != nil {
		return false
	}
	w.mounts = append(w.mounts, at)
	return true
}

// stepStuckDelete lets an agent delete a folder in which something cannot go. Either all
// of it is gone, or none.
func (w *world) stepStuckDelete(r *rand.Rand) (dayOutcome, string) {
	a, top := w.agent(r.IntN(4)), "/memories/t"+strings.TrimPrefix(w.token(), "word")
	for i := range 6 + r.IntN(6) {
		a.does(dayCommand{Command: "create", Path: fmt.Sprintf("%s/%c/f%d.md", top, 'a'+i%4, i), FileText: w.body(r)})
	}
	at := w.disk(fmt.Sprintf("%s/%c", top, 'b'+r.IntN(2)))
	w.made[w.agentPath(at)] = true
	before := w.snapshot()
	for p := range before {
		if below(p, w.agentPath(at)) { // what is under the mount is not to be seen meanwhile
			w.touch(p)
		}
	}
	free, ok := w.hold(at, r.IntN(2) == 0)
	if !ok {
		return daySkipped, "nothing can be held fast here"
	}
	e, text := a.does(dayCommand{Command: "delete", Path: top})
	free()
	w.note("a delete of a folder in which something cannot go: %.100q", text)
	after := w.snapshot()
	there := 0
	for p := range before {
		if below(p, top) && after[p] == before[p] {
			there++
		}
	}
	if e.state == dayDone && there > 0 {
		w.failf("%s was deleted with a success, and %d notes of it are there", top, there)
	}
	if e.state == dayDenied {
		for p := range before {
			if below(p, top) && after[p] != before[p] {
				w.failf("the delete of %s was refused (%q), and %s is gone", top, text, p)
			}
		}
	}
	return dayOK, ""
}

// hold makes a folder one that cannot be removed: by a file system mounted there, by a mark that even root heeds, or, for
// other users, by its mode. free lets it go again.
func (w *world) hold(at string, mounted bool) (free func(), ok bool) {
	if mounted && w.mount(at, "1m") {
		return func() { unmount(at) }, true
	}
	if os.Geteuid() != 0 {
		w.must(os.Chmod(at, 0o500))
		return func() { w.must(os.Chmod(at, 0o700)) }, true
	}
	if exec.Command("chattr", "+i", at).Run() != nil {
		return nil, false
	}
	return func() { w.must(exec.Command("chattr", "-i", at).Run()) }, true
}

// agentPath is what the agent calls a place in the store.
func (w *world) agentPath(file string) string {
	name, err := filepath.Rel(w.store, file)
	w.must(err)
	return "/memories/" + filepath.ToSlash(name)
}

// stepClock lets all the past be 400 days older, as after a jump of the clock, and back. Nothing expires by that.
func (w *world) stepClock(r *rand.Rand) (dayOutcome, string) {
	w.quitScreen()
	w.dismiss()
	p := w.expire(1, 0)[0]
	w.catchUp()
	jump := 400*24*time.Hour + time.Duration(r.IntN(100))*time.Hour
	w.age(jump)
	defer w.age(-jump)
	o := w.try("apply", w.store, "--yes")
	if _, err := os.Stat(w.disk(p)); err != nil {
		w.failf("apply trusts a clock that jumped: status %d, %s", o.code, o.err)
	}
	return dayOK, ""
}

func hourAgo() time.Time { return time.Now().Add(-time.Hour) }

// age makes everything that the journal has recorded so much older. No process has it open meanwhile.
func (w *world) age(by time.Duration) {
	files, err := filepath.Glob(filepath.Join(w.state, "memcurator", "*", "journal.db"))
	w.must(err)
	for _, file := range files {
		db, err := sql.Open("sqlite", "file://"+file)
		w.must(err)
		for _, column := range []string{
			"revision.time", "entry.born", "entry.changed", "entry.moved", "entry.restored", "entry.written", "access.last",
		} {
			table, name, _ := strings.Cut(column, ".")
			_, err := db.Exec(fmt.Sprintf("UPDATE %s SET %s = %s - ? WHERE %s > 0", table, name, name, name), by.Nanoseconds())
			w.must(err)
		}
		w.must(db.Close())
	}
}
