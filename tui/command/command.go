// Package command runs the memory commands that the user types at the prompt, exactly as an agent would: through the
// handlers, with a conflict where the file has changed since the user looked at it. The shell calls it.
package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/browse"
	"memcurator/tui/diffpane"
	"memcurator/tui/drafts"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
)

const (
	owner = "command"
	label = "running the command"
)

// Options are what commands are run on.
type Options struct {
	Journal *journal.Journal
	Feed    *feed.Feed
	Edits   *act.Queue
	Drafts  *drafts.List
	// Browse has the files that commands mean.
	Browse *browse.Screen
}

// Runner runs memory commands. All methods run on the Bubble Tea goroutine.
type Runner struct {
	Options
	env     *kit.Env
	shell   kit.Shell
	count   int    // jobs so far, to name them
	awaited string // path to go to as soon as it is in the tree; empty: none
}

// New makes a runner.
func New(env *kit.Env, shell kit.Shell, o Options) *Runner {
	return &Runner{Options: o, env: env, shell: shell}
}

// run is a command with what is known of its path, and then its outcome.
type run struct {
	command  memstore.Command
	result   memstore.Result
	followed []upkeep.Rewrite
	path     string                  // the path whose content the user had looked at
	seen     func() ([]byte, string) // what the user had looked at; nil: it is too large to be kept
}

// Run runs a command; deletions are confirmed first.
func (r *Runner) Run(c memstore.Command) tea.Cmd {
	if c.Name != memstore.CmdView && r.away() {
		return nil
	}
	if r.Edits.ReadOnly {
		return r.execute(c)
	}
	if (c.Name == memstore.CmdDelete || c.Name == memstore.CmdRename) && r.Edits.Refuses() {
		return nil
	}
	if b := r.Browse; c.Name == memstore.CmdDelete {
		if n := b.Files.Node(c.Path); n != nil && n != b.Files.Snapshot().Root {
			return r.Edits.Delete([]string{agentPath(c.Path)})
		}
	}
	return r.execute(c)
}

// away reports whether Browse has the past, whose files a command would mean, and says so.
func (r *Runner) away() bool {
	why := r.Browse.WhyNoCommand()
	if why.Text != "" {
		r.shell.Tell(why.Level, why.Text)
	}
	return why.Text != ""
}

// RunTyped runs a memory command as it was typed: the tool's JSON input, or a short form. The name of a new note alone opens the editor
// for its text. Errors are sentences for the user.
func (r *Runner) RunTyped(line string) (tea.Cmd, error) {
	if strings.HasPrefix(line, "{") {
		input, err := prompt.Input(line)
		if err != nil {
			return nil, err
		}
		c, err := memstore.DecodeCommand(input)
		if err != nil { // the tool has an answer to that
			r.showResult(line, r.Browse.Store.DoJSON(context.Background(), input))
			return nil, nil
		}
		return r.Run(c), nil
	}
	if path, ok := strings.CutPrefix(line, memstore.CmdCreate+" "); ok && !strings.ContainsAny(path, `"'`) { // a text is in quotes
		return r.create(strings.TrimSpace(path)), nil
	}
	words, err := prompt.Words(line)
	if err != nil {
		return nil, err
	}
	if words[0] == memstore.CmdCreate && len(words) == 2 {
		return r.create(words[1]), nil
	}
	c, err := prompt.ParseCommand(words[0], words[1:])
	if err != nil {
		return nil, err
	}
	return r.Run(c), nil
}

// agentPath is the agent path for a typed one; an invalid one stays unchanged.
func agentPath(path string) string {
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// execute runs a command. If a file has changed since the user looked at it, that is a conflict and nothing is written.
func (r *Runner) execute(c memstore.Command) tea.Cmd {
	path := c.Path
	if c.Name == memstore.CmdRename {
		path = c.OldPath
	}
	b := r.Browse
	d := run{command: c, path: agentPath(path)}
	if c.Name == memstore.CmdView || c.Name == memstore.CmdCreate || r.Edits.ReadOnly {
		return r.start(d, nil)
	}
	if first, ok := r.Feed.FirstUnread(d.path); ok && !b.InView(d.path) {
		return r.openConflict(d, diffpane.OfSide(r.Journal, first, first.Before))
	}
	seen := b.View.Seen(d.path)
	if data := b.View.SeenBytes(d.path); seen != nil && data != nil {
		d.seen = func() ([]byte, string) { return data, "" }
	}
	return r.start(d, seen)
}

// start hands a command to the handlers in a job that quitting does not interrupt. What writes takes its turn among the edits by
// key, so that an undo after it undoes it. expected is what its file must contain; nil: anything.
func (r *Runner) start(d run, expected *memstore.Digest) tea.Cmd {
	if c := d.command; (c.Name == memstore.CmdRename || c.Name == memstore.CmdDelete) && !r.Edits.ReadOnly {
		to := ""
		if c.Name == memstore.CmdRename {
			to = agentPath(c.NewPath)
		}
		return r.Edits.Indexes.Moving(d.path, to, func(fates upkeep.Fates) tea.Cmd { return r.run(d, expected, fates) })
	}
	return r.run(d, expected, nil)
}

// run is start once it is known which indexes and links follow.
func (r *Runner) run(d run, expected *memstore.Digest, fates upkeep.Fates) tea.Cmd {
	store := r.Browse.Store
	origin := memstore.Origin{Actor: memstore.Curator}
	if fates != nil {
		origin.Group = r.Edits.Group()
	}
	work := func(ctx context.Context, _ *kit.Progress) (run, error) {
		ctx = memstore.WithOrigin(ctx, origin)
		if expected != nil {
			ctx = memstore.WithExpectation(ctx, memstore.Expectation{Path: d.path, Digest: *expected})
		}
		if d.command.Name != memstore.CmdView {
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
		r.count++
		job := kit.Job[run]{Owner: fmt.Sprintf("%s %d", owner, r.count), Label: label, Write: true, Work: work, Done: r.done}
		return kit.Start(r.env.Jobs, job)
	}
	return act.Do(r.Edits, act.Edit[run]{Label: label, Work: work, Done: r.done})
}

const textCut = "(cut here: the whole result is longer than 1 MiB; use `memcurator cat`)"

// done shows the text that the agent would have got, or the conflict.
func (r *Runner) done(d run) tea.Cmd {
	if errors.Is(d.result.Err, memstore.ErrChanged) && d.seen != nil {
		return r.openConflict(d, d.seen)
	}
	followed := upkeep.Said(d.followed)
	if renamed := d.command.Name == memstore.CmdRename && !d.result.IsError; renamed {
		r.shell.Tell(kit.Info, renamedText(d.command, followed, r.Edits.UndoKey()))
	} else {
		if followed != "" {
			r.shell.Tell(kit.Info, "Updated "+followed)
		}
		r.showResult(d.command.Name, d.result)
	}
	if d.result.IsError || d.command.Name == memstore.CmdDelete {
		return nil
	}
	path := d.command.Path
	if d.command.Name == memstore.CmdRename {
		path = d.command.NewPath
	}
	if name, err := memstore.ParsePath(path); err == nil && r.Browse.Files.Node(path) != nil {
		return r.Browse.Select(memstore.AgentPath(name), true)
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
func (r *Runner) showResult(name string, result memstore.Result) {
	title := text.Truncate(text.Clean(name), 40, r.env.Styles.Glyphs.Ellipsis) + ": done"
	if result.IsError {
		title = text.Truncate(text.Clean(name), 40, r.env.Styles.Glyphs.Ellipsis) + ": error"
	}
	t := overlay.NewText(r.env, "result", title, result.Content, result.IsError)
	t.SetFooter(r.env.Keyed("what the agent would get: {overlay/overlay-copy} copies, {overlay/close} closes"))
	r.shell.Open(kit.Box{Overlay: t})
}

const textConflictFooter = "before and now: {confirm/yes} runs the command anyway, {confirm/no} cancels"

// openConflict shows what has changed since the user looked at the file. The command runs only after a yes.
func (r *Runner) openConflict(d run, seen func() ([]byte, string)) tea.Cmd {
	again := func() tea.Cmd { return r.start(run{command: d.command, path: d.path}, nil) }
	return r.Edits.ShowConflict(d.path, textConflictFooter, seen, kit.Answers(again, nil))
}

// NewFile has the user type the name of a new note in the folder under the cursor. The editor opens for its text.
func (r *Runner) NewFile() tea.Cmd {
	if r.away() || r.Edits.Blocked() {
		return nil
	}
	folder := strings.TrimSuffix(r.Browse.Tree.Folder(), "/") + "/"
	return r.shell.TypeCommand("create " + strings.TrimSuffix(prompt.Quote(folder), `"`))
}

// create opens the user's editor for the text of a new note.
func (r *Runner) create(path string) tea.Cmd {
	if r.away() || r.Edits.Blocked() {
		return nil
	}
	return r.Drafts.Create(agentPath(path), r.GoTo)
}

// GoTo goes to a path, now or as soon as the watch reports it.
func (r *Runner) GoTo(path string) tea.Cmd {
	r.awaited = path
	return r.GoToWritten()
}

// GoToWritten goes to the path that was written, once it is in the tree.
func (r *Runner) GoToWritten() tea.Cmd {
	path := r.awaited
	if path == "" || r.Browse.Files.Node(path) == nil {
		return nil
	}
	r.awaited = ""
	return r.Browse.Select(path, true)
}

// StopWaiting forgets the path that was written: the user goes elsewhere.
func (r *Runner) StopWaiting() { r.awaited = "" }
