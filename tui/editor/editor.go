// Package editor lets users edit notes in their own editor. Each note is copied to a private file, which is written back through
// the handlers, together with what was written to the note in the meantime. A text that could not be written stays in its file, which is
// named. The shell and the screens call it.
package editor

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
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// editUpTo is the largest file, in bytes, that an editor is given.
const editUpTo = 64 << 20

// The owners of the jobs around an editor.
const (
	ownerEdit  = "edit"
	ownerWrite = "edit write"
)

// draft is a private copy of a note that is open in the editor, or whose text has not been written yet.
type draft struct {
	path   string // agent path
	copy   *editedCopy
	opened []byte // content of the note that the text is an edit of

	offered []byte // what the copy began with, if it isn't opened: unchanged, it isn't written
	marked  bool   // offered holds a text of the user between conflict marks: unchanged, it stays in its file
	create  bool   // its note doesn't exist yet
}

// Editor opens notes in the user's editor, and writes what comes back. All methods run on the Bubble Tea goroutine.
type Editor struct {
	// Exec hands the terminal to a program; tests replace it.
	Exec  func(*exec.Cmd, tea.ExecCallback) tea.Cmd
	env   *kit.Env
	shell act.Shell
	edits *act.Queue
	dir   string // folder for the copies; empty: the system's folder for temporary files
}

// New makes an editor with a folder for its copies.
func New(env *kit.Env, shell act.Shell, queue *act.Queue, dir string) *Editor {
	return &Editor{Exec: runInTerminal, env: env, shell: shell, edits: queue, dir: dir}
}

const (
	textNoEditor = "No editor set. Set VISUAL or EDITOR, as in EDITOR=nano"
	textNoCopy   = "Can't make a copy for the editor: its folder is full or read-only"
)

// ready is the outcome of preparing an edit.
type ready struct {
	draft   *draft
	program editorProgram
	why     string // why editing is impossible; else empty
}

// Discard removes a copy that will not be opened.
func (r ready) Discard() {
	if r.draft != nil {
		_ = r.draft.copy.Remove() // a private copy of what is in the store
	}
}

// begin opens the editor on a draft that make returns with its text, with the cursor on a line from 1.
func (e *Editor) begin(at string, line int, make func(*memstore.Store) (d *draft, text []byte, why string)) tea.Cmd {
	store, base := e.edits.Handlers, e.dir
	return kit.Start(e.env.Jobs, kit.Job[ready]{
		Owner: ownerEdit, Label: kit.LabelOpen, Done: func(r ready) tea.Cmd { return e.open(r, line) },
		Work: func(context.Context, *kit.Progress) (ready, error) {
			program, err := findEditor(os.Getenv, exec.LookPath)
			if err != nil {
				return ready{why: textNoEditor}, nil
			}
			d, text, why := make(store)
			switch {
			case why != "":
				return ready{why: why}, nil
			case fixed(store, at):
				return ready{why: "Can't edit " + kit.PathText(at) + ": it is read-only"}, nil
			}
			d.path = at
			if d.copy, err = newEditedCopy(base, path.Base(at), text); err != nil {
				return ready{why: textNoCopy}, nil
			}
			return ready{draft: d, program: program}, nil
		},
	})
}

// Edit opens a note in the user's editor, at a line from 1.
func (e *Editor) Edit(at string, line int) tea.Cmd {
	return e.begin(at, line, func(store *memstore.Store) (*draft, []byte, string) {
		opened, why := Read(store, at)
		return &draft{opened: opened}, opened, why
	})
}

// Create opens an empty text in the user's editor, for a note that doesn't exist yet.
func (e *Editor) Create(at string) tea.Cmd {
	return e.begin(at, 0, func(store *memstore.Store) (*draft, []byte, string) {
		empty, _ := store.Preview(context.Background(), memstore.Command{Name: memstore.CmdCreate, Path: at})
		if empty.IsError && !errors.Is(empty.Err, memstore.ErrPermission) { // which a store may say of an empty text only
			return nil, nil, strings.TrimSuffix(empty.Content, ".")
		}
		return &draft{create: true}, nil, ""
	})
}

// EditMerged opens a text with conflicts. The result is written like any edit if the note still is ours, unless nothing but the
// conflict marks is in it.
func (e *Editor) EditMerged(at string, ours, text []byte) tea.Cmd {
	return e.editMarked(at, ours, text, false)
}

// editMarked is EditMerged; with marked the text stays in its file if the user leaves the marks as they are.
func (e *Editor) editMarked(at string, ours, text []byte, marked bool) tea.Cmd {
	return e.begin(at, 0, func(*memstore.Store) (*draft, []byte, string) {
		return &draft{opened: ours, offered: text, marked: marked}, text, ""
	})
}

// EditFile opens the user's editor on a file of this machine, outside the store, with the cursor on a line. Once it is closed,
// edited runs.
func (e *Editor) EditFile(file string, line int, edited func() tea.Cmd) tea.Cmd {
	program, err := findEditor(os.Getenv, exec.LookPath)
	if err != nil {
		e.shell.Tell(kit.Info, textNoEditor)
		return nil
	}
	return e.run(program, file, line, func(error) tea.Cmd { return edited() })
}

// run hands the terminal to the editor. ended is called when it is back, with why the editor failed.
func (e *Editor) run(program editorProgram, file string, line int, ended func(error) tea.Cmd) tea.Cmd {
	return e.Exec(program.Command(file, line), func(err error) tea.Msg {
		return kit.Call(func() tea.Cmd {
			if err != nil {
				e.shell.Tell(kit.Fail, failure(program, err))
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

// failure says how an editor failed.
func failure(program editorProgram, err error) string {
	how := "can't be started; set VISUAL or EDITOR"
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != 126 && exit.ExitCode() != 127 { // those numbers are of the shell
		how = "ended with " + exit.Error()
	}
	return fmt.Sprintf("Not saved: the editor %s (%s)", how, text.Clean(program.String()))
}

// open opens the editor. If it fails, as after :cq, nothing is written.
func (e *Editor) open(r ready, line int) tea.Cmd {
	if r.why != "" {
		e.shell.Tell(kit.Info, r.why)
		return nil
	}
	d := r.draft
	return e.run(r.program, d.copy.File(), line, func(err error) tea.Cmd {
		if err != nil {
			return e.keepChanged(d, failure(r.program, err))
		}
		return e.write(d)
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
	b, ok := store.Backend().(memstore.Partial)
	name, err := memstore.ParsePath(at)
	return ok && err == nil && errors.Is(b.Changes(name), memstore.ErrFixed)
}

// outcome is what became of an edit.
type outcome struct {
	draft     *draft // nil: there was nothing new in it
	unchanged bool
	kept      string // why nothing was written, though the text waits in its copy; ""
	gone      bool   // the editor left no text behind
	merged    bool   // with what was written to the note in the meantime
	again     bool   // the note was deleted in the meantime
	counts    kit.Counts
	result    memstore.Result
	now       []byte      // the note as it is, if there is a conflict
	conflicts []undo.Part // none: there is none
}

// startWrite runs work that quitting waits for.
func (e *Editor) startWrite(work func(context.Context) outcome) tea.Cmd {
	return kit.Start(e.env.Jobs, kit.Job[outcome]{
		Owner: ownerWrite, Label: "writing your text", Write: true, Done: e.take,
		Work: func(ctx context.Context, _ *kit.Progress) (outcome, error) { return work(ctx), nil },
	})
}

// keepChanged keeps the copy of an editor that failed, if there is anything new in it. why is how it failed.
func (e *Editor) keepChanged(d *draft, why string) tea.Cmd {
	return e.startWrite(func(context.Context) outcome {
		data, err := d.copy.Read(editUpTo)
		if err == nil && bytes.Equal(data, d.opened) {
			_ = d.copy.Remove()
			return outcome{}
		}
		if err != nil {
			return unread(d, err)
		}
		return outcome{draft: d, kept: why}
	})
}

// unread ends an edit whose text can't be read: it waits unless the copy is gone. It does I/O.
func unread(d *draft, err error) outcome {
	if errors.Is(err, errGone) {
		_ = d.copy.Remove()
		return outcome{draft: d, gone: true}
	}
	return outcome{draft: d, kept: "Not saved: " + text.Clean(err.Error())}
}

// write writes the text of a draft. What was written to its note since it was opened stays, or is a conflict.
func (e *Editor) write(d *draft) tea.Cmd {
	store, draft := e.edits.Handlers, *d // as it is now
	return e.startWrite(func(ctx context.Context) outcome {
		data, err := d.copy.Read(editUpTo)
		if err != nil {
			return unread(d, err)
		}
		same := draft.offered != nil && bytes.Equal(data, draft.offered)
		if draft.marked && (same || bytes.Contains(data, []byte(act.MarkCurrent)) || bytes.Contains(data, []byte(act.MarkOther))) {
			return outcome{draft: d, kept: "Not saved: conflict marks remain, <<<<<<< or >>>>>>>"}
		}
		if same || draft.create && len(data) == 0 || !draft.create && bytes.Equal(data, draft.opened) {
			_ = d.copy.Remove()
			return outcome{draft: d, unchanged: true}
		}
		ended := outcome{}
		if _, err := store.Backend().Lstat(memstore.BackendName(d.path)); errors.Is(err, memstore.ErrNotExist) {
			ended.again = !draft.create
			ended.result = store.Do(ctx, memstore.Command{Name: memstore.CmdCreate, Path: d.path, FileText: string(data)})
		} else {
			ended = writeMerged(ctx, store, d.path, draft.opened, data)
		}
		ended.draft = d
		if !ended.result.IsError {
			_ = d.copy.Remove()
		}
		return ended
	})
}

// mergeTries bounds how often a text is merged with a note that changes again.
const mergeTries = 5

// writeMerged writes a text that is an edit of opened, with what was written to the note since. It does I/O.
func writeMerged(ctx context.Context, store *memstore.Store, at string, opened, data []byte) (ended outcome) {
	now, text := opened, data
	for range mergeTries {
		expected := memstore.Sum(now)
		if ended.result = store.Replace(ctx, at, text, &expected); !errors.Is(ended.result.Err, memstore.ErrChanged) {
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

// take reports how an edit ended.
func (e *Editor) take(o outcome) tea.Cmd {
	if o.draft == nil {
		return nil
	}
	at := o.draft.path
	switch {
	case o.kept != "":
		e.stays(kit.Warn, o.kept, o.draft)
		return nil
	case len(o.conflicts) > 0:
		return e.resolve(o)
	case o.result.IsError:
		why := "Not saved: " + strings.TrimPrefix(o.result.Content, "Error: ")
		if errors.Is(o.result.Err, memstore.ErrFixed) {
			why = "Can't save " + kit.PathText(at) + ": " + memstore.Reason(o.result.Err)
		}
		e.stays(kit.Fail, strings.TrimSuffix(why, "."), o.draft)
		return nil
	case o.unchanged:
		e.shell.Tell(kit.Info, "No changes, nothing to save")
	case o.gone:
		e.shell.Tell(kit.Warn, "Not saved: the editor left no file")
	default:
		e.shell.Tell(kit.Info, e.savedText(o))
		if o.draft.create || o.again {
			e.env.Emit(act.Made{Path: at})
		}
	}
	return nil
}

// stays says why a text was not saved, and where it is.
func (e *Editor) stays(level kit.Level, why string, d *draft) {
	home, _ := os.UserHomeDir()
	said := why + ". Your text stays in " + text.Clean(text.Tilde(d.copy.File(), home))
	e.shell.Tell(level, said)
	e.shell.Open(kit.Box{Overlay: overlay.NewText(e.env, "Your text", said, level == kit.Fail)}) // the bar would cut the path
}

// savedText says that an edit was written, merged with later ones or alone.
func (e *Editor) savedText(o outcome) string {
	said := "Saved " + kit.PathText(o.draft.path)
	if n := o.counts.Text(e.env.Styles); n != "" {
		said += ", " + n
	}
	if o.merged {
		said += ", later edits kept"
	}
	if o.again {
		said += ", which was deleted meanwhile"
	}
	if key := e.edits.UndoKey(); key != "" {
		return said + ". " + key + " undoes"
	}
	if e.edits.NoJournal != "" {
		said += ". It can't be undone: there is no journal"
	}
	return said
}

// resolve lets the user decide the lines that both have changed.
func (e *Editor) resolve(o outcome) tea.Cmd {
	d := o.draft
	return e.edits.Decide(act.Conflict{
		Title: "Changed while you edited", Path: d.path, Other: "your text", Parts: o.conflicts,
		Take: func(text []byte, _ int) tea.Cmd {
			if bytes.Equal(text, o.now) {
				e.stays(kit.Info, "Kept the text there was", d)
				return nil
			}
			next := draft{path: d.path, copy: d.copy, opened: o.now} // what the user has seen and decided about
			return e.rewrite(&next, text, e.write)
		},
		Edit: func(marked []byte) tea.Cmd {
			return e.rewrite(d, marked, func(*draft) tea.Cmd {
				_ = d.copy.Remove()
				return e.editMarked(d.path, o.now, marked, true)
			})
		},
		Leave: kit.Do(func() { e.stays(kit.Warn, "Not saved: the conflict is undecided", d) }),
	})
}

// rewrite replaces the text of a draft, and goes on with it.
func (e *Editor) rewrite(d *draft, text []byte, then func(*draft) tea.Cmd) tea.Cmd {
	return kit.Start(e.env.Jobs, kit.Job[struct{}]{
		Owner: ownerWrite, Label: "writing your text", Write: true, Done: func(struct{}) tea.Cmd { return then(d) },
		Work: func(context.Context, *kit.Progress) (struct{}, error) { return struct{}{}, d.copy.Write(text) },
	})
}
