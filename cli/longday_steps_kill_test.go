//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// instant is a moment in the life of a process of a kind: a part of how long one takes that is not killed, and
// sometimes very early. The decision is the part; how long that is depends on the machine.
func (w *world) instant(r *rand.Rand, kind string) time.Duration {
	w.day.mu.Lock()
	usual, ok := w.day.usual[kind]
	w.day.mu.Unlock()
	if !ok {
		usual = 60 * time.Millisecond
	}
	return time.Duration(r.Float64() * 1.1 * float64(usual))
}

// took writes down how long a process of a kind takes on this machine now.
func (w *world) took(kind string, d time.Duration) {
	w.day.mu.Lock()
	defer w.day.mu.Unlock()
	if old, ok := w.day.usual[kind]; ok {
		d = (3*old + d) / 4
	}
	w.day.usual[kind] = d
}

func (w *world) killed() {
	w.day.mu.Lock()
	w.day.kills++
	w.day.mu.Unlock()
}

// cut starts a command and kills it at some moment. It reports whether it was killed, or what it left.
func (w *world) cut(r *rand.Rand, args ...string) (bool, outcome) {
	kind := args[0]
	at := w.instant(r, kind)
	p := w.begin("", args...)
	timer := time.AfterFunc(at, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait() // the status says it
	timer.Stop()
	if p.cmd.ProcessState.Exited() {
		w.took(kind, time.Since(p.begun))
		o := outcome{p.cmd.ProcessState.ExitCode(), p.out.String(), p.errs.String()}
		w.note("%s ended before it was killed: %d %s", kind, o.code, firstLine(o.err))
		w.spoken(kind, o)
		return false, o
	}
	w.took(kind, max(at*5/4, 20*time.Millisecond))
	w.killed()
	w.note("%s killed after %v", strings.ReplaceAll(strings.Join(args, " "), w.root, ""), at)
	return true, outcome{}
}

func killedOr(killed bool) (dayOutcome, string) {
	if killed {
		return dayKilled, ""
	}
	return dayRefused, "ended before it was killed"
}

// stepKillExec kills agents while they make notes in new folders and replace notes of other modes.
func (w *world) stepKillExec(r *rand.Rand) (dayOutcome, string) { return w.killAgent(r, r.IntN(3)) }

func (w *world) stepKillMCP(r *rand.Rand) (dayOutcome, string) { return w.killAgent(r, 3) }

func (w *world) killAgent(r *rand.Rand, who int) (dayOutcome, string) {
	for i := range 3 { // replacing keeps the mode, and a temporary file may have it
		p := fmt.Sprintf("/memories/n/%c.md", 'a'+i)
		w.touch(p)
		_ = os.Chmod(w.disk(p), 0o644) // if the path is gone, nothing can read it anyway
	}
	w.catchUp()
	for range 3 {
		a := w.hire(who)
		a.does(dayCommand{Command: "view", Path: "/memories"})
		at := time.Duration(r.Float64() * float64(40*time.Millisecond))
		timer := time.AfterFunc(at, func() { _ = a.cmd.Process.Kill() })
		own := rand.New(rand.NewPCG(r.Uint64(), 1))
		for {
			c := w.edit(own)
			if own.IntN(2) == 0 {
				c = dayCommand{Command: "create", Path: w.newPath(own), FileText: w.body(own)}
			}
			e, text, err := a.ask(c)
			if err != nil {
				break
			}
			w.lockHeld(e, text)
		}
		timer.Stop()
		a.kill()
		w.killed()
		w.note("%s killed %v after its first answer", a.session, at)
		w.check()
	}
	return dayKilled, ""
}

// stepKillDelete kills an agent while it deletes, or moves, a folder of many notes.
func (w *world) stepKillDelete(r *rand.Rand) (dayOutcome, string) {
	folder := "/memories/t" + strings.TrimPrefix(w.token(), "word")
	maker := w.agent(r.IntN(3))
	for i := range 30 {
		maker.does(dayCommand{Command: "create", Path: fmt.Sprintf("%s/%c/f%d.md", folder, 'a'+i%4, i), FileText: w.body(r)})
	}
	a := w.hire(r.IntN(4))
	a.does(dayCommand{Command: "view", Path: "/memories"})
	c := dayCommand{Command: "delete", Path: folder}
	if r.IntN(4) == 0 {
		c = dayCommand{Command: "rename", OldPath: folder, NewPath: folder + "-moved"}
	}
	at := w.instant(r, "delete")
	begun := time.Now()
	timer := time.AfterFunc(at, func() { _ = a.cmd.Process.Kill() })
	_, _, err := a.ask(c)
	timer.Stop()
	if err == nil {
		w.took("delete", time.Since(begun))
	} else {
		w.killed()
	}
	a.kill()
	w.note("%s of a folder, killed %v", c.Command, err != nil)
	return killedOr(err != nil)
}

// stepKillApply kills an apply, and then an undo; what each did of it may be there or not.
func (w *world) stepKillApply(r *rand.Rand) (dayOutcome, string) {
	for range 8 {
		w.expire(1, r.IntN(3))
	}
	w.catchUp()
	w.anywhere()
	killed, _ := w.cut(r, "apply", w.store, "--yes")
	w.check()
	w.anywhere()
	if again, _ := w.cut(r, "undo", w.store); again {
		killed = true
	}
	return killedOr(killed)
}

// anywhere says that a curator who may be killed is at work, who may have got anywhere.
func (w *world) anywhere() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bymany["/memories"] = true
}

func (w *world) stepKillRestore(r *rand.Rand) (dayOutcome, string) {
	a := w.agent(r.IntN(4))
	top := "/memories/t" + strings.TrimPrefix(w.token(), "word")
	for i := range 12 {
		a.does(dayCommand{Command: "create", Path: fmt.Sprintf("%s/%c/f%d.md", top, 'a'+i%3, i), FileText: w.body(r)})
	}
	a.does(dayCommand{Command: "delete", Path: top})
	w.anywhere()
	return killedOr(first(w.cut(r, "restore", w.store, top)))
}

func first[A, B any](a A, _ B) A { return a }

func (w *world) stepKillReplay(r *rand.Rand) (dayOutcome, string) {
	file, edits := w.transcript(r)
	killed, o := w.cut(r, "replay", file, "--into", w.store, "--yes")
	if !killed && o.code == 0 {
		for _, e := range edits {
			w.answered(e, false)
		}
	}
	return killedOr(killed)
}

// stepKillPurge kills a purge, or a scrub, and has it ended by the next one.
func (w *world) stepKillPurge(r *rand.Rand) (dayOutcome, string) {
	w.leak(r)
	w.anywhere()
	args := []string{"scrub", w.store, "--yes"}
	if r.IntN(4) > 0 {
		args = append(args, "--purge-history")
	}
	killed, o := w.cut(r, args...)
	w.anywhere()
	if killed || len(args) == 3 || o.code != 0 {
		o = w.try("scrub", w.store, "--purge-history", "--yes", "--json")
	}
	if o.code != 0 {
		w.failf("the purge that was killed cannot be ended: status %d, %s", o.code, o.err)
	}
	w.purgedNow()
	return killedOr(killed)
}

// stepKillScreen kills the interface while it works: at rest, at an edit, or in a purge.
func (w *world) stepKillScreen(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	purge := r.IntN(2) == 0
	if purge {
		p := w.leak(r)
		w.anywhere()
		s.acceptAll(p)
		s.press("y")
	} else {
		w.anywhere()
		s.line(fmt.Sprintf(`create %s "%s\nEND\n"`, w.newPath(r), w.token()))
	}
	time.Sleep(w.instant(r, "screen")) // a random moment is what is wanted here
	s.kill()
	w.screen = nil
	w.killed()
	w.note("interface killed, purge %v", purge)
	if purge {
		if o := w.try("scrub", w.store, "--purge-history", "--yes"); o.code != 0 {
			w.failf("the purge that was killed cannot be ended: status %d, %s", o.code, o.err)
		}
		w.purgedNow()
	}
	return dayKilled, ""
}

// stepKillMove kills doctor while it takes over the journal of a store that moved, and lets it try again.
func (w *world) stepKillMove(r *rand.Rand) (dayOutcome, string) {
	w.quitScreen()
	w.dismiss()
	log := len(w.newest())
	from, killed := w.store, false
	for _, to := range []string{from + "-moved", from} {
		at := w.store
		w.must(os.Rename(at, to))
		w.store = to
		cut, o := w.cut(r, "doctor", to, "--relink", at)
		if killed = killed || cut; cut || o.code != 0 {
			o = w.try("doctor", to, "--relink", at)
		}
		if n := len(w.newest()); n != log {
			w.failf("after the move the log has %d revisions and had %d: %s", n, log, o.err)
		}
	}
	return killedOr(killed)
}
