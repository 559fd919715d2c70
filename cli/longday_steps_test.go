//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

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
	}
	return dayCommand{Command: "view", Path: p}
}

// work lets an agent do a number of edits.
func (w *world) work(a *dayAgent, r *rand.Rand, n int) {
	for range n {
		a.does(w.edit(r))
	}
}

// stepExec lets agents of every dialect work, one after the other.
func (w *world) stepExec(r *rand.Rand) {
	for _, who := range r.Perm(3) {
		w.work(w.agent(who), r, 2+r.IntN(4))
	}
	if r.IntN(3) == 0 {
		w.dismiss()
	}
}

func (w *world) stepMCP(r *rand.Rand) { w.work(w.agent(3), r, 6+r.IntN(6)) }

// stepCrowd lets agents and another program work on the same files at once.
func (w *world) stepCrowd(r *rand.Rand) {
	var parts []func()
	for who := range 4 {
		a, own := w.agent(who), rand.New(rand.NewPCG(r.Uint64(), 1))
		parts = append(parts, func() { w.work(a, own, 6) })
	}
	other := rand.New(rand.NewPCG(r.Uint64(), 2))
	w.together(append(parts, func() { w.stepOutside(other) })...)
}

// disk is where an agent path is.
func (w *world) disk(p string) string {
	return filepath.Join(w.store, filepath.FromSlash(strings.TrimPrefix(p, "/memories")))
}

// stepOutside edits as other programs do.
func (w *world) stepOutside(r *rand.Rand) {
	for range 4 + r.IntN(4) {
		w.editOutside(r)
	}
}

// editOutside edits a file as another program does; a file that is not there is no fault.
func (w *world) editOutside(r *rand.Rand) {
	p := sharedPath(r)
	file, text, to := w.disk(p), "outside "+w.token()+"\nEND\n", sharedPath(r)
	way := r.IntN(7)
	w.touch(p)
	var err error
	switch way {
	case 0: // an editor that writes beside and renames over; the folder may get another name between the two
		beside := strings.TrimSuffix(p, ".md") + "-new.md"
		w.touch(beside)
		if err = writeFile(w.disk(beside), text); err == nil {
			err = os.Rename(w.disk(beside), file)
		}
	case 1: // one that truncates, and is slow
		err = slowly(file, text, time.Duration(r.IntN(30))*time.Millisecond)
	case 2:
		err = appendTo(file, text)
	case 3:
		err = os.Remove(file)
	case 4: // a file that an agent may have written gets another name
		w.touch(to)
		w.movedFile(file)
		err = os.Rename(file, w.disk(to))
	case 5:
		w.touch(to)
		w.movedFile(file)
		err = exec.Command("cp", file, w.disk(to)).Run()
	case 6:
		err = writeFile(file, text)
	}
	w.note("outside %d %s %s: %v", way, p, to, err)
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
