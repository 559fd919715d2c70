//go:build linux

package cli

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// dayKind is a kind of step. run says how the step ended; what is wrong ends it by failf.
type dayKind struct {
	name string
	run  func(w *world, r *rand.Rand) (dayOutcome, string)
}

// dayKinds is the table of all kinds.
var dayKinds = []dayKind{
	{name: "exec", run: (*world).stepExec},
	{name: "mcp", run: (*world).stepMCP},
	{name: "crowd", run: (*world).stepCrowd},
	{name: "outside", run: (*world).stepOutside},
	{name: "git", run: (*world).stepGit},
	{name: "config", run: (*world).stepConfig},
	{name: "apply", run: (*world).stepApply},
	{name: "undo", run: (*world).stepUndo},
	{name: "restore", run: (*world).stepRestore},
	{name: "scrub", run: (*world).stepScrub},
	{name: "purge", run: (*world).stepPurge},
	{name: "purge-moved", run: (*world).stepPurgeMoved},
	{name: "caps", run: (*world).stepCaps},
	{name: "replay", run: (*world).stepReplay},
	{name: "move", run: (*world).stepMove},
	{name: "screen-edit", run: (*world).stepScreenEdit},
	{name: "screen-undo", run: (*world).stepScreenUndo},
	{name: "screen-purge", run: (*world).stepScreenPurge},
	{name: "screen-apply", run: (*world).stepScreenApply},
	{name: "screen-travel", run: (*world).stepScreenTravel},
	{name: "screen-trash", run: (*world).stepScreenTrash},
	{name: "screen-leave", run: (*world).stepScreenLeave},
	{name: "stuck-delete", run: (*world).stepStuckDelete},
	{name: "clock", run: (*world).stepClock},
	{name: "kill-exec", run: (*world).stepKillExec},
	{name: "kill-mcp", run: (*world).stepKillMCP},
	{name: "kill-delete", run: (*world).stepKillDelete},
	{name: "kill-apply", run: (*world).stepKillApply},
	{name: "kill-restore", run: (*world).stepKillRestore},
	{name: "kill-replay", run: (*world).stepKillReplay},
	{name: "kill-purge", run: (*world).stepKillPurge},
	{name: "kill-screen", run: (*world).stepKillScreen},
	{name: "kill-move", run: (*world).stepKillMove},
}

// kindSeed tells the kinds of a world apart: a step decides the same whatever other kinds are chosen.
func kindSeed(world int, kind string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", world, kind)
	return h.Sum64()
}

// dayRules is the configuration of every world.
const dayRules = `[[rule]]
match = ["locked/**"]
lock = true
[[rule]]
match = ["expired/gone/**"]
expires = true
expire = "delete"
[[rule]]
match = ["expired/away/**"]
expires = true
expire = "quarantine"
[[rule]]
match = ["expired/old/**"]
expires = true
expire = "archive"
archive_to = "archive"
`

// token is a text that comes up nowhere else.
func (w *world) token() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serial++
	return fmt.Sprintf("word%dx%d", w.n, w.serial)
}

// sharedPath is one of few files, so that all meet there.
func sharedPath(r *rand.Rand) string {
	return []string{"/memories/n/", "/memories/m/", "/memories/n/sub/"}[r.IntN(3)] + string(rune('a'+r.IntN(6))) + ".md"
}

// newPath is a file in folders that are not there yet.
func (w *world) newPath(r *rand.Rand) string {
	return "/memories/d" + strings.TrimPrefix(w.token(), "word") + []string{"", "/deep"}[r.IntN(2)] + "/f.md"
}

// body is a text of a note: a line of its own, some more, and END for str_replace to find.
func (w *world) body(r *rand.Rand) string {
	return w.token() + "\n" + strings.Repeat("some words of a note\n", r.IntN(1+r.IntN(200))) + "END\n"
}

// edit decides on a command of an agent.
func (w *world) edit(r *rand.Rand) dayCommand {
	p := sharedPath(r)
	switch n := r.IntN(100); {
	case n < 20:
		return dayCommand{Command: "create", Path: p, FileText: w.body(r)}
	case n < 40:
		return dayCommand{Command: "create", Path: w.newPath(r), FileText: w.body(r)}
	case n < 58:
		line := 0
		return dayCommand{Command: "insert", Path: p, InsertLine: &line, InsertText: w.token() + "\n"}
	case n < 74:
		return dayCommand{Command: "str_replace", Path: p, OldStr: "END", NewStr: w.token() + "\nEND"}
	case n < 80:
		return dayCommand{Command: "delete", Path: p}
	case n < 82:
		return dayCommand{Command: "delete", Path: "/memories/" + []string{"n/sub", "m"}[r.IntN(2)]}
	case n < 88:
		return dayCommand{Command: "rename", OldPath: p, NewPath: strings.TrimSuffix(p, ".md") + "-" + w.token() + ".md"}
	case n < 91:
		return dayCommand{Command: "rename", OldPath: "/memories/n/sub", NewPath: "/memories/m/sub-" + w.token()}
	case n < 95:
		return w.lockedEdit(r)
	}
	return dayCommand{Command: "view", Path: p}
}

// lockedEdit is a command that the rules forbid.
func (w *world) lockedEdit(r *rand.Rand) dayCommand {
	p, line := "/memories/locked/"+string(rune('a'+r.IntN(2)))+".md", 0
	switch r.IntN(4) {
	case 0:
		return dayCommand{Command: "str_replace", Path: p, OldStr: "END", NewStr: w.token() + "\nEND"}
	case 1:
		return dayCommand{Command: "delete", Path: p}
	case 2:
		return dayCommand{Command: "rename", OldPath: p, NewPath: w.newPath(r)}
	}
	return dayCommand{Command: "insert", Path: p, InsertLine: &line, InsertText: w.token() + "\n"}
}

// work lets an agent do a number of edits. What is locked must be refused.
func (w *world) work(a *dayAgent, r *rand.Rand, n int) (done int) {
	for range n {
		c := w.edit(r)
		e, text := a.does(c)
		w.lockHeld(e, text)
		if e.state == dayDone && c.writes() {
			done++
		}
	}
	return done
}

// lockHeld checks that an agent got nothing done to what the rules lock.
func (w *world) lockHeld(e *dayEdit, text string) {
	locked := below(e.command.Path, "/memories/locked") || below(e.command.OldPath, "/memories/locked")
	if locked && e.state == dayDone && e.command.writes() {
		w.failf("%s got %s %s%s done, which is locked: %q", e.session, e.command.Command, e.command.Path, e.command.OldPath, text)
	}
}

func doneOr(n int, why string) (dayOutcome, string) {
	if n == 0 {
		return dayRefused, why
	}
	return dayOK, ""
}

// stepExec lets agents of every dialect work, one after the other.
func (w *world) stepExec(r *rand.Rand) (dayOutcome, string) {
	done := 0
	for _, who := range r.Perm(3) {
		done += w.work(w.agent(who), r, 2+r.IntN(4))
	}
	if r.IntN(3) == 0 {
		w.dismiss()
	}
	return doneOr(done, "every edit was refused")
}

func (w *world) stepMCP(r *rand.Rand) (dayOutcome, string) {
	return doneOr(w.work(w.agent(3), r, 6+r.IntN(6)), "every edit was refused")
}

// stepCrowd lets agents and another program work on the same files at once.
func (w *world) stepCrowd(r *rand.Rand) (dayOutcome, string) {
	var parts []func()
	done := make([]int, 4)
	for who := range 4 {
		a, own := w.agent(who), rand.New(rand.NewPCG(r.Uint64(), 1))
		parts = append(parts, func() { done[who] = w.work(a, own, 6) })
	}
	other := rand.New(rand.NewPCG(r.Uint64(), 2))
	parts = append(parts, func() {
		for range 6 {
			w.editOutside(other)
		}
	})
	w.together(parts...)
	return doneOr(done[0]+done[1]+done[2]+done[3], "every edit was refused")
}

// disk is where an agent path is.
func (w *world) disk(p string) string {
	return filepath.Join(w.store, filepath.FromSlash(strings.TrimPrefix(p, "/memories")))
}

// stepOutside edits as other programs do.
func (w *world) stepOutside(r *rand.Rand) (dayOutcome, string) {
	done := 0
	for range 4 + r.IntN(4) {
		if w.editOutside(r) {
			done++
		}
	}
	return doneOr(done, "no file was there to be edited")
}

// editOutside edits a file as another program does, and reports whether there was something to edit.
func (w *world) editOutside(r *rand.Rand) bool {
	p := sharedPath(r)
	file, text, to := w.disk(p), "outside "+w.token()+"\nEND\n", sharedPath(r)
	way := r.IntN(9)
	w.touch(p)
	var err error
	switch way {
	case 0: // an editor that writes beside and renames over
		err = writeFile(file+"-new.md", text)
		w.touch(p + "-new.md")
		if err == nil {
			err = os.Rename(file+"-new.md", file)
		}
	case 1: // one that truncates, and is slow
		err = slowly(file, text, time.Duration(r.IntN(30))*time.Millisecond)
	case 2:
		if err = exec.Command("sed", "-i", "s/END/outside "+w.token()+"\\nEND/", file).Run(); err != nil {
			w.sweepSed()
		}
	case 3:
		err = appendTo(file, text)
	case 4:
		err = os.Remove(file)
	case 5: // a file that an agent may have written gets another name
		w.touch(to)
		w.movedFile(file)
		err = os.Rename(file, w.disk(to))
	case 6:
		err = os.Chmod(file, []os.FileMode{0o600, 0o640, 0o644}[r.IntN(3)])
	case 7:
		w.touch(to)
		w.movedFile(file)
		err = exec.Command("cp", file, w.disk(to)).Run()
	case 8:
		err = writeFile(file, text)
	}
	w.note("outside %d %s %s: %v", way, p, to, err)
	return err == nil
}

// sweepSed removes what a sed that failed has left, wherever its folder is now.
func (w *world) sweepSed() {
	_ = w.walk(func(_, file string, entry os.DirEntry) { // a folder may go meanwhile: what stays is a fault of the next check
		if sedName.MatchString(entry.Name()) {
			_ = os.Remove(file)
		}
	})
}

// movedFile writes down the bytes of a file that another program is about to take elsewhere.
func (w *world) movedFile(file string) {
	if data, err := os.ReadFile(file); err == nil {
		w.moved(digest(string(data)))
	}
}

// slowly truncates a file and writes it in two halves.
func slowly(file, text string, pause time.Duration) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	time.Sleep(pause)
	if _, err = f.WriteString(text[:len(text)/2]); err == nil {
		time.Sleep(pause)
		_, err = f.WriteString(text[len(text)/2:])
	}
	if end := f.Close(); err == nil {
		err = end
	}
	return err
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if end := f.Close(); err == nil {
		err = end
	}
	return err
}

// stepGit commits two states of a folder and checks one out and the other.
func (w *world) stepGit(r *rand.Rand) (dayOutcome, string) {
	if _, err := exec.LookPath("git"); err != nil {
		return daySkipped, "git is not here"
	}
	w.touch("/memories/g", "/memories/.git")
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-C", w.store, "-c", "user.name=day", "-c", "user.email=day@example.org", "-c",
			"core.hooksPath=/dev/null"}, args...)...)
		c.Env = append(w.env(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := c.CombinedOutput()
		if err != nil {
			w.failf("the harness: git %v: %v, %s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(w.store, ".git")); err != nil {
		git("init", "-q", "-b", "one")
	}
	for _, branch := range []string{"one", "two"} {
		for i := range 2 + r.IntN(3) {
			w.must(writeFile(w.disk(fmt.Sprintf("/memories/g/%c.md", 'a'+i)), w.token()+"\nEND\n"))
		}
		git("add", "g")
		git("commit", "-q", "-m", branch)
		if branch == "one" {
			git("checkout", "-q", "-B", "two")
		}
	}
	git("checkout", "-q", "one")
	if r.IntN(2) == 0 {
		git("checkout", "-q", "two")
		git("checkout", "-q", "one")
	}
	return dayOK, ""
}
