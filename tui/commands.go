package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/edits"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// commandDone is the outcome of a memory command run from the prompt.
type commandDone struct {
	command memstore.Command
	result  memstore.Result
	path    string                  // the path whose content the user had looked at
	seen    func() ([]byte, string) // what the user had looked at; nil: too large to be kept

	form     *formBox        // the form that it was typed in; nil: the prompt
	expected memstore.Result // form: what its preview has shown
}

// runCommand runs a memory command exactly as the agent would; a delete is confirmed first.
func (m *Model) runCommand(c memstore.Command) tea.Cmd {
	if m.travel != nil && c.Name != memstore.CmdView && !m.mayWrite() {
		return nil
	}
	if (c.Name == memstore.CmdDelete || c.Name == memstore.CmdRename) && !m.options.ReadOnly && m.edits.Refuses() {
		return nil
	}
	if n := m.node(c.Path); c.Name == memstore.CmdDelete && !m.options.ReadOnly && n != nil && n != m.shown().Root {
		return m.askDelete(c, edits.TextDeleteTitle)
	}
	return m.execute(c, true)
}

// askDelete opens the question. Its answer counts for what it named: when a change of the
// path came in meanwhile, it asks again, and the file's bytes are checked once more on the disk.
func (m *Model) askDelete(c memstore.Command, title string) tea.Cmd {
	n := m.node(c.Path)
	if n == nil {
		return m.execute(c, true)
	}
	path, asked := backendPath(c.Path), m.feed.Newest()
	m.commands++
	var seen *memstore.Digest // of the file that is asked about, as soon as it is read
	m.ask(title, deleteText(c.Path, n, m.options.Store.Dialect())+"\n\n"+m.edits.DeleteAsk(), func() tea.Cmd {
		list := m.feed.Since(asked)
		for i := range list {
			if touches(&list[i], path) {
				cmd := m.askDelete(c, "It changed meanwhile. Delete all the same?")
				m.ignoreKeys()
				return cmd
			}
		}
		return m.run(commandDone{command: c, path: path}, func() *memstore.Digest { return seen })
	})
	return m.readDigest(path, n, func(d *memstore.Digest) { seen = d })
}

// readDigest reads what a question is about while the question is open; folders, links
// and files too large to be read quickly have no digest.
func (m *Model) readDigest(path string, n *memstore.Node, known func(*memstore.Digest)) tea.Cmd {
	if n.Kind != memstore.KindFile || n.Size > edits.ReadLimit {
		return nil
	}
	store := m.options.Store
	return ui.Start(m.env.Jobs, ui.Job[memstore.Digest]{
		Owner: fmt.Sprintf("%s %d", ownerDigest, m.commands), Label: ui.LabelOpen,
		Work: func(context.Context, *ui.Progress) (memstore.Digest, error) {
			data, why := edits.ReadSmall(store, path)
			if why != "" {
				return memstore.Digest{}, nil
			}
			return memstore.Sum(data), nil
		},
		Done: func(sum memstore.Digest) tea.Cmd {
			if sum != (memstore.Digest{}) {
				known(&sum)
			}
			return nil
		},
	})
}

func (m *Model) node(path string) *memstore.Node {
	name, err := memstore.ParsePath(path)
	if err != nil || m.shown() == nil {
		return nil
	}
	return m.shown().Find(memstore.AgentPath(name))
}

// filesBelow is how many files are known at a path and below it.
func (m *Model) filesBelow(path string) int {
	if n := m.node(path); n != nil {
		return n.Files
	}
	return 0
}

func deleteText(path string, n *memstore.Node, d memstore.Dialect) string {
	what := edits.FileText(memstore.FormatSize(d, n.Size))
	switch n.Kind {
	case memstore.KindDir:
		what = edits.FolderText(n.Files, memstore.FormatSize(d, n.Bytes))
	case memstore.KindLink:
		what = "the link, not what it points to"
	}
	return text.Clean(path) + "\n" + what
}

// showResult opens the text that the agent would get.
func (m *Model) showResult(name string, r memstore.Result) tea.Cmd {
	t := overlay.NewText(m.env, "result", resultTitle(text.Truncate(text.Clean(name), 40, m.env.Styles.Glyphs.Ellipsis), r.IsError), r.Content, r.IsError)
	t.SetFooter(m.env.Keyed("what the agent would get; {overlay/overlay-copy} copies, {overlay/close} closes"))
	m.open(t)
	return nil
}

// resultTitle is the title over the result of a memory command.
func resultTitle(command string, failed bool) string {
	if failed {
		return command + ": error"
	}
	return command + ": done"
}

// setDialect shows and answers everything as the agents of another SDK see it.
func (m *Model) setDialect(d memstore.Dialect) tea.Cmd {
	m.options.Store = m.options.Store.WithDialect(d)
	if m.travel != nil {
		m.travel.back.store = m.travel.back.store.WithDialect(d)
	}
	m.tree.SetDialect(d)
	m.tell(ui.Info, "dialect: "+d.String())
	return m.viewer.SetStore(m.options.Store)
}

// execute runs the command; with checked a file that changed since the user looked
// at it is a conflict and nothing is written.
func (m *Model) execute(c memstore.Command, checked bool) tea.Cmd {
	path := c.Path
	if c.Name == memstore.CmdRename {
		path = c.OldPath
	}
	path = backendPath(path)
	none := func() *memstore.Digest { return nil }
	if !checked || c.Name == memstore.CmdView || c.Name == memstore.CmdCreate || m.options.ReadOnly {
		return m.run(commandDone{command: c, path: path}, none)
	}
	onScreen := m.tab == tabView && m.viewer.Path() == path && !m.layout.main.Empty()
	if first, ok := m.feed.FirstUnread(path); ok && !onScreen {
		return m.openConflict(commandDone{command: c, path: path}, m.sideLoader(first, first.Before))
	}
	seen := m.viewer.Seen(path)
	if seen == nil {
		return m.run(commandDone{command: c, path: path}, none)
	}
	d := commandDone{command: c, path: path}
	if data := m.viewer.SeenBytes(path); data != nil {
		d.seen = func() ([]byte, string) { return data, "" }
	}
	return m.run(d, func() *memstore.Digest { return seen })
}

// run hands the command of d to the handlers in a job that quitting does not cut; d comes
// back with the result. What writes takes its turn among the acts by key, so that an undo after it means it.
// expect is called in the job.
func (m *Model) run(d commandDone, expect func() *memstore.Digest) tea.Cmd {
	m.commands++
	store := m.options.Store
	work := func(ctx context.Context, _ *ui.Progress) (commandDone, error) {
		ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
		if digest := expect(); digest != nil {
			ctx = memstore.WithExpectation(ctx, memstore.Expectation{Path: d.path, Digest: *digest})
		}
		if d.command.Name == memstore.CmdView {
			d.result = boundedView(ctx, store, d.command)
		} else {
			d.result = store.Do(ctx, d.command)
		}
		return d, nil
	}
	if d.command.Name == memstore.CmdView {
		owner := fmt.Sprintf("%s %d", ownerCommand, m.commands)
		return ui.Start(m.env.Jobs, ui.Job[commandDone]{Owner: owner, Label: labelCommand, Write: true, Work: work, Done: m.commandDone})
	}
	return edits.Do(m.edits, edits.Edit[commandDone]{Label: labelCommand, Work: work, Done: m.commandDone})
}

const textCutResult = "(cut here: the whole result is longer than 1 MiB; use `memcurator cat`)"

// boundedView is the result of a view, cut where it becomes too long for a box: a file
// of a gigabyte must not become a text in memory.
func boundedView(ctx context.Context, store *memstore.Store, c memstore.Command) memstore.Result {
	w := &boundedText{limit: ui.CopyLimit}
	err := store.ViewTo(ctx, w, c)
	switch {
	case w.full:
		return memstore.Result{Content: strings.ToValidUTF8(string(w.data), "") + "\n" + textCutResult}
	case err != nil:
		return store.Do(ctx, c)
	default:
		return memstore.Result{Content: string(w.data)}
	}
}

// backendPath is the agent path that a typed one stands for; one that is none stays as it is.
func backendPath(path string) string {
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// commandDone shows the text that the agent would have got, or the conflict.
func (m *Model) commandDone(d commandDone) tea.Cmd {
	if d.form != nil {
		return m.formDone(d)
	}
	if errors.Is(d.result.Err, memstore.ErrChanged) && d.seen != nil {
		return m.openConflict(d, d.seen)
	}
	m.showResult(d.command.Name, d.result)
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
