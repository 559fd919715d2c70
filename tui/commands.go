package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/overlay"
	"memcurator/tui/pane"
)

// commandDone is the outcome of a memory command run from the prompt.
type commandDone struct {
	command memstore.Command
	result  memstore.Result
	path    string // the path whose content the user had looked at
	seen    []byte // what the user had looked at, when it is small enough to be kept
}

// runCommand runs a memory command exactly as the agent would; a delete is confirmed first.
func (m *Model) runCommand(c memstore.Command) tea.Cmd {
	if c.Name == memstore.CmdDelete && !m.options.ReadOnly {
		if n := m.node(c.Path); n != nil {
			m.open(&question{overlay.NewQuestion(m.env, pane.TextDeleteTitle, deleteText(c.Path, n, m.options.Store.Dialect())), func() tea.Cmd { return m.execute(c, true) }})
			return nil
		}
	}
	return m.execute(c, true)
}

func (m *Model) node(path string) *memstore.Node {
	name, err := memstore.ParsePath(path)
	if err != nil || m.live.snapshot == nil {
		return nil
	}
	return m.live.snapshot.Find(memstore.AgentPath(name))
}

func deleteText(path string, n *memstore.Node, d memstore.Dialect) string {
	what := pane.FileText(memstore.FormatSize(d, n.Size))
	switch n.Kind {
	case memstore.KindDir:
		what = pane.FolderText(n.Files, memstore.FormatSize(d, n.Bytes))
	case memstore.KindLink:
		what = pane.TextTheLink
	}
	return text.Clean(path) + "\n" + what + "\n\n" + pane.TextDeleteNoUndo
}

// setDialect shows and answers everything as the agents of another SDK see it.
func (m *Model) setDialect(d memstore.Dialect) tea.Cmd {
	m.options.Store = m.options.Store.WithDialect(d)
	m.tree.SetDialect(d)
	m.tell(pane.Info, pane.DialectText(d.String()))
	return m.viewer.SetStore(m.options.Store)
}

// question is a yes-or-no box with what yes does.
type question struct {
	*overlay.Question
	yes func() tea.Cmd
}

// Confirmed is called by the root after yes.
func (q *question) Confirmed() tea.Cmd { return q.yes() }

// execute runs the command; with checked a file that changed since the user looked
// at it is a conflict and nothing is written.
func (m *Model) execute(c memstore.Command, checked bool) tea.Cmd {
	m.commands++
	store := m.options.Store
	path := c.Path
	if c.Name == memstore.CmdRename {
		path = c.OldPath
	}
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator})
	seen := m.viewer.Seen(path)
	var bytesSeen []byte
	if checked && seen != nil && c.Name != memstore.CmdView && c.Name != memstore.CmdCreate {
		ctx = memstore.WithExpectation(ctx, memstore.Expectation{Path: path, Digest: *seen})
		bytesSeen = m.viewer.SeenBytes(path)
	}
	owner := fmt.Sprintf("%s %d", ownerCommand, m.commands)
	return m.env.Jobs.StartWrite(owner, pane.LabelCommand, func(context.Context, *pane.Progress) (any, error) {
		return commandDone{c, store.Do(ctx, c), path, bytesSeen}, nil
	})
}

// commandDone shows the text that the agent would have got, or the conflict.
func (m *Model) commandDone(d commandDone) tea.Cmd {
	if errors.Is(d.result.Err, memstore.ErrChanged) && d.seen != nil {
		return m.openConflict(d)
	}
	title := pane.ResultTitle(d.command.Name, d.result.IsError)
	t := overlay.NewText(m.env, "result", title, d.result.Content, d.result.IsError)
	t.SetFooter(pane.TextResultFooter)
	m.open(t)
	if d.result.IsError || d.command.Name == memstore.CmdDelete {
		return nil
	}
	path := d.command.Path
	if d.command.Name == memstore.CmdRename {
		path = d.command.NewPath
	}
	if name, err := memstore.ParsePath(path); err == nil && m.node(path) != nil {
		return m.selectPath(memstore.AgentPath(name), true)
	}
	return nil
}
