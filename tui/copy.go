package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// copiedText is the outcome of a copy job.
type copiedText struct{ what, content string }

const textNoLine = "there is no line under the cursor to copy"

// copy puts a path, a line, the tool's output or a diff on the clipboard.
func (m *Model) copy(id keymap.ID) tea.Cmd {
	switch id {
	case keymap.CopyPath:
		path, _ := m.tree.Selected()
		if r, ok := m.strip.Selected(); m.focus == onStrip && ok {
			path = r.Path
		} else if marked := m.tree.Marked(); len(marked) > 0 {
			return m.toClipboard(ui.Count(len(marked), "path"), strings.Join(marked, "\n"))
		}
		return m.toClipboard("path", path)
	case keymap.CopyLine:
		return m.copyRead("line", m.mainTab().LineReader(ui.CopyLimit))
	case keymap.CopyDiff:
		read := m.diff.TextReader(ui.CopyLimit)
		if read == nil {
			return m.toClipboard("diff", "")
		}
		return m.copyJob("diff", func(context.Context) (string, error) { return read() })
	case keymap.CopyHunk:
		read := m.diff.HunkReader(ui.CopyLimit)
		if read == nil {
			m.tell(ui.Info, diffpane.TextNoHunk)
			return nil
		}
		return m.copyJob("hunk", func(context.Context) (string, error) { return read() })
	case keymap.CopyOutput:
		path, store := m.viewer.Path(), m.options.Store
		return m.copyJob("tool output", func(ctx context.Context) (string, error) { return output(ctx, store, path) })
	}
	return nil
}

// copyRead copies what a function reads in a job; nil: there is nothing to read.
func (m *Model) copyRead(what string, read func() (string, error)) tea.Cmd {
	if read == nil {
		m.tell(ui.Info, textNoLine)
		return nil
	}
	return m.copyJob(what, func(context.Context) (string, error) { return read() })
}

func (m *Model) copyJob(what string, read func(context.Context) (string, error)) tea.Cmd {
	return m.env.Jobs.Start(ownerCopy, "copying", func(ctx context.Context, _ *ui.Progress) (any, error) {
		content, err := read(ctx)
		return copiedText{what, content}, err
	})
}

const textTooLongToCopy = "the output is longer than 1 MiB, too long for the clipboard: use `memcurator cat`"

// output is what view returns for path, as a person's look that leaves no trace.
func output(ctx context.Context, store *memstore.Store, path string) (string, error) {
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
	w := &boundedText{limit: ui.CopyLimit}
	c := memstore.Command{Name: memstore.CmdView, Path: path}
	err := store.ViewTo(ctx, w, c)
	if w.full {
		return "", errors.New(textTooLongToCopy)
	}
	if err != nil {
		return store.Do(ctx, c).Content, nil
	}
	return string(w.data), nil
}

// boundedText keeps what is written to it, up to a limit.
type boundedText struct {
	data  []byte
	limit int
	full  bool
}

var errFull = errors.New("limit reached")

func (b *boundedText) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		b.data = append(b.data, p[:b.limit-len(b.data)]...)
		b.full = true
		return 0, errFull
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

func (m *Model) copied(done ui.Done) tea.Cmd {
	v, ok := done.Value.(copiedText)
	if !ok {
		return nil
	}
	return m.toClipboard(v.what, v.content)
}
