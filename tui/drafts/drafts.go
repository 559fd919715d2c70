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
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/act"

	"memcurator/tui/kit"
	"memcurator/tui/merge"
)

// Limit is the largest file, in bytes, that an editor is given.
const Limit = 64 << 20

// atOnce is how quickly an editor returns if it only opened a window of its own.
const atOnce = time.Second

// The owners of the jobs around an editor.
const (
	ownerEdit     = "edit"
	ownerWrite    = "edit write"
	ownerLeftover = "leftover"
)

// labelWrite is the label of jobs that write.
const labelWrite = "running the command"

// Draft is a private copy of a note that is open in the editor, or whose text has not been written yet.
type Draft struct {
	Path   string // agent path
	Copy   *editedCopy
	Opened []byte // content of the note that the text is an edit of; nil: unknown
	// offered is the initial content of the copy if it is not Opened; nil: it is. Unchanged, it is not written.
	offered []byte
	create  func(path string) tea.Cmd // the note doesn't exist yet; it is called when the text is written. nil: it does
	marked  bool                      // offered holds a text of the user between conflict markers: unchanged, it waits
	request Request
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
	return &List{Options: o, Exec: tea.ExecProcess, env: env, shell: shell, edits: queue, waiting: map[string]*Draft{}}
}

// Waiting are the texts that were not written.
func (l *List) Waiting() map[string]*Draft { return l.waiting }

// Request is the edit of a text that is not, or not only, that of its note.
type Request struct {
	Path string
	// Text returns what the editor shows, or why it shows none, as a sentence. It does I/O. nil: the text of the note.
	Text func() (text []byte, why string)
	// Ended is called when the editor has ended, instead of writing the text; nil: the text is written.
	Ended func(*Draft) tea.Cmd
	// Same is called instead of Ended where the editor left the text that the note has; may be nil.
	Same func() tea.Cmd
	// Written is called when the text is written, instead of showing a message; may be nil.
	Written func() tea.Cmd
}

// ready is the outcome of preparing an edit.
type ready struct {
	draft   *Draft
	program editorProgram
	line    int
	again   bool   // the unsaved text of an earlier edit
	why     string // why editing is impossible; else empty
}

// Discard removes a copy that will not be opened.
func (r ready) Discard() {
	if r.draft != nil && !r.again {
		_ = r.draft.Copy.Remove() // a private copy of what is in the store
	}
}

// Ended is the outcome of an edit.
type Ended struct {
	draft     *Draft // nil: there was nothing new in it
	unchanged bool
	atOnce    bool // unchanged: the editor may only have opened a window
	kept      bool // nothing was written, or the copy cannot be read: the text waits
	gone      bool // the editor left no text behind
	merged    bool // with what was written to the note in the meantime
	counts    kit.Counts
	result    memstore.Result
	conflict  *conflict // nil: none
}

// conflict is a note of which the same lines changed while they were edited.
type conflict struct {
	now   []byte // current content of the note
	parts []undo.Part
}

const (
	textNoEditor = "No editor set. Set VISUAL or EDITOR, as in EDITOR=nano"
	textNoCopy   = "Can't make a copy for the editor: its folder is full or read-only"
)

// Edit opens a note in the user's editor, at a line from 1.
func (l *List) Edit(at string, line int) tea.Cmd {
	store, base, before := l.edits.Handlers, l.Dir, l.waiting[at]
	return l.prepare(func(program editorProgram) ready {
		opened, why := Read(store, at)
		if why != "" {
			return ready{why: why}
		}
		if before != nil { // it remains an edit of what was there at its beginning
			return ready{draft: before, program: program, line: line, again: true}
		}
		if why := whyFixed(store, at); why != "" {
			return ready{why: why}
		}
		d := &Draft{Path: at, Opened: opened}
		var err error
		if d.Copy, err = newEditedCopy(base, path.Base(at), opened); err != nil {
			return ready{why: textNoCopy}
		}
		_ = d.Copy.Note(at, opened) // without it, a text left by a crash is not found
		return ready{draft: d, program: program, line: line}
	})
}

// Create opens an empty text in the user's editor, for a note that doesn't exist yet. created is called when it is written.
func (l *List) Create(at string, created func(path string) tea.Cmd) tea.Cmd {
	store, base, before := l.edits.Handlers, l.Dir, l.waiting[at]
	return l.prepare(func(program editorProgram) ready {
		name, err := memstore.ParsePath(at)
		if err != nil {
			return ready{why: act.TextBadPath}
		}
		if _, err := store.Backend().Lstat(name); err == nil {
			return ready{why: text.Clean(kit.PathText(at)) + " exists already"}
		}
		if before != nil {
			return ready{draft: before, program: program, again: true}
		}
		d := &Draft{Path: at, create: created}
		if d.Copy, err = newEditedCopy(base, path.Base(at), nil); err != nil {
			return ready{why: textNoCopy}
		}
		_ = d.Copy.Note(at, nil) // without it, a text left by a crash is not found
		return ready{draft: d, program: program}
	})
}

// EditMerged opens a text with conflicts. The result is written like any edit if the note still is ours, unless nothing but the
// conflict marks is in it.
func (l *List) EditMerged(at string, ours, text []byte) tea.Cmd {
	base := l.Dir
	return l.prepare(func(program editorProgram) ready {
		d := &Draft{Path: at, Opened: ours, offered: text}
		var err error
		if d.Copy, err = newEditedCopy(base, path.Base(at), text); err != nil {
			return ready{why: textNoCopy}
		}
		_ = d.Copy.Note(at, text) // without it, a text left by a crash is not found
		return ready{draft: d, program: program}
	})
}

// EditText opens the text of a request.
func (l *List) EditText(r Request) tea.Cmd {
	store, base := l.edits.Handlers, l.Dir
	return l.prepare(func(program editorProgram) ready {
		opened, why := Read(store, r.Path)
		if why != "" {
			return ready{why: why}
		}
		if why := whyFixed(store, r.Path); why != "" {
			return ready{why: why}
		}
		text, why := r.Text()
		if why != "" {
			return ready{why: why}
		}
		d := &Draft{Path: r.Path, Opened: opened, request: r}
		var err error
		if d.Copy, err = newEditedCopy(base, path.Base(r.Path), text); err != nil {
			return ready{why: textNoCopy}
		}
		return ready{draft: d, program: program}
	})
}

// prepare finds the editor and writes the copy in a job.
func (l *List) prepare(work func(editorProgram) ready) tea.Cmd {
	return kit.Start(l.env.Jobs, kit.Job[ready]{
		Owner: ownerEdit, Label: kit.LabelOpen, Done: l.open,
		Work: func(context.Context, *kit.Progress) (ready, error) {
			program, err := findEditor(os.Getenv, exec.LookPath)
			if err != nil {
				return ready{why: textNoEditor}, nil
			}
			return work(program), nil
		},
	})
}

// EditFile opens the user's editor on a file of this machine, outside the store, with the cursor on a line.
func (l *List) EditFile(file string, line int) tea.Cmd {
	program, err := findEditor(os.Getenv, exec.LookPath)
	if err != nil {
		l.shell.Tell(kit.Info, textNoEditor)
		return nil
	}
	back := l.leaveTerminal()
	return l.Exec(program.Command(file, line), func(err error) tea.Msg {
		back()
		return kit.Call(func() tea.Cmd {
			if err != nil {
				l.shell.Tell(kit.Fail, editorFailedText(text.Clean(program.String()), failure(err)))
			}
			return nil
		})
	})
}

// Read reads a whole file, or returns the reason why it cannot as a sentence. It does I/O.
func Read(store *memstore.Store, at string) (data []byte, why string) {
	name, err := memstore.ParsePath(at)
	if err != nil {
		return nil, act.TextBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, kit.TextFileGone
	}
	defer f.Close() // opened for reading, so closing it cannot lose anything
	info, err := f.Info()
	if err != nil || info.Kind != memstore.KindFile {
		return nil, kit.TextFileGone
	}
	if info.Size > Limit {
		return nil, "File over 64 MiB: too large to edit here"
	}
	data = make([]byte, info.Size)
	if n, err := f.ReadAt(data, 0); int64(n) != info.Size || err != nil && !errors.Is(err, io.EOF) {
		return nil, kit.TextFileGone
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, "Binary file: an editor would damage it"
	}
	return data, ""
}

// whyFixed is why a store never changes a note, as a sentence; "": it may. It does I/O.
func whyFixed(store *memstore.Store, at string) string {
	b, ok := store.Backend().(memstore.Placer)
	name, err := memstore.ParsePath(at)
	if ok && err == nil && errors.Is(b.Changes(name), memstore.ErrFixed) {
		return "Can't edit " + text.Clean(kit.PathText(at)) + ": it is read-only"
	}
	return ""
}

// open hands the terminal to the editor.
func (l *List) open(r ready) tea.Cmd {
	if r.why != "" {
		l.shell.Tell(kit.Info, r.why)
		return nil
	}
	if r.again {
		l.waiting[r.draft.Path] = r.draft
		l.shell.Tell(kit.Info, "Back to your unsaved text")
	}
	began, back := time.Now(), l.leaveTerminal()
	return l.Exec(r.program.Command(r.draft.Copy.File(), r.line), func(err error) tea.Msg {
		back()
		took := time.Since(began)
		return kit.Call(func() tea.Cmd { return l.closed(r, err, took) })
	})
}

// awayLonger is how long after the end of an editor the terminal still counts as its own:
// this program gets the signal of ctrl+c as well.
const awayLonger = 300 * time.Millisecond

// leaveTerminal marks the terminal as another program's until back is called.
func (l *List) leaveTerminal() (back func()) {
	away := l.Away
	if away == nil {
		return func() {}
	}
	away.Add(1)
	return func() { time.AfterFunc(awayLonger, func() { away.Add(-1) }) }
}

// closed takes over when the editor has ended. If it failed, as after :cq, nothing is written.
func (l *List) closed(r ready, err error, took time.Duration) tea.Cmd {
	d := r.draft
	if err != nil {
		l.shell.Tell(kit.Fail, editorFailedText(text.Clean(r.program.String()), failure(err)))
		return l.keepChanged(d)
	}
	switch {
	case d.request.Same != nil:
		return l.endedOrSame(d)
	case d.request.Ended != nil:
		return d.request.Ended(d)
	}
	return l.write(d, nil, took < atOnce)
}

// endedOrSame asks whoever started the edit what to do with its text.
func (l *List) endedOrSame(d *Draft) tea.Cmd {
	return kit.Start(l.env.Jobs, kit.Job[bool]{
		Owner: ownerWrite, Label: labelWrite, Write: true,
		Work: func(context.Context, *kit.Progress) (bool, error) {
			data, err := d.Copy.Read(Limit)
			if err != nil || !bytes.Equal(data, d.Opened) {
				return false, nil
			}
			return true, d.Copy.Remove()
		},
		Done: func(same bool) tea.Cmd {
			if same {
				delete(l.waiting, d.Path)
				return d.request.Same()
			}
			return d.request.Ended(d)
		},
	})
}

// editorFailedText explains why an editor failed.
func editorFailedText(editor, why string) string {
	return fmt.Sprintf("Not saved: the editor %s (%s)", why, editor)
}

const textEditorNotStarted = "can't be started; set VISUAL or EDITOR"

// failure describes how a process ended.
func failure(err error) string {
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return textEditorNotStarted
	case exit.ExitCode() == 126 || exit.ExitCode() == 127: // of the shell
		return textEditorNotStarted
	case exit.ExitCode() < 0:
		return "was killed by a signal"
	default:
		return fmt.Sprintf("exited with status %d", exit.ExitCode())
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
	return kit.Start(l.env.Jobs, kit.Job[Ended]{
		Owner: ownerWrite, Label: labelWrite, Write: true, Done: l.Take,
		Work: func(ctx context.Context, _ *kit.Progress) (Ended, error) { return work(ctx), nil },
	})
}

// Unread ends an edit without writing its text, which waits unless the copy is gone. It does I/O.
func Unread(d *Draft, err error) Ended {
	if errors.Is(err, errGone) {
		_ = d.Copy.Remove()
		return Ended{draft: d, gone: true}
	}
	return Ended{draft: d, kept: true}
}

// Write writes the text of a draft. What was written to its note since it was opened stays, or is a conflict.
func (l *List) Write(d *Draft) tea.Cmd { return l.write(d, nil, false) }

// mergeTries bounds how often a text is merged with a note that changes again.
const mergeTries = 5

// write does so in a job that quitting does not interrupt. decided replaces the text of the draft; nil: it stays. With hint, an
// unchanged text is reported together with the possibility that the editor returned too early.
func (l *List) write(d *Draft, decided []byte, hint bool) tea.Cmd {
	store, opened, offered, marked, create := l.edits.Handlers, d.Opened, d.offered, d.marked, d.create != nil
	return l.startWrite(func(ctx context.Context) Ended {
		if decided != nil {
			if err := d.Copy.Write(decided); err != nil {
				return Ended{draft: d, kept: true}
			}
		}
		data, err := d.Copy.Read(Limit)
		if err != nil {
			return Unread(d, err)
		}
		if offered != nil && bytes.Equal(data, offered) && marked {
			return Ended{draft: d, kept: true}
		}
		if create && len(data) == 0 || opened != nil && bytes.Equal(data, opened) || offered != nil && bytes.Equal(data, offered) {
			_ = d.Copy.Remove()
			return Ended{draft: d, unchanged: true, atOnce: hint}
		}
		ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
		ended := Ended{}
		if _, err := store.Backend().Lstat(memstore.BackendName(d.Path)); create && errors.Is(err, memstore.ErrNotExist) {
			ended.result = store.Do(ctx, memstore.Command{Name: memstore.CmdCreate, Path: d.Path, FileText: string(data)})
		} else {
			ended = writeMerged(ctx, store, d.Path, opened, data)
		}
		ended.draft = d
		if !ended.result.IsError {
			_ = d.Copy.Remove()
		}
		return ended
	})
}

// writeMerged writes a text that is an edit of opened, nil if that is unknown, with what was written to its note since. It does I/O.
func writeMerged(ctx context.Context, store *memstore.Store, at string, opened, data []byte) (ended Ended) {
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
			return Ended{unchanged: true}
		case max(len(opened), len(now), len(data)) > act.ReadLimit:
			return Ended{result: memstore.Result{IsError: true, Content: textTooLargeToMerge}}
		case opened == nil:
			ended.conflict = &conflict{now, undo.Differences(ctx, now, data)}
			return ended
		}
		if text, ended.merged = undo.Merge(ctx, opened, now, data); !ended.merged {
			ended.conflict = &conflict{now, undo.Parts(ctx, opened, now, data)}
			return ended
		}
		if bytes.Equal(text, now) {
			return Ended{unchanged: true}
		}
	}
	if !ended.result.IsError {
		ended.counts.Added, ended.counts.Removed, _ = diff.Counts(now, text)
	}
	return ended
}

const textTooLargeToMerge = "The note changed meanwhile and is too large to merge."

const (
	textKept = "Not saved; your text is kept. {global/edit} resumes, {global/drop-draft} drops it"
	TextGone = "Not saved: the editor left no file"
)

// Take reports how an edit ended. It keeps an unsaved text.
func (l *List) Take(e Ended) tea.Cmd {
	if e.draft == nil {
		return nil
	}
	at := e.draft.Path
	switch {
	case e.unchanged:
		delete(l.waiting, at)
		l.shell.Tell(kit.Info, unchangedText(e.atOnce))
	case e.gone:
		delete(l.waiting, at)
		l.shell.Tell(kit.Warn, TextGone)
	case e.kept:
		l.keep(e.draft)
		l.shell.Tell(kit.Warn, l.env.Keyed(textKept))
	case e.conflict != nil:
		l.keep(e.draft)
		return l.resolve(e.draft, e.conflict)
	case e.result.IsError:
		l.keep(e.draft)
		l.shell.Tell(kit.Fail, draftRefusedText(l.env, refusal(at, e.result)))
	case e.draft.create != nil:
		delete(l.waiting, at)
		l.edits.Report(savedText(l.env, at, e.counts, e.merged, l.edits.UndoKey()))
		return e.draft.create(at)
	case e.draft.request.Written != nil:
		delete(l.waiting, at)
		return e.draft.request.Written()
	default:
		delete(l.waiting, at)
		l.edits.Report(savedText(l.env, at, e.counts, e.merged, l.edits.UndoKey()))
	}
	return nil
}

// savedText says that an edit was written, merged with later ones or alone; undo is the key that reverses it, "" for none.
func savedText(e *kit.Env, path string, counts kit.Counts, merged bool, undo string) string {
	said := "Saved " + text.Clean(kit.PathText(path))
	if n := counts.Text(e.Styles); n != "" {
		said += ", " + n
	}
	if merged {
		said += ", later edits kept"
	}
	if undo != "" {
		said += ". " + undo + " undoes"
	}
	return said
}

// unchangedText says that an edit changed nothing. atOnce: the editor returned so fast that
// it may keep running in a window of its own.
func unchangedText(atOnce bool) string {
	if atOnce {
		return "No changes. An editor with its own window must wait, as in code --wait"
	}
	return "No changes, nothing to save"
}

// FileText says where the copy of an unsaved text is.
func FileText(path, file string) string {
	return fmt.Sprintf("Unsaved text of %s: %s", kit.PathText(path), file)
}

// refusal says why an edit was refused: as the agent would get it, or that the file is never written.
func refusal(path string, r memstore.Result) string {
	if errors.Is(r.Err, memstore.ErrFixed) {
		return "Can't save " + text.Clean(kit.PathText(path)) + ": " + memstore.Reason(r.Err) + "."
	}
	return r.Content
}

// draftRefusedText says that an edit was refused, and where its text is.
func draftRefusedText(e *kit.Env, why string) string {
	return why + e.Keyed(" Your text is kept. {global/edit} resumes, {global/drop-draft} drops it")
}

// keep keeps an unsaved text. The message log has the path of its copy, for a user who quits without saving it.
func (l *List) keep(d *Draft) {
	l.waiting[d.Path] = d
	l.shell.Tell(kit.Warn, FileText(d.Path, d.Copy.File()))
}

// resolve lets the user decide the lines that both have changed. Leaving keeps the draft as it is: the next save asks again.
func (l *List) resolve(d *Draft, c *conflict) tea.Cmd {
	title := merge.Title("Changed while you edited", d.Path, c.parts)
	box := merge.New(l.env, merge.Texts{Title: title, Other: "yours", Leave: "keep draft"}, c.parts)
	l.shell.OpenUnasked(kit.Box{Overlay: box, Answers: map[keymap.ID]func() tea.Cmd{
		keymap.Yes: func() tea.Cmd {
			decided, _ := box.Text()
			d.Opened, d.offered, d.marked = c.now, nil, false // what the user has seen and decided about
			return l.write(d, decided, false)
		},
		keymap.Edit: func() tea.Cmd {
			marked, _ := box.Text()
			return l.prepare(func(program editorProgram) ready {
				if err := d.Copy.Write(marked); err != nil {
					return ready{why: textNoCopy}
				}
				now := &Draft{Path: d.Path, Copy: d.Copy, Opened: c.now, offered: marked, marked: true, request: d.request}
				return ready{draft: now, program: program, again: true}
			})
		},
		keymap.No: kit.Do(func() { l.shell.Tell(kit.Warn, l.env.Keyed(textKept)) }),
	}})
	return nil
}

// Drop discards the text for a note that was edited but not written.
func (l *List) Drop(at string) tea.Cmd {
	d := l.waiting[at]
	if d == nil {
		l.shell.Tell(kit.Info, "No unsaved text of this file")
		return nil
	}
	delete(l.waiting, at)
	l.shell.Tell(kit.Info, "Dropped the unsaved text")
	return kit.Start(l.env.Jobs, kit.Job[struct{}]{
		Owner: ownerWrite, Label: labelWrite, Write: true,
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
