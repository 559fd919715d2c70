//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// instant is a moment in the life of a process that is to be killed: few take longer.
func instant(r *rand.Rand) time.Duration {
	return time.Duration(r.Float64() * float64(80*time.Millisecond))
}

// cut starts a command and kills it at some moment.
func (w *world) cut(r *rand.Rand, args ...string) {
	at := instant(r)
	p := w.begin("", args...)
	timer := time.AfterFunc(at, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait() // the status says it
	timer.Stop()
	if p.cmd.ProcessState.Exited() {
		o := outcome{p.cmd.ProcessState.ExitCode(), p.out.String(), p.errs.String()}
		w.note("%s ended before it was killed: %d %s", args[0], o.code, firstLine(o.err))
		w.spoken(args[0], o)
		return
	}
	w.day.kills++
	w.note("%s killed after %v", strings.ReplaceAll(strings.Join(args, " "), w.root, ""), at)
}

// stepKillExec kills agents while they make notes in new folders and replace notes of other modes.
func (w *world) stepKillExec(r *rand.Rand) { w.killAgent(r, r.IntN(3)) }

func (w *world) stepKillMCP(r *rand.Rand) { w.killAgent(r, 3) }

func (w *world) killAgent(r *rand.Rand, who int) {
	for i := range 3 { // replacing keeps the mode, and a temporary file may have it
		p := fmt.Sprintf("/memories/n/%c.md", 'a'+i)
		w.touch(p)
		_ = os.Chmod(w.disk(p), 0o644) // if the path is gone, nothing can read it anyway
	}
	w.catchUp()
	for range 3 {
		a := w.hire(who)
		a.does(dayCommand{Command: "view", Path: "/memories"})
		at := instant(r)
		timer := time.AfterFunc(at, func() { _ = a.cmd.Process.Kill() })
		own := rand.New(rand.NewPCG(r.Uint64(), 1))
		for {
			c := w.edit(own)
			if own.IntN(2) == 0 {
				c = dayCommand{Command: "create", Path: w.newPath(own), FileText: w.body(own)}
			}
			if _, _, err := a.ask(c); err != nil {
				break
			}
		}
		timer.Stop()
		a.kill()
		w.day.kills++
		w.note("%s killed %v after its first answer", a.session, at)
		w.check()
	}
}

// stepKillDelete kills an agent while it deletes, or moves, a folder of many notes.
func (w *world) stepKillDelete(r *rand.Rand) {
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
	timer := time.AfterFunc(instant(r), func() { _ = a.cmd.Process.Kill() })
	_, _, err := a.ask(c)
	timer.Stop()
	if err != nil {
		w.day.kills++
	}
	a.kill()
	w.note("%s of a folder, killed %v", c.Command, err != nil)
}

// anywhere says that a curator who may be killed is at work, who may have got anywhere.
func (w *world) anywhere() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bymany["/memories"] = true
}

func (w *world) stepKillRestore(r *rand.Rand) {
	a := w.agent(r.IntN(4))
	top := "/memories/t" + strings.TrimPrefix(w.token(), "word")
	for i := range 12 {
		a.does(dayCommand{Command: "create", Path: fmt.Sprintf("%s/%c/f%d.md", top, 'a'+i%3, i), FileText: w.body(r)})
	}
	a.does(dayCommand{Command: "delete", Path: top})
	w.anywhere()
	w.cut(r, "restore", w.store, top)
}
