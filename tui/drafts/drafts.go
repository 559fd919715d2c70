// Package drafts lets the user edit notes in an editor of their own: each gets a private copy, which is written through the
// handlers afterwards if the note still is what was opened. A text that could not be written is kept until it is, also over the end
// of the program. The shell and the screens call it.
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
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/editor"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// Limit bounds the file that is given to an editor, in bytes.
const Limit = 64 << 20

// atOnce is how fast an editor returns that only opened a window of its own.
const atOnce = time.Second

// The owners of the jobs around an editor.
const (
	ownerEdit     = "edit"
	ownerWrite    = "edit write"
	ownerLeftover = "leftover"
)

// labelWrite is what the jobs that write are called.
const labelWrite = "running the command"

// Draft is a private copy of a note that is in the editor, or whose text was not written yet.
type Draft struct {
	Path   string // agent path
	Copy   *editor.Copy
	Opened []byte // what the note held when the editor was opened
	// offered is what the copy was filled with instead, as long as it is unchanged no text to write; nil: Opened.
	offered []byte
	request Request
}

// List holds the texts that were edited and not written, by agent path. All methods run on the Bubble Tea goroutine.
type List struct {
	Options
	// Exec gives the terminal to a program; tests replace it.
	Exec    func(*exec.Cmd, tea.ExecCallback) tea.Cmd
	env     *ui.Env
	shell   *ui.Shell
	edits   *edits.Queue
	waiting map[string]*Draft
}

// Options are what a list needs.
type Options struct {
	Store    func() *memstore.Store
	Dir      string // folder for the copies; empty: that for temporary files
	StateDir string // of the store; what a killed process has left there is offered
	ReadOnly bool
	Away     *atomic.Int32          // above 0 while another program has the terminal; nil: nobody asks
	Exists   func(path string) bool // in the tree on the screen
}

// New makes a list.
func New(env *ui.Env, shell *ui.Shell, queue *edits.Queue, o Options) *List {
	return &List{Options: o, Exec: tea.ExecProcess, env: env, shell: shell, edits: queue, waiting: map[string]*Draft{}}
}

// Waiting are the texts that were not written.
func (l *List) Waiting() map[string]*Draft { return l.waiting }

// Request asks for a text to be edited that is not, or not only, the one of its note.
type Request struct {
	Path string
	// Text makes what the editor shows; why says in a sentence why there is nothing. It does I/O. nil: the text of the note.
	Text func() (text []byte, why string)
	// Ended is called instead of writing, when the editor has ended; nil: the text is written.
	Ended func(*Draft) tea.Cmd
	// Written is called instead of a message, when the text is written; nil: it is told.
	Written func() tea.Cmd
}

// ready ends the preparation of an edit.
type ready struct {
	draft   *Draft
	program editor.Program
	line    int
	again   bool   // the text of an earlier edit that was not written
	why     string // why there is nothing to edit; else empty
}

// Discard takes away what nobody will open any more.
func (r ready) Discard() {
	if r.draft != nil && !r.again {
		_ = r.draft.Copy.Remove() // a private copy of what is in the store
	}
}

// Ended is what became of a text.
type Ended struct {
	draft     *Draft // nil: there was nothing new in it
	unchanged bool
	atOnce    bool  // unchanged: the editor may only have opened a window
	kept      bool  // nothing was tried, or the copy cannot be read: the text waits
	gone      bool  // the editor left no text behind
	written   int64 // bytes
	result    memstore.Result
}

const (
	textNoEditor = "no editor is set: set VISUAL or EDITOR, as in EDITOR=nano"
	textNoCopy   = "no copy for the editor can be made: the folder for it is full or not writable"
)

// Edit opens a note in the user's editor, at a line from 1.
func (l *List) Edit(at string, line int) tea.Cmd {
	store, base, before := l.Store(), l.Dir, l.waiting[at]
	return l.prepare(func(program editor.Program) ready {
		opened, why := Read(store, at)
		if why != "" {
			return ready{why: why}
		}
		d := &Draft{Path: at, Opened: opened}
		if before != nil {
			d.Copy = before.Copy
			return ready{draft: d, program: program, line: line, again: true}
		}
		var err error
		if d.Copy, err = editor.NewCopy(base, path.Base(at), opened); err != nil {
			return ready{why: textNoCopy}
		}
		_ = d.Copy.Note(at, opened) // without it a crash leaves a text that nobody finds
		return ready{draft: d, program: program, line: line}
	})
}

// EditMerged opens a text with conflicts. What comes back is written like any edit, if the note still is ours; the marks alone
// are not.
func (l *List) EditMerged(at string, ours, text []byte) tea.Cmd {
	base := l.Dir
	return l.prepare(func(program editor.Program) ready {
		d := &Draft{Path: at, Opened: ours, offered: text}
		var err error
		if d.Copy, err = editor.NewCopy(base, path.Base(at), text); err != nil {
			return ready{why: textNoCopy}
		}
		_ = d.Copy.Note(at, text) // without it a crash leaves a text that nobody finds
		return ready{draft: d, program: program}
	})
}

// EditText opens the text of a request.
func (l *List) EditText(r Request) tea.Cmd {
	store, base := l.Store(), l.Dir
	return l.prepare(func(program editor.Program) ready {
		opened, why := Read(store, r.Path)
		if why != "" {
			return ready{why: why}
		}
		text, why := r.Text()
		if why != "" {
			return ready{why: why}
		}
		d := &Draft{Path: r.Path, Opened: opened, request: r}
		var err error
		if d.Copy, err = editor.NewCopy(base, path.Base(r.Path), text); err != nil {
			return ready{why: textNoCopy}
		}
		return ready{draft: d, program: program}
	})
}

// prepare finds the editor and makes the copy in a job.
func (l *List) prepare(work func(editor.Program) ready) tea.Cmd {
	return ui.Start(l.env.Jobs, ui.Job[ready]{
		Owner: ownerEdit, Label: ui.LabelOpen, Done: l.open,
		Work: func(context.Context, *ui.Progress) (ready, error) {
			program, err := editor.Find(os.Getenv, exec.LookPath)
			if err != nil {
				return ready{why: textNoEditor}, nil
			}
			return work(program), nil
		},
	})
}

// Read reads a whole file; why says in a sentence what is in the way. It does I/O.
func Read(store *memstore.Store, at string) (data []byte, why string) {
	name, err := memstore.ParsePath(at)
	if err != nil {
		return nil, edits.TextBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, ui.TextFileGone
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil || info.Kind != memstore.KindFile {
		return nil, ui.TextFileGone
	}
	if info.Size > Limit {
		return nil, "the file is larger than 64 MiB, too large to be edited here"
	}
	data = make([]byte, info.Size)
	if n, err := f.ReadAt(data, 0); int64(n) != info.Size || err != nil && !errors.Is(err, io.EOF) {
		return nil, ui.TextFileGone
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, "this is no text: an editor would damage it"
	}
	return data, ""
}

// open hands the terminal to the editor.
func (l *List) open(r ready) tea.Cmd {
	if r.why != "" {
		l.shell.Tell(ui.Info, r.why)
		return nil
	}
	if r.again {
		l.shell.Tell(ui.Info, "your text that was not written is taken up again")
	}
	began, back := time.Now(), l.leaveTerminal()
	return l.Exec(r.program.Command(r.draft.Copy.File(), r.line), func(err error) tea.Msg {
		back()
		took := time.Since(began)
		return ui.Call(func() tea.Cmd { return l.closed(r, err, took) })
	})
}

// awayLonger is how long after the end of an editor the terminal still counts as its own:
// the signal of ctrl+c reaches us beside it.
const awayLonger = 300 * time.Millisecond

// leaveTerminal says that another program has the terminal, until back is called.
func (l *List) leaveTerminal() (back func()) {
	away := l.Away
	if away == nil {
		return func() {}
	}
	away.Add(1)
	return func() { time.AfterFunc(awayLonger, func() { away.Add(-1) }) }
}

// closed takes over what the editor left. An editor that failed, as by :cq, asks for nothing to be written.
func (l *List) closed(r ready, err error, took time.Duration) tea.Cmd {
	d := r.draft
	if err != nil {
		l.shell.Tell(ui.Fail, editorFailedText(text.Clean(r.program.String()), failure(err)))
		return l.keepChanged(d)
	}
	if d.request.Ended != nil {
		return d.request.Ended(d)
	}
	return l.write(d, true, took < atOnce)
}

// editorFailedText says why nothing came of an editor.
func editorFailedText(editor, why string) string {
	return fmt.Sprintf("nothing is written: the editor %s (%s)", why, editor)
}

const textEditorNotStarted = "cannot be started, set VISUAL or EDITOR to another one"

// failure says how a process ended.
func failure(err error) string {
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return textEditorNotStarted
	case exit.ExitCode() == 126 || exit.ExitCode() == 127: // of the shell
		return textEditorNotStarted
	case exit.ExitCode() < 0:
		return "was ended by a signal"
	default:
		return fmt.Sprintf("ended with status %d", exit.ExitCode())
	}
}

// keepChanged keeps the copy of an editor that failed, if there is anything new in it.
func (l *List) keepChanged(d *Draft) tea.Cmd {
	return l.startWrite(func(context.Context) Ended {
		data, err := d.Copy.Read(Limit)
		if err == nil && bytes.Equal(data, d.Opened) {
			_ = d.Copy.Remove()
			return Ended{}
		}
		return Unread(d, err)
	})
}

func (l *List) startWrite(work func(context.Context) Ended) tea.Cmd {
	return ui.Start(l.env.Jobs, ui.Job[Ended]{
		Owner: ownerWrite, Label: labelWrite, Write: true, Done: l.Take,
		Work: func(ctx context.Context, _ *ui.Progress) (Ended, error) { return work(ctx), nil },
	})
}

// Unread is how an edit ends whose text was not tried: it waits, unless it is gone. It does I/O.
func Unread(d *Draft, err error) Ended {
	if errors.Is(err, editor.ErrGone) {
		_ = d.Copy.Remove()
		return Ended{draft: d, gone: true}
	}
	return Ended{draft: d, kept: true}
}

// Write writes the text of a draft, if its note still is what was opened.
func (l *List) Write(d *Draft) tea.Cmd { return l.write(d, true, false) }

// write does so in a job that quitting does not cut. hint: say, when nothing was changed, that the editor may have returned too
// early.
func (l *List) write(d *Draft, checked, hint bool) tea.Cmd {
	store, at := l.Store(), d.Path
	return l.startWrite(func(ctx context.Context) Ended {
		data, err := d.Copy.Read(Limit)
		if err != nil {
			return Unread(d, err)
		}
		if bytes.Equal(data, d.Opened) || d.offered != nil && bytes.Equal(data, d.offered) {
			_ = d.Copy.Remove()
			return Ended{draft: d, unchanged: true, atOnce: hint}
		}
		ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
		if checked {
			ctx = memstore.WithExpectation(ctx, memstore.Expectation{Path: at, Digest: memstore.Sum(d.Opened)})
		}
		r := store.Replace(ctx, at, data)
		if !r.IsError {
			_ = d.Copy.Remove()
		}
		return Ended{draft: d, written: int64(len(data)), result: r}
	})
}

const (
	textKept = "not written; your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it"
	TextGone = "nothing is written: the editor left no file behind"
)

// Take tells how an edit ended. A text that was not written is kept.
func (l *List) Take(e Ended) tea.Cmd {
	if e.draft == nil {
		return nil
	}
	at := e.draft.Path
	switch {
	case e.unchanged:
		delete(l.waiting, at)
		l.shell.Tell(ui.Info, unchangedText(e.atOnce))
	case e.gone:
		delete(l.waiting, at)
		l.shell.Tell(ui.Warn, TextGone)
	case e.kept:
		l.keep(e.draft)
		l.shell.Tell(ui.Warn, l.env.Keyed(textKept))
	case errors.Is(e.result.Err, memstore.ErrChanged) && l.Exists(at):
		l.keep(e.draft)
		l.shell.Tell(ui.Warn, l.env.Keyed(textKept))
		return l.conflict(e.draft)
	case e.result.IsError:
		l.keep(e.draft)
		l.shell.Tell(ui.Fail, draftRefusedText(l.env, e.result.Content))
	case e.draft.request.Written != nil:
		delete(l.waiting, at)
		return e.draft.request.Written()
	default:
		delete(l.waiting, at)
		l.shell.Tell(ui.Info, fmt.Sprintf("written: %s, %s", at, memstore.FormatSize(l.Store().Dialect(), e.written)))
	}
	return nil
}

// unchangedText says that an edit changed nothing. atOnce: the editor returned so fast that
// it may go on in a window of its own.
func unchangedText(atOnce bool) string {
	if atOnce {
		return "nothing was changed; an editor with a window of its own must be told to wait, as in code --wait"
	}
	return "nothing was changed, nothing is written"
}

// FileText says where a text lies that was not written.
func FileText(path, file string) string {
	return fmt.Sprintf("the text for %s that was not written is kept in %s", path, file)
}

// draftRefusedText says that an edit was refused, and where its text is.
func draftRefusedText(e *ui.Env, why string) string {
	return why + e.Keyed(" Your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it")
}

// keep holds on to a text that was not written. Where it lies is in the log of messages, for whoever leaves before it is written.
func (l *List) keep(d *Draft) {
	l.waiting[d.Path] = d
	l.shell.Tell(ui.Warn, FileText(d.Path, d.Copy.File()))
}

const textEditConflictFooter = "what you opened against what is there now: {confirm/yes} writes your text over it, {confirm/no} keeps your text for later"

// conflict shows what changed while the file was in the editor.
func (l *List) conflict(d *Draft) tea.Cmd {
	opened := func() ([]byte, string) {
		if len(d.Opened) > edits.ReadLimit {
			return nil, edits.TextTooLarge
		}
		return d.Opened, ""
	}
	write := func() tea.Cmd { return l.write(d, false, false) }
	return l.edits.ShowConflict(d.Path, textEditConflictFooter, opened, ui.Answers(write, nil))
}

// Drop forgets the text for a note that was edited and not written.
func (l *List) Drop(at string) tea.Cmd {
	d := l.waiting[at]
	if d == nil {
		l.shell.Tell(ui.Info, "there is no text of this file that waits to be written")
		return nil
	}
	delete(l.waiting, at)
	l.shell.Tell(ui.Info, "the text that was not written is dropped")
	return ui.Start(l.env.Jobs, ui.Job[struct{}]{
		Owner: ownerWrite, Label: labelWrite, Write: true,
		Work: func(context.Context, *ui.Progress) (struct{}, error) { return struct{}{}, d.Copy.Remove() },
	})
}

// Moved goes along with a rename.
func (l *List) Moved(from, to string) {
	if d := l.waiting[from]; d != nil {
		delete(l.waiting, from)
		d.Path = to
		l.waiting[to] = d
	}
}

// Forget drops what the notes held when they were opened: what is written is compared with the note as it is now.
func (l *List) Forget() {
	for _, d := range l.waiting {
		d.Opened, d.offered = nil, nil
	}
}
