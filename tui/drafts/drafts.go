// Package drafts lets users edit notes in their own editor. Each note is copied to a private file, which is written back through
// the handlers if the note has not changed in the meantime. A text that could not be written is kept until it is, even after the
// program has ended. The shell and the screens call it.
package drafts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// editUpTo is the largest file, in bytes, that an editor is given.
const editUpTo = 64 << 20

// The owners of the jobs around an editor.
const (
	ownerEdit     = "edit"
	ownerWrite    = "edit write"
	ownerLeftover = "leftover"
)

// Draft is a private copy of a note that is open in the editor, or whose text has not been written yet.
type Draft struct {
	Path   string // agent path
	Copy   *editedCopy
	Opened []byte // content of the note that the text is an edit of; nil: unknown

	offered []byte // what the copy began with, if it isn't Opened: unchanged, it isn't written
	marked  bool   // offered holds a text of the user between conflict marks: unchanged, it waits
	create  bool   // its note doesn't exist yet
}

// List holds the texts that were edited but not written, by agent path. All methods run on the Bubble Tea goroutine.
type List struct {
	Options
	// Exec hands the terminal to a program; tests replace it.
	Exec    func(*exec.Cmd, tea.ExecCallback) tea.Cmd
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	waiting map[string]*Draft
}

// Options are what a list needs.
type Options struct {
	Dir      string        // folder for the copies; empty: the system's folder for temporary files
	StateDir string        // of the store; copies that a killed process left there are offered
	Away     *atomic.Int32 // above 0 while another program has the terminal; may be nil
}

// New makes a list.
func New(env *kit.Env, shell act.Shell, queue *act.Queue, o Options) *List {
	return &List{Options: o, Exec: runInTerminal, env: env, shell: shell, edits: queue, waiting: map[string]*Draft{}}
}

// Waiting are the texts that were not written.
func (l *List) Waiting() map[string]*Draft { return l.waiting }

const (
	textNoEditor = "No editor set. Set VISUAL or EDITOR, as in EDITOR=nano"
	textNoCopy   = "Can't make a copy for the editor: its folder is full or read-only"
)

// ready is the outcome of preparing an edit.
type ready struct {
	draft   *Draft
	program editorProgram
	again   bool   // the unsaved text of an earlier edit
	why     string // why editing is impossible; else empty
}

// Discard removes a copy that will not be opened.
func (r ready) Discard() {
	if r.draft != nil && !r.again {
		_ = r.draft.Copy.Remove() // a private copy of what is in the store
	}
}

// begin opens the editor on a draft that make returns with its text, or on the one that waits, with the cursor on a line from 1.
func (l *List) begin(at string, line int, waits *Draft, make func(*memstore.Store) (d *Draft, text []byte, why string)) tea.Cmd {
	store, base := l.edits.Handlers, l.Dir
	return kit.Start(l.env.Jobs, kit.Job[ready]{
		Owner: ownerEdit, Label: kit.LabelOpen, Done: func(r ready) tea.Cmd { return l.open(r, line) },
		Work: func(context.Context, *kit.Progress) (ready, error) {
			program, err := findEditor(os.Getenv, exec.LookPath)
			if err != nil {
				return ready{why: textNoEditor}, nil
			}
			d, text, why := make(store)
			switch {
			case why != "":
				return ready{why: why}, nil
			case waits != nil: // it remains an edit of what was there at its beginning
				return ready{draft: waits, program: program, again: true}, nil
			case fixed(store, at):
				return ready{why: "Can't edit " + kit.PathText(at) + ": it is read-only"}, nil
			}
			d.Path = at
			if d.Copy, err = newEditedCopy(base, path.Base(at), text); err != nil {
				return ready{why: textNoCopy}, nil
			}
			_ = d.Copy.Note(at, text) // without it, a text left by a crash is not found
			return ready{draft: d, program: program}, nil
		},
	})
}

// Edit opens a note in the user's editor, at a line from 1.
func (l *List) Edit(at string, line int) tea.Cmd {
	return l.begin(at, line, l.waiting[at], func(store *memstore.Store) (*Draft, []byte, string) {
		opened, why := Read(store, at)
		return &Draft{Opened: opened}, opened, why
	})
}

// Create opens an empty text in the user's editor, for a note that doesn't exist yet.
func (l *List) Create(at string) tea.Cmd {
	return l.begin(at, 0, l.waiting[at], func(store *memstore.Store) (*Draft, []byte, string) {
		name, err := memstore.ParsePath(at)
		if err != nil {
			return nil, nil, act.TextBadPath
		}
		if _, err := store.Backend().Lstat(name); err == nil {
			return nil, nil, kit.PathText(at) + " exists already"
		}
		return &Draft{create: true}, nil, ""
	})
}

// EditMerged opens a text with conflicts. The result is written like any edit if the note still is ours, unless nothing but the
// conflict marks is in it.
func (l *List) EditMerged(at string, ours, text []byte) tea.Cmd {
	return l.begin(at, 0, nil, func(*memstore.Store) (*Draft, []byte, string) {
		return &Draft{Opened: ours, offered: text}, text, ""
	})
}

// EditFile opens the user's editor on a file of this machine, outside the store, with the cursor on a line.
func (l *List) EditFile(file string, line int) tea.Cmd {
	program, err := findEditor(os.Getenv, exec.LookPath)
	if err != nil {
		l.shell.Tell(kit.Info, textNoEditor)
		return nil
	}
	return l.run(program, file, line, func(error) tea.Cmd { return nil })
}

// run hands the terminal to the editor. ended is called when it is back, with why the editor failed.
func (l *List) run(program editorProgram, file string, line int, ended func(error) tea.Cmd) tea.Cmd {
	if l.Away != nil {
		l.Away.Add(1)
	}
	return l.Exec(program.Command(file, line), func(err error) tea.Msg {
		if l.Away != nil {
			time.AfterFunc(awayLonger, func() { l.Away.Add(-1) })
		}
		return kit.Call(func() tea.Cmd {
			if err != nil {
				l.shell.Tell(kit.Fail, fmt.Sprintf("Not saved: the editor %s (%s)", failure(err), text.Clean(program.String())))
			}
			return ended(err)
		})
	})
}

// shortestRun is how long a program that has the terminal takes at least. While it runs, the old renderer of Bubble Tea 2.1.1 stops the
// ticker that it shares with the next one. If the program ends before that has happened, the next renderer gets no ticks, and nothing is
// drawn any more.
const shortestRun = 200 * time.Millisecond

// terminalProgram is a program that gets the terminal. It implements [tea.ExecCommand].
type terminalProgram struct{ *exec.Cmd }

// runInTerminal is [tea.ExecProcess] for a [terminalProgram].
func runInTerminal(c *exec.Cmd, then tea.ExecCallback) tea.Cmd {
	return tea.Exec(terminalProgram{c}, then)
}

func (p terminalProgram) SetStdin(r io.Reader)  { p.Stdin = r }
func (p terminalProgram) SetStdout(w io.Writer) { p.Stdout = w }
func (p terminalProgram) SetStderr(w io.Writer) { p.Stderr = w }

func (p terminalProgram) Run() error {
	began := time.Now()
	err := p.Cmd.Run()
	time.Sleep(shortestRun - time.Since(began))
	return err
}

// awayLonger is how long after the end of an editor the terminal still counts as its own:
// this program gets the signal of ctrl+c as well.
const awayLonger = 300 * time.Millisecond

// failure describes how a process ended.
func failure(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() == 126 || exit.ExitCode() == 127 { // the numbers are of the shell
		return "can't be started; set VISUAL or EDITOR"
	}
	return "ended with " + exit.Error()
}

// open opens the editor. If it fails, as after :cq, nothing is written.
func (l *List) open(r ready, line int) tea.Cmd {
	if r.why != "" {
		l.shell.Tell(kit.Info, r.why)
		return nil
	}
	d := r.draft
	if r.again {
		l.waiting[d.Path] = d
		l.shell.Tell(kit.Info, "Back to your unsaved text")
	}
	return l.run(r.program, d.Copy.File(), line, func(err error) tea.Cmd {
		if err != nil {
			return l.keepChanged(d)
		}
		return l.write(d)
	})
}

// Read reads a note for an editor, or returns why that is impossible, as a sentence. It does I/O.
func Read(store *memstore.Store, at string) (data []byte, why string) {
	data, why = act.Read(store, at, editUpTo)
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, "Binary file: an editor would damage it"
	}
	return data, why
}

// fixed reports whether a store never changes a note. It does I/O.
func fixed(store *memstore.Store, at string) bool {
	b, ok := store.Backend().(memstore.Placer)
	name, err := memstore.ParsePath(at)
	return ok && err == nil && errors.Is(b.Changes(name), memstore.ErrFixed)
}

// outcome is what became of an edit.
type outcome struct {
	draft     *Draft // nil: there was nothing new in it
	unchanged bool
	kept      bool // nothing was written, or the copy cannot be read: the text waits
	gone      bool // the editor left no text behind
	merged    bool // with what was written to the note in the meantime
	again     bool // the note was deleted in the meantime
	counts    kit.Counts
	result    memstore.Result
	now       []byte      // the note as it is, if there is a conflict
	conflicts []undo.Part // none: there is none
}

// startWrite runs work that quitting waits for.
func (l *List) startWrite(work func(context.Context) outcome) tea.Cmd {
	return kit.Start(l.env.Jobs, kit.Job[outcome]{
		Owner: ownerWrite, Label: "writing your text", Write: true, Done: l.take,
		Work: func(ctx context.Context, _ *kit.Progress) (outcome, error) { return work(ctx), nil },
	})
}

// keepChanged keeps the copy of an editor that failed, if there is anything new in it.
func (l *List) keepChanged(d *Draft) tea.Cmd {
	return l.startWrite(func(context.Context) outcome {
		data, err := d.Copy.Read(editUpTo)
		if err == nil && bytes.Equal(data, d.Opened) {
			_ = d.Copy.Remove()
			return outcome{}
		}
		return unread(d, err)
	})
}

// unread ends an edit without writing its text, which waits unless the copy is gone. It does I/O.
func unread(d *Draft, err error) outcome {
	if errors.Is(err, errGone) {
		_ = d.Copy.Remove()
		return outcome{draft: d, gone: true}
	}
	return outcome{draft: d, kept: true}
}

// write writes the text of a draft. What was written to its note since it was opened stays, or is a conflict.
func (l *List) write(d *Draft) tea.Cmd {
	store, draft := l.edits.Handlers, *d // as it is now
	return l.startWrite(func(ctx context.Context) outcome {
		data, err := d.Copy.Read(editUpTo)
		if err != nil {
			return unread(d, err)
		}
		same := draft.offered != nil && bytes.Equal(data, draft.offered)
		if same && draft.marked {
			return outcome{draft: d, kept: true}
		}
		if same || draft.create && len(data) == 0 || draft.Opened != nil && bytes.Equal(data, draft.Opened) {
			_ = d.Copy.Remove()
			return outcome{draft: d, unchanged: true}
		}
		ended := outcome{}
		if _, err := store.Backend().Lstat(memstore.BackendName(d.Path)); errors.Is(err, memstore.ErrNotExist) {
			ended.again = !draft.create
			ended.result = store.Do(ctx, memstore.Command{Name: memstore.CmdCreate, Path: d.Path, FileText: string(data)})
		} else {
			ended = writeMerged(ctx, store, d.Path, draft.Opened, data)
		}
		ended.draft = d
		if !ended.result.IsError {
			_ = d.Copy.Remove()
		}
		return ended
	})
}

// mergeTries bounds how often a text is merged with a note that changes again.
const mergeTries = 5

// writeMerged writes a text that is an edit of opened, nil if that is unknown, with what was written to its note since. It does I/O.
func writeMerged(ctx context.Context, store *memstore.Store, at string, opened, data []byte) (ended outcome) {
	now, text := opened, data
	for range mergeTries {
		expected := memstore.WithExpectation(ctx, memstore.Expectation{Path: at, Digest: memstore.Sum(now)})
		if ended.result = store.Replace(expected, at, text); !errors.Is(ended.result.Err, memstore.ErrChanged) {
			break
		}
		var why string
		if now, why = Read(store, at); why != "" {
			return ended
		}
		switch {
		case bytes.Equal(now, data):
			return outcome{unchanged: true}
		case max(len(opened), len(now), len(data)) > act.ReadLimit:
			return outcome{result: memstore.Result{IsError: true, Content: "The note changed meanwhile and is too large to merge."}}
		case opened == nil:
			ended.now, ended.conflicts = now, undo.Differences(ctx, now, data)
			return ended
		}
		if text, ended.merged = undo.Merge(ctx, opened, now, data); !ended.merged {
			ended.now, ended.conflicts = now, undo.Parts(ctx, opened, now, data)
			return ended
		}
		if bytes.Equal(text, now) {
			return outcome{unchanged: true}
		}
	}
	if !ended.result.IsError {
		ended.counts.Added, ended.counts.Removed, _ = diff.Counts(now, text)
	}
	return ended
}

const textKept = "your text is kept. {global/edit} resumes, {global/drop-draft} drops it"

// take reports how an edit ended. It keeps an unsaved text.
func (l *List) take(e outcome) tea.Cmd {
	if e.draft == nil {
		return nil
	}
	at := e.draft.Path
	switch {
	case e.kept:
		l.keep(e.draft)
		l.shell.Tell(kit.Warn, l.env.Keyed("Not saved; "+textKept))
		return nil
	case len(e.conflicts) > 0:
		l.keep(e.draft)
		return l.resolve(e)
	case e.result.IsError:
		l.keep(e.draft)
		why := e.result.Content // as the agent would get it
		if errors.Is(e.result.Err, memstore.ErrFixed) {
			why = "Can't save " + kit.PathText(at) + ": " + memstore.Reason(e.result.Err) + "."
		}
		l.shell.Tell(kit.Fail, strings.TrimSuffix(why, ".")+l.env.Keyed(". Y"+textKept[1:]))
		return nil
	}
	delete(l.waiting, at)
	switch {
	case e.unchanged:
		l.shell.Tell(kit.Info, "No changes, nothing to save")
	case e.gone:
		l.shell.Tell(kit.Warn, "Not saved: the editor left no file")
	default:
		l.shell.Tell(kit.Info, l.savedText(e))
		if e.draft.create {
			l.env.Emit(act.Made{Path: at})
		}
	}
	return nil
}

// savedText says that an edit was written, merged with later ones or alone.
func (l *List) savedText(e outcome) string {
	said := "Saved " + kit.PathText(e.draft.Path)
	if n := e.counts.Text(l.env.Styles); n != "" {
		said += ", " + n
	}
	if e.merged {
		said += ", later edits kept"
	}
	if e.again {
		said += ", which was deleted meanwhile"
	}
	if key := l.edits.UndoKey(); key != "" {
		said += ". " + key + " undoes"
	}
	return said
}

// keep keeps an unsaved text. The message log has the path of its copy, for a user who quits without saving it.
func (l *List) keep(d *Draft) {
	l.waiting[d.Path] = d
	l.shell.Tell(kit.Warn, fmt.Sprintf("Unsaved text of %s: %s", kit.PathText(d.Path), d.Copy.File()))
}

// resolve lets the user decide the lines that both have changed. Leaving keeps the draft as it is: the next save asks again.
func (l *List) resolve(e outcome) tea.Cmd {
	d := e.draft
	return l.edits.Decide(act.Conflict{
		Title: "Changed while you edited", Path: d.Path, Other: "your text", Parts: e.conflicts,
		Take: func(text []byte, _ int) tea.Cmd {
			if bytes.Equal(text, e.now) {
				return l.drop(d.Path, "Kept the text there was, dropped yours")
			}
			d.Opened, d.offered, d.marked = e.now, nil, false // what the user has seen and decided about
			return l.rewrite(d, text, l.write)
		},
		Edit: func(marked []byte) tea.Cmd {
			next := *d
			next.Opened, next.offered, next.marked = e.now, marked, true
			return l.rewrite(&next, marked, func(d *Draft) tea.Cmd {
				return l.begin(d.Path, 0, d, func(*memstore.Store) (*Draft, []byte, string) { return d, nil, "" })
			})
		},
		Leave: kit.Do(func() { l.shell.Tell(kit.Warn, l.env.Keyed("Not saved; "+textKept)) }),
	})
}

// rewrite replaces the text of a draft, and goes on with it.
func (l *List) rewrite(d *Draft, text []byte, then func(*Draft) tea.Cmd) tea.Cmd {
	return kit.Start(l.env.Jobs, kit.Job[struct{}]{
		Owner: ownerWrite, Label: "writing your text", Write: true, Done: func(struct{}) tea.Cmd { return then(d) },
		Work: func(context.Context, *kit.Progress) (struct{}, error) { return struct{}{}, d.Copy.Write(text) },
	})
}

// Drop discards the text for a note that was edited but not written.
func (l *List) Drop(at string) tea.Cmd { return l.drop(at, "Dropped the unsaved text") }

func (l *List) drop(at, said string) tea.Cmd {
	d := l.waiting[at]
	if d == nil {
		l.shell.Tell(kit.Info, "No unsaved text of this file")
		return nil
	}
	delete(l.waiting, at)
	l.shell.Tell(kit.Info, said)
	return kit.Start(l.env.Jobs, kit.Job[struct{}]{
		Owner: ownerWrite, Label: "dropping your text", Write: true,
		Work: func(context.Context, *kit.Progress) (struct{}, error) { return struct{}{}, d.Copy.Remove() },
	})
}

// Moved follows a rename.
func (l *List) Moved(from, to string) {
	if d := l.waiting[from]; d != nil {
		delete(l.waiting, from)
		d.Path = to
		l.waiting[to] = d
	}
}

// Forget discards the content that notes had when they were opened: each difference from the current note is a conflict then.
func (l *List) Forget() {
	for _, d := range l.waiting {
		d.Opened, d.offered = nil, nil
	}
}
