package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/editor"
	"memcurator/tui/ui"
)

// editUpTo bounds the file that is given to an editor, in bytes.
const editUpTo = 64 << 20

// atOnce is how fast an editor returns that only opened a window of its own.
const atOnce = time.Second

// The owners of the jobs around an editor.
const (
	ownerEdit  = "edit"
	ownerWrite = "edit write"
)

// draft is a private copy of a file that is in the editor, or whose text was not written yet.
type draft struct {
	path   string // agent path
	copy   *editor.Copy
	opened []byte // what the file held when the editor was opened
	// offered is what the copy was filled with instead, as long as it is unchanged no text to write; nil: opened.
	offered []byte
	// proposal is what the copy was filled from instead of the file; nil: the file.
	proposal *policy.Action
}

// editReady ends the preparation of an edit.
type editReady struct {
	draft   *draft
	program editor.Program
	line    int
	again   bool   // the text of an earlier edit that was not written
	why     string // why there is nothing to edit; else empty
}

// Discard takes away what nobody will open any more.
func (e editReady) Discard() {
	if e.draft != nil && !e.again {
		_ = e.draft.copy.Remove() // a private copy of what is in the store
	}
}

// editorClosed is sent when the editor has ended.
type editorClosed struct {
	draft   *draft
	program editor.Program
	err     error
	took    time.Duration
}

// editEnded is the outcome of taking over what the editor left.
type editEnded struct {
	draft     *draft
	unchanged bool
	atOnce    bool  // unchanged: the editor may only have opened a window
	kept      bool  // nothing was tried, or the copy cannot be read: the text waits
	gone      bool  // the editor left no text behind
	written   int64 // bytes
	parts     int   // files that a split has made, the first one too
	result    memstore.Result
}

const (
	textNoEditor = "no editor is set: set VISUAL or EDITOR, as in EDITOR=nano"
	textNoCopy   = "no copy for the editor can be made: the folder for it is full or not writable"
)

// edit opens the file under the cursor in the user's editor: a private copy, which is
// written through the handlers afterwards if the file still is what was opened.
func (m *Model) edit() tea.Cmd {
	at := m.pathAtCursor()
	if n := m.node(at); n != nil && n.Kind == memstore.KindDir {
		m.tell(ui.Info, "a folder has no text to edit; choose a file")
		return nil
	}
	line := 0
	if m.viewer.Path() == at {
		line, _ = m.viewer.Line()
	}
	store, base, before := m.options.Store, m.options.CopyDir, m.drafts[at]
	return m.env.Jobs.Start(ownerEdit, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		program, err := editor.Find(os.Getenv, exec.LookPath)
		if err != nil {
			return editReady{why: textNoEditor}, nil
		}
		opened, why := readToEdit(store, at)
		if why != "" {
			return editReady{why: why}, nil
		}
		d := &draft{path: at, opened: opened}
		if before != nil {
			d.copy = before.copy
			return editReady{draft: d, program: program, line: line, again: true}, nil
		}
		if d.copy, err = editor.NewCopy(base, path.Base(at), opened); err != nil {
			return editReady{why: textNoCopy}, nil
		}
		_ = d.copy.Note(at, opened) // without it a crash leaves a text that nobody finds
		return editReady{draft: d, program: program, line: line}, nil
	})
}

// pathAtCursor is the agent path that the pane with the focus is about.
func (m *Model) pathAtCursor() string {
	switch {
	case m.screen == onCurate:
		return m.curate.list.Path()
	case m.focus == onStrip && m.strip.Selected() != nil:
		return m.strip.Selected().Path
	case m.focus == onMain && m.mainTab().Path() != "":
		return m.mainTab().Path()
	default:
		at, _ := m.tree.Selected()
		return at
	}
}

// readToEdit reads a whole file; why says in a sentence what is in the way. It does I/O.
func readToEdit(store *memstore.Store, at string) (data []byte, why string) {
	name, err := memstore.ParsePath(at)
	if err != nil {
		return nil, textBadPath
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
	if info.Size > editUpTo {
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

// editPrepared hands the terminal to the editor.
func (m *Model) editPrepared(done ui.Done) tea.Cmd {
	e, ok := done.Value.(editReady)
	if !ok {
		return nil
	}
	if e.why != "" {
		m.tell(ui.Info, e.why)
		return nil
	}
	if e.again {
		m.tell(ui.Info, "your text that was not written is taken up again")
	}
	began, back := time.Now(), m.leaveTerminal()
	return m.exec(e.program.Command(e.draft.copy.File(), e.line), func(err error) tea.Msg {
		back()
		return editorClosed{e.draft, e.program, err, time.Since(began)}
	})
}

// awayLonger is how long after the end of an editor the terminal still counts as its own:
// the signal of ctrl+c reaches us beside it.
const awayLonger = 300 * time.Millisecond

// leaveTerminal says that another program has the terminal, until back is called.
func (m *Model) leaveTerminal() (back func()) {
	away := m.options.Away
	if away == nil {
		return func() {}
	}
	away.Add(1)
	return func() { time.AfterFunc(awayLonger, func() { away.Add(-1) }) }
}

// editorEnded takes over what the editor left. An editor that failed, as by :cq, asks for
// nothing to be written.
func (m *Model) editorEnded(c editorClosed) tea.Cmd {
	if c.err != nil {
		m.tell(ui.Fail, editorFailedText(text.Clean(c.program.String()), failure(c.err)))
		return m.keepChanged(c.draft)
	}
	if c.draft.proposal != nil {
		return m.confirmProposal(c.draft)
	}
	return m.writeDraft(c.draft, true, c.took < atOnce)
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

const labelCommand = "running the command"

// keepChanged keeps the copy of an editor that failed, if there is anything new in it.
func (m *Model) keepChanged(d *draft) tea.Cmd {
	return m.env.Jobs.StartWrite(ownerWrite, labelCommand, func(context.Context, *ui.Progress) (any, error) {
		data, err := d.copy.Read(editUpTo)
		if err == nil && bytes.Equal(data, d.opened) {
			_ = d.copy.Remove()
			return nil, nil
		}
		return unreadDraft(d, err), nil
	})
}

// unreadDraft is how an edit ends whose text was not tried: it waits, unless it is gone.
func unreadDraft(d *draft, err error) editEnded {
	if errors.Is(err, editor.ErrGone) {
		_ = d.copy.Remove()
		return editEnded{draft: d, gone: true}
	}
	return editEnded{draft: d, kept: true}
}

// writeDraft writes the text of a draft to the store, in a job that quitting does not cut.
// checked: only if the file still is what was opened. hint: say, when nothing was changed, that
// the editor may have returned too early.
func (m *Model) writeDraft(d *draft, checked, hint bool) tea.Cmd {
	store, at := m.options.Store, d.path
	return m.env.Jobs.StartWrite(ownerWrite, labelCommand, func(ctx context.Context, _ *ui.Progress) (any, error) {
		data, err := d.copy.Read(editUpTo)
		if err != nil {
			return unreadDraft(d, err), nil
		}
		if bytes.Equal(data, d.opened) || d.offered != nil && bytes.Equal(data, d.offered) {
			_ = d.copy.Remove()
			return editEnded{draft: d, unchanged: true, atOnce: hint}, nil
		}
		ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
		if checked {
			ctx = memstore.WithExpectation(ctx, memstore.Expectation{Path: at, Digest: memstore.Sum(d.opened)})
		}
		r := store.Replace(ctx, at, data)
		if !r.IsError {
			_ = d.copy.Remove()
		}
		return editEnded{draft: d, written: int64(len(data)), result: r}, nil
	})
}

const (
	textDraftKept = "not written; your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it"
	textDraftGone = "nothing is written: the editor left no file behind"
)

// editTaken tells how an edit ended. A text that was not written is kept.
func (m *Model) editTaken(done ui.Done) tea.Cmd {
	e, ok := done.Value.(editEnded)
	if !ok {
		return nil
	}
	at := e.draft.path
	switch {
	case e.unchanged:
		delete(m.drafts, at)
		m.tell(ui.Info, unchangedText(e.atOnce))
	case e.gone:
		delete(m.drafts, at)
		m.tell(ui.Warn, textDraftGone)
	case e.kept:
		m.keepDraft(e.draft)
		m.tell(ui.Warn, m.env.Keyed(textDraftKept))
	case e.result.IsError && e.draft.cut():
		m.tell(ui.Warn, draftFileText(at, e.draft.copy.File()))
		m.tell(ui.Fail, e.result.Content)
	case errors.Is(e.result.Err, memstore.ErrChanged) && m.node(at) != nil:
		m.keepDraft(e.draft)
		m.tell(ui.Warn, m.env.Keyed(textDraftKept))
		return m.editConflict(e.draft)
	case e.result.IsError:
		m.keepDraft(e.draft)
		m.tell(ui.Fail, draftRefusedText(m.env, e.result.Content))
	case e.draft.proposal != nil:
		delete(m.drafts, at)
		return m.proposalWritten(e)
	default:
		delete(m.drafts, at)
		m.tell(ui.Info, fmt.Sprintf("written: %s, %s", at, memstore.FormatSize(m.options.Store.Dialect(), e.written)))
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

// draftFileText says where a text lies that was not written.
func draftFileText(path, file string) string {
	return fmt.Sprintf("the text for %s that was not written is kept in %s", path, file)
}

// draftRefusedText says that an edit was refused, and where its text is.
func draftRefusedText(e *ui.Env, why string) string {
	return why + e.Keyed(" Your text is kept: {global/edit} takes it up again, {global/drop-draft} drops it")
}

// keepDraft holds on to a text that was not written. Where it lies is in the log of messages,
// for whoever leaves before it is written.
func (m *Model) keepDraft(d *draft) {
	m.drafts[d.path] = d
	m.tell(ui.Warn, draftFileText(d.path, d.copy.File()))
}

const textEditConflictFooter = "what you opened against what is there now: {confirm/yes} writes your text over it, {confirm/no} keeps your text for later"

// editConflict shows what changed while the file was in the editor.
func (m *Model) editConflict(d *draft) tea.Cmd {
	opened := func() ([]byte, string) {
		if len(d.opened) > conflictUpTo {
			return nil, textFileTooLarge
		}
		return d.opened, ""
	}
	return m.showConflict(d.path, textEditConflictFooter, opened, ui.Answers(func() tea.Cmd { return m.writeDraft(d, false, false) }, nil))
}

// dropDraft forgets the text of the file under the cursor that was edited and not written.
func (m *Model) dropDraft() tea.Cmd {
	at := m.pathAtCursor()
	d := m.drafts[at]
	if d == nil {
		m.tell(ui.Info, "there is no text of this file that waits to be written")
		return nil
	}
	delete(m.drafts, at)
	m.tell(ui.Info, "the text that was not written is dropped")
	return m.env.Jobs.StartWrite(ownerWrite, labelCommand, func(context.Context, *ui.Progress) (any, error) {
		return nil, d.copy.Remove()
	})
}

// moveDrafts goes along with renames.
func (m *Model) moveDrafts(from, to string) {
	if d := m.drafts[from]; d != nil {
		delete(m.drafts, from)
		d.path = to
		m.drafts[to] = d
	}
}

// editMerged hands a text with conflicts to the user's editor. What comes back is written like any edit, if
// the file still is what the box has shown; the marks alone are not.
func (m *Model) editMerged(at string, ours, data []byte) tea.Cmd {
	base := m.options.CopyDir
	return m.env.Jobs.Start(ownerEdit, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		program, err := editor.Find(os.Getenv, exec.LookPath)
		if err != nil {
			return editReady{why: textNoEditor}, nil
		}
		d := &draft{path: at, opened: ours, offered: data}
		if d.copy, err = editor.NewCopy(base, path.Base(at), data); err != nil {
			return editReady{why: textNoCopy}, nil
		}
		_ = d.copy.Note(at, data) // without it a crash leaves a text that nobody finds
		return editReady{draft: d, program: program}, nil
	})
}
