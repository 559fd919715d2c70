package act

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// OwnerPlan names the job that reads what is about to be deleted or moved. Keys wait until its question is there.
const OwnerPlan = "delete.plan"

// removal takes what is at some paths away from them: it deletes, moves or renames it. It records what was there when the user was asked,
// since only what the question named may go.
type removal struct {
	tops  []targetEntry
	steps []memstore.Step // in the order in which they are carried out
	files int             // everything but folders
	bytes int64
	into  string // agent path of the folder to move them to; "": they are deleted, or renamed
	name  string // agent path to rename the only one to; "": it is not renamed
	whole bool   // a folder above is moved as a whole: what is in it has no steps
	// repositories are the folders that have a git folder among what is removed, which the tree shows as empty.
	repositories []string

	fates   upkeep.Fates     // of the files
	follows []upkeep.Rewrite // what follows in indexes, and in links
	linking int              // notes with links to those that are deleted, which stay
	keep    bool             // it is to follow
}

// to is where a path goes; "": it is deleted.
func (s *removal) to(agentPath string) string {
	if s.into == "" {
		return s.name
	}
	return s.into + "/" + path.Base(agentPath)
}

// targetEntry is one of the paths the user chose, with a summary of its contents.
type targetEntry struct {
	Path string // agent path
	What string // "1 file, 2K"
}

// UndoKeys are the keys of undo and redo: none in the past, which refuses both.
func (q *Queue) UndoKeys() Keys {
	if q.shell.WhyPast().Text != "" {
		return Keys{}
	}
	return Keys{Undo: q.env.Keys.KeyFor(keymap.Global, keymap.Undo), Redo: q.env.Keys.KeyFor(keymap.Global, keymap.Redo)}
}

// Keys are the current keys of undo and redo; "" for none.
type Keys struct{ Undo, Redo string }

// UndoKey is the key of undo; "" if nothing can be undone.
func (q *Queue) UndoKey() string {
	if q.Journal == nil {
		return ""
	}
	return q.UndoKeys().Undo
}

// Delete asks whether to delete what is at some paths, none of which is below another.
func (q *Queue) Delete(paths []string) tea.Cmd { return q.plan(paths, removal{}, q.ask) }

// Move asks whether to move what is at some paths into a folder.
func (q *Queue) Move(paths []string, into string) tea.Cmd {
	return q.plan(paths, removal{into: into}, q.ask)
}

// Rename renames a file or folder.
func (q *Queue) Rename(from, to string) tea.Cmd {
	return q.plan([]string{from}, removal{name: to}, q.carryOut)
}

// plan reads what is at the paths, for what is done then.
func (q *Queue) plan(list []string, s removal, then func(removal) tea.Cmd) tea.Cmd {
	if len(list) == 0 {
		return nil
	}
	store, follows := q.Handlers, q.Follows()
	return kit.Start(q.env.Jobs, kit.Job[removal]{
		Owner: OwnerPlan, Label: "counting files", Done: then,
		Work: func(ctx context.Context, _ *kit.Progress) (removal, error) {
			err := s.fill(ctx, store.Backend(), store.Dialect(), list)
			if err == nil {
				s.follows, _ = upkeep.Plan(ctx, store, s.fates) // if that can't be known, nothing follows
			}
			if err == nil && s.into+s.name == "" {
				s.linking, _ = upkeep.Linking(ctx, store, s.fates)
			}
			s.keep = follows && len(s.follows) > 0
			return s, err
		},
	})
}

// fill reads what is at some paths.
func (s *removal) fill(ctx context.Context, b memstore.Backend, dialect memstore.Dialect, list []string) error {
	s.fates = upkeep.Fates{}
	for _, top := range list {
		files, bytes := s.files, s.bytes
		if err := s.add(ctx, b, top, s.to(top)); err != nil {
			if isCancelled(err) {
				return err
			}
			return errors.New(LeftAloneText(top, Reason(err)))
		}
		what := kit.Count(s.files-files, "file") + ", " + memstore.FormatSize(dialect, s.bytes-bytes)
		if s.steps[len(s.steps)-1].Kind == memstore.KindDir {
			what = "the folder with " + what
		}
		s.tops = append(s.tops, targetEntry{Path: top, What: what})
	}
	return nil
}

// LeftAloneText explains why a path was left alone.
func LeftAloneText(path, why string) string { return "Skipped " + kit.PathText(path) + ": " + why }

// add plans the deletion of one path, or its move to another. The contents of a folder come before the folder
// itself, so that a folder with something new in it stays.
func (s *removal) add(ctx context.Context, b memstore.Backend, agentPath, to string) error {
	name := memstore.BackendName(agentPath)
	info, err := b.Lstat(name)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	step := memstore.Step{Kind: info.Kind, Path: agentPath, Remove: true}
	if to != "" {
		step = memstore.Step{Kind: info.Kind, Path: to, OldPath: agentPath}
	}
	switch info.Kind {
	case memstore.KindDir:
		children, err := b.ReadDir(name)
		if err != nil {
			return err
		}
		inner := *s
		inner.whole = to != ""
		for _, c := range children {
			below := ""
			if to != "" {
				below = to + "/" + c.Name
			}
			if err := inner.add(ctx, b, agentPath+"/"+c.Name, below); err != nil {
				return err
			}
		}
		s.files, s.bytes, s.repositories = inner.files, inner.bytes, inner.repositories
		if memstore.InGit(path.Base(agentPath)) {
			s.repositories = append(s.repositories, path.Dir(agentPath))
		}
		if to == "" { // a folder is moved as a whole
			s.steps = inner.steps
		}
	default:
		if info.Kind == memstore.KindFile {
			s.bytes += info.Size
			if !s.whole {
				data, err := memstore.ReadFile(b, name, memstore.Look, memstore.MaxFile)
				if err != nil {
					return err
				}
				sum := memstore.Sum(data)
				step.Expect = &sum
			}
		}
		s.files++
		s.fates[agentPath] = upkeep.Fate{To: to}
	}
	s.steps = append(s.steps, step)
	return nil
}

// targetsListed bounds the names in a question.
const targetsListed = 8

// ask asks for confirmation, naming what was found and its size.
func (q *Queue) ask(s removal) tea.Cmd {
	size := memstore.FormatSize(q.Handlers.Dialect(), s.bytes)
	title, body := deleteTitle(s.tops, s.files), targetsText(s.tops, s.files, size)+s.linkingText()+s.repositoryText()+"\n\n"+q.WayBack()
	if s.into != "" {
		title, body = "Move "+kit.CountGrouped(s.files, "file")+" to "+kit.PathText(s.into)+"/?", targetsText(s.tops, s.files, size)
	}
	if s.keep {
		body += "\n\nUpdates " + upkeep.Asked(s.follows)
	} else if len(s.follows) > 0 {
		body += "\n\nNot updated: " + text.Clean(upkeep.Said(s.follows)) + "."
	}
	q.shell.Ask(title, body, func() tea.Cmd { return q.carryOut(s) })
	return nil
}

// linkingText counts the notes whose links will lead nowhere; "" for none.
func (s *removal) linkingText() string {
	it := "it"
	if len(s.tops) > 1 {
		it = "them"
	}
	switch s.linking {
	case 0:
		return ""
	case 1:
		return "\n1 note links to " + it + "."
	}
	return "\n" + kit.Number(s.linking) + " notes link to " + it + "."
}

// repositoryText names the git repositories that go with their history; "" for none.
func (s *removal) repositoryText() string {
	if len(s.repositories) == 0 {
		return ""
	}
	more := ""
	if n := len(s.repositories) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "\n\nDeletes the git repository of " + kit.PathText(s.repositories[0]) + more + ", with all its commits."
}

// targetsText lists the chosen paths, with a total if there are several.
func targetsText(list []targetEntry, files int, size string) string {
	if len(list) == 1 {
		return text.Clean(list[0].Path) + "\n" + list[0].What
	}
	var b strings.Builder
	for _, t := range list[:min(len(list), targetsListed)] {
		b.WriteString(text.Clean(t.Path) + "  " + t.What + "\n")
	}
	if more := len(list) - targetsListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String() + "\n" + kit.CountGrouped(files, "file") + ", " + size + " in all"
}

// WayBack ends a question about a deletion.
func (q *Queue) WayBack() string {
	if key := q.UndoKey(); key != "" {
		return "The trash keeps what is deleted; " + key + " undoes."
	}
	return "This can't be undone without a journal."
}

// left is a path that was not touched, and why.
type left struct{ path, why string }

// removalResult is the outcome of a removal.
type removalResult struct {
	plan       removal
	files      int
	left       []left
	notStarted int // steps, because the user stopped it

	followed []upkeep.Rewrite
}

// carryOut executes a plan as one group. Paths that changed since the question are skipped.
func (q *Queue) carryOut(s removal) tea.Cmd {
	store := q.Handlers
	group := ""
	if len(s.steps) > 1 || s.keep {
		group = q.Group()
	}
	label := "deleting"
	if s.into+s.name != "" {
		label = "moving"
	}
	return Do(q, Edit[removalResult]{
		Label: label, Done: q.removalDone,
		Work: func(ctx context.Context, progress *kit.Progress) (removalResult, error) {
			ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: group})
			out := removalResult{plan: s}
			for i, step := range s.steps {
				err := ctx.Err()
				if err == nil {
					_, err = store.Apply(ctx, step)
				}
				if isCancelled(err) { // while it waited for its turn, or before
					out.notStarted = len(s.steps) - i
					break
				}
				switch {
				case err != nil:
					at := step.Path
					if step.OldPath != "" {
						at = step.OldPath
					}
					if step.Kind != memstore.KindDir || !errors.Is(err, memstore.ErrChanged) || len(out.left) == 0 {
						out.left = append(out.left, left{at, Reason(err)})
					}
				case step.Kind != memstore.KindDir || step.OldPath != "":
					out.files++
				}
				progress.Set(int64(i+1), int64(len(s.steps)))
			}
			if len(out.left) == 0 && out.notStarted == 0 {
				out.files = s.files // a folder moves in one step
			}
			if s.keep && out.files > 0 {
				origin := memstore.Origin{Actor: memstore.Curator, Group: group}
				out.followed = follow(context.WithoutCancel(ctx), store, origin, s.fates)
			}
			return out, nil
		},
	})
}

// removalDone reports what was removed and what was skipped.
func (q *Queue) removalDone(c removalResult) tea.Cmd {
	level := kit.Info
	if len(c.left) > 0 {
		level = kit.Warn
		for _, l := range c.left[:min(len(c.left), LeftListed)] {
			q.shell.Tell(kit.Warn, LeftAloneText(l.path, l.why))
		}
	}
	q.shell.Tell(level, q.removalText(&c))
	if c.plan.name != "" && c.files > 0 {
		q.env.Emit(Made{c.plan.name})
	}
	return nil
}

// removalText summarizes a removal: "Deleted a.md, 1.2K. u undoes".
func (q *Queue) removalText(c *removalResult) string {
	if c.files == 0 && len(c.left) > 0 {
		said := LeftAloneText(c.left[0].path, c.left[0].why)
		if len(c.left) > 1 {
			said = fmt.Sprintf("Skipped %s, the first is %s: %s", kit.Count(len(c.left), "file"), kit.PathText(c.left[0].path), c.left[0].why)
		}
		return said + c.notStartedText()
	}
	did, whole := "Deleted", len(c.left) == 0 && c.notStarted == 0
	switch {
	case c.plan.into != "":
		did = "Moved"
	case c.plan.name != "":
		did = "Renamed"
	}
	out := did + " " + kit.Count(c.files, "file")
	if whole && len(c.plan.tops) == 1 {
		out = did + " " + kit.PathText(c.plan.tops[0].Path)
	}
	switch {
	case whole && c.plan.name != "":
		out += " to " + kit.PathText(c.plan.name)
	case whole:
		out += ", " + memstore.FormatSize(q.Handlers.Dialect(), c.plan.bytes)
	case len(c.left) > 0:
		out += fmt.Sprintf("; %d skipped, %s: %s", len(c.left), kit.PathText(c.left[0].path), c.left[0].why)
	}
	if followed := upkeep.Said(c.followed); c.plan.keep && followed != "" {
		out += ", updated " + followed
	} else if not := upkeep.Said(c.plan.follows); !c.plan.keep && not != "" {
		out += ", not updated: " + not
	}
	if undo := q.UndoKey(); undo != "" {
		out += ". " + undo + " undoes"
	}
	return out + c.notStartedText()
}

// notStartedText says how much the user has stopped; "" for nothing.
func (c *removalResult) notStartedText() string {
	if c.notStarted == 0 {
		return ""
	}
	return fmt.Sprintf(". Stopped with %s to go", kit.Count(c.notStarted, "step"))
}

// LeftListed bounds how many untouched paths are listed in the message log.
const LeftListed = 20

// deleteTitle is the title of a question about a deletion.
func deleteTitle(list []targetEntry, files int) string {
	if len(list) == 1 {
		return "Delete " + text.Clean(path.Base(list[0].Path)) + "?"
	}
	return "Delete " + kit.CountGrouped(files, "file") + "?"
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
