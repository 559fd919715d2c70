package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
)

const (
	ownerView    = "command"
	labelCommand = "running the command"
)

// typedCommand is a command with its outcome.
type typedCommand struct {
	command  memstore.Command
	result   memstore.Result
	followed []upkeep.Rewrite
}

// runCommand runs a command; deletions are confirmed first.
func (m *Model) runCommand(c memstore.Command) tea.Cmd {
	if c.Name != memstore.CmdView && m.tellAway() {
		return nil
	}
	if m.edits.ReadOnly {
		return m.executeCommand(c)
	}
	if (c.Name == memstore.CmdDelete || c.Name == memstore.CmdRename) && m.edits.Refuses() {
		return nil
	}
	if b := m.browse; c.Name == memstore.CmdDelete {
		if n := b.Files.Node(c.Path); n != nil && n != b.Files.Snapshot().Root {
			return m.edits.Delete([]string{agentPath(c.Path)})
		}
	}
	return m.executeCommand(c)
}

// tellAway reports whether Browse has the past, whose files a command would mean, and says so.
func (m *Model) tellAway() bool {
	why := m.browse.WhyNoCommand()
	if why.Text != "" {
		m.shell.Tell(why.Level, why.Text)
	}
	return why.Text != ""
}

// runTyped runs a memory command as it was typed: the tool's JSON input, or a short form. The name of a new note alone opens the editor
// for its text. Errors are sentences for the user.
func (m *Model) runTyped(line string) (tea.Cmd, error) {
	if strings.HasPrefix(line, "{") {
		input, err := prompt.Input(line)
		if err != nil {
			return nil, err
		}
		c, err := memstore.DecodeCommand(input)
		if err != nil { // the tool has an answer to that
			m.showResult(line, m.browse.Store.DoJSON(context.Background(), input))
			return nil, nil
		}
		return m.runCommand(c), nil
	}
	if path, ok := strings.CutPrefix(line, memstore.CmdCreate+" "); ok && !strings.ContainsAny(path, `"'`) { // a text is in quotes
		return m.createNote(strings.TrimSpace(path)), nil
	}
	words, err := prompt.Words(line)
	if err != nil {
		return nil, err
	}
	if words[0] == memstore.CmdCreate && len(words) == 2 {
		return m.createNote(words[1]), nil
	}
	c, err := prompt.ParseCommand(words[0], words[1:])
	if err != nil {
		return nil, err
	}
	return m.runCommand(c), nil
}

// agentPath is the agent path for a typed one; an invalid one stays unchanged.
func agentPath(path string) string {
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// executeCommand hands a command to the handlers in a job that quitting does not interrupt. What writes takes its turn among the edits by
// key, so that an undo after it undoes it. Indexes and links follow what is deleted and renamed.
func (m *Model) executeCommand(c memstore.Command) tea.Cmd {
	d, store := typedCommand{command: c}, m.browse.Store
	origin, from, to := memstore.Origin{Actor: memstore.Curator}, "", ""
	switch {
	case m.edits.ReadOnly || !m.edits.Follows():
	case c.Name == memstore.CmdDelete:
		from = agentPath(c.Path)
	case c.Name == memstore.CmdRename:
		from, to = agentPath(c.OldPath), agentPath(c.NewPath)
	}
	if from != "" {
		origin.Group = m.edits.Group()
	}
	work := func(ctx context.Context, _ *kit.Progress) (typedCommand, error) {
		ctx = memstore.WithOrigin(ctx, origin)
		if d.command.Name != memstore.CmdView {
			var fates upkeep.Fates
			if from != "" {
				fates = act.Fates(ctx, store.Backend(), from, to)
			}
			d.result = store.Do(ctx, d.command)
			if fates != nil && !d.result.IsError {
				d.followed = act.Follow(context.WithoutCancel(ctx), store, origin, fates)
			}
			return d, nil
		}
		var cut bool
		if d.result, cut = act.View(ctx, store, d.command); cut {
			d.result.Content += "\n" + textCut
		}
		return d, nil
	}
	if d.command.Name == memstore.CmdView {
		m.views++
		job := kit.Job[typedCommand]{Owner: fmt.Sprintf("%s %d", ownerView, m.views), Label: labelCommand, Write: true, Work: work, Done: m.commandDone}
		return kit.Start(m.env.Jobs, job)
	}
	return act.Do(m.edits, act.Edit[typedCommand]{Label: labelCommand, Work: work, Done: m.commandDone})
}

const textCut = "(cut here: the whole result is longer than 1 MiB; use `memcurator cat`)"

// commandDone shows the text that the agent would have got.
func (m *Model) commandDone(d typedCommand) tea.Cmd {
	followed := upkeep.Said(d.followed)
	if renamed := d.command.Name == memstore.CmdRename && !d.result.IsError; renamed {
		m.shell.Tell(kit.Info, renamedText(d.command, followed, m.edits.UndoKey()))
	} else {
		if followed != "" {
			m.shell.Tell(kit.Info, "Updated "+followed)
		}
		m.showResult(d.command.Name, d.result)
	}
	if d.result.IsError || d.command.Name == memstore.CmdDelete {
		return nil
	}
	path := d.command.Path
	if d.command.Name == memstore.CmdRename {
		path = d.command.NewPath
	}
	if name, err := memstore.ParsePath(path); err == nil && m.browse.Files.Node(path) != nil {
		return m.browse.Select(memstore.AgentPath(name), true)
	}
	return nil
}

// renamedText says what a rename did. followed is what was updated with it, undo the key that reverses it; each may be "".
func renamedText(c memstore.Command, followed, undo string) string {
	said := "Renamed " + text.Clean(kit.PathText(agentPath(c.OldPath))) + " to " + text.Clean(kit.PathText(agentPath(c.NewPath)))
	if followed != "" {
		said += ", updated " + text.Clean(followed)
	}
	if undo != "" {
		said += ". " + undo + " undoes"
	}
	return said
}

// showResult opens the text that the agent would get.
func (m *Model) showResult(name string, result memstore.Result) {
	title := text.Truncate(text.Clean(name), 40, m.env.Styles.Glyphs.Ellipsis) + ": done"
	if result.IsError {
		title = text.Truncate(text.Clean(name), 40, m.env.Styles.Glyphs.Ellipsis) + ": error"
	}
	t := overlay.NewText(m.env, "result", title, result.Content, result.IsError)
	t.SetFooter(m.env.Keyed("what the agent would get: {overlay/overlay-copy} copies, {overlay/close} closes"))
	m.shell.Open(kit.Box{Overlay: t})
}

// newNote has the user type the name of a new note in the folder under the cursor. The editor opens for its text.
func (m *Model) newNote() tea.Cmd {
	if m.tellAway() || m.edits.Blocked() {
		return nil
	}
	folder := strings.TrimSuffix(m.browse.Tree.Folder(), "/") + "/"
	return m.shell.TypeCommand("create " + strings.TrimSuffix(prompt.Quote(folder), `"`))
}

// createNote opens the user's editor for the text of a new note.
func (m *Model) createNote(path string) tea.Cmd {
	if m.tellAway() || m.edits.Blocked() {
		return nil
	}
	return m.drafts.Create(agentPath(path))
}

// goTo goes to a path, now or as soon as the watch reports it.
func (m *Model) goTo(path string) tea.Cmd {
	m.awaited = path
	return m.goToWritten()
}

// goToWritten goes to the path that was written, once it is in the tree.
func (m *Model) goToWritten() tea.Cmd {
	path := m.awaited
	if path == "" || m.browse.Files.Node(path) == nil {
		return nil
	}
	m.awaited = ""
	return m.browse.Select(path, true)
}

// stopWaiting forgets the path that was written: the user goes elsewhere.
func (m *Model) stopWaiting() { m.awaited = "" }
